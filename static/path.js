// The order in which a path lights up: from what the search began with outwards along the edges it walked, one hop a step.

const LONGEST = 700;

/**
 * @param {{nodes: {id: string, lit: number}[], edges: {source: string, target: string, step: number | null}[]}} path
 * @returns {{id: string, lit: number}[][]} what lights up at each step
 */
export function steps({ nodes, edges }) {
  const lit = new Map(nodes.filter((node) => node.lit > 0).map((node) => [node.id, node.lit]));
  const walked = edges.filter(({ step, source, target }) => step !== null && lit.has(source) && lit.has(target));
  const reached = new Set(walked.map(({ target }) => target));
  const starts = walked.map(({ source }) => source).filter((id) => !reached.has(id));
  const strongest = [...lit].sort((a, b) => b[1] - a[1])[0]?.[0];
  let wave = [...new Set(starts.length || !strongest ? starts : [strongest])];
  const seen = new Set(wave);
  const order = [];
  while (wave.length) {
    order.push(wave);
    wave = [...new Set(wave.flatMap((id) => walked.filter(({ source, target }) => source === id || target === id).flatMap(({ source, target }) => [source, target])))];
    wave = wave.filter((id) => !seen.has(id));
    wave.forEach((id) => seen.add(id));
  }
  const rest = [...lit.keys()].filter((id) => !seen.has(id));
  if (rest.length) order.push(rest);
  return order.map((ids) => ids.map((id) => ({ id, lit: lit.get(id) ?? 0 })));
}

/** How long one step takes, so that a long path still ends in time. @param {number} count @param {number} hop */
export const pace = (count, hop) => (count ? Math.min(hop, LONGEST / count) : 0);
