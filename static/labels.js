// Where words go on a canvas, so that they never collide. Words keep their size on the screen at every zoom; the most important are placed
// first, each below, beside, above or at a corner of its node, wherever it covers no other word and no node's middle; what finds no place waits for a closer look.

/**
 * @typedef {{x: number, y: number, width: number, height: number}} Box  centre and size, in screen pixels at the present zoom
 * @typedef {{id: string, text: string, x: number, y: number, radius: number, font: string, height: number, weight: number, must: boolean, badge: string}} Wish
 * @typedef {{id: string, text: string, font: string, x: number, y: number, badge: boolean}} Placed
 */

const GAP = 3;
const CELL = 64;
// A word may lie over a lesser node's rim, never over the inner part, whose breadth is this share of the whole.
const RIM = 0.4;

/** Boxes sorted into squares, so that only near ones are compared. */
class Grid {
  constructor() {
    /** @type {Map<string, Box[]>} */
    this.cells = new Map();
  }

  /** @param {Box} box @param {(cell: string) => void} visit */
  #each(box, visit) {
    const left = Math.floor((box.x - box.width / 2) / CELL);
    const right = Math.floor((box.x + box.width / 2) / CELL);
    const top = Math.floor((box.y - box.height / 2) / CELL);
    const bottom = Math.floor((box.y + box.height / 2) / CELL);
    for (let i = left; i <= right; i += 1) for (let j = top; j <= bottom; j += 1) visit(`${i},${j}`);
  }

  /** @param {Box} box */
  add(box) {
    this.#each(box, (cell) => {
      const found = this.cells.get(cell);
      if (found) found.push(box);
      else this.cells.set(cell, [box]);
    });
  }

  /** Whether nothing lies under a box, but for the rim of nodes that are `lesser`. @param {Box} box @param {Box} [but] @param {(node: Box) => boolean} [lesser] */
  free(box, but, lesser = () => false) {
    let free = true;
    this.#each(box, (cell) => {
      for (const other of this.cells.get(cell) ?? []) {
        const share = lesser(other) ? RIM : 1;
        const over = Math.abs(box.x - other.x) * 2 < box.width + other.width * share && Math.abs(box.y - other.y) * 2 < box.height + other.height * share;
        if (other !== but && over) free = false;
      }
    });
    return free;
  }
}

/**
 * @param {Wish[]} wishes
 * @param {(text: string, font: string) => number} measure
 * @param {{left: number, right: number, top: number, bottom: number, hard: boolean}} frame words stand inside it where they can, or not at all when it is hard
 * @returns {{placed: Placed[], free: (box: Box) => boolean, take: (box: Box) => void}}
 */
export function placeLabels(wishes, measure, frame) {
  const inside = (/** @type {Box} */ { x, y, width, height }) =>
    x - width / 2 >= frame.left && x + width / 2 <= frame.right && y - height / 2 >= frame.top && y + height / 2 <= frame.bottom;
  const choose = (/** @type {Box[]} */ boxes, /** @type {Wish} */ { id, weight }, lesser = (/** @type {Box} */ box) => (weights.get(box) ?? Infinity) < weight) => {
    const free = boxes.filter((box) => grid.free(box, discs.get(id)));
    const close = free.some(inside) ? [] : boxes.filter((box) => grid.free(box, discs.get(id), lesser));
    return [...free, ...close].find(inside) ?? (frame.hard ? undefined : (free[0] ?? close[0]));
  };
  const grid = new Grid();
  /** @type {Map<string, Box>} */
  const discs = new Map();
  /** @type {Map<Box, number>} */
  const weights = new Map();
  for (const { id, x, y, radius, weight } of wishes) {
    const disc = { x, y, width: radius * 1.9, height: radius * 1.9 };
    discs.set(id, disc);
    weights.set(disc, weight);
    grid.add(disc);
  }
  /** @type {Placed[]} */
  const placed = [];
  const ordered = [...wishes].sort((a, b) => Number(b.must) - Number(a.must) || b.weight - a.weight || (a.id < b.id ? -1 : 1));
  for (const wish of ordered) {
    const width = measure(wish.text, wish.font) + 2 * GAP;
    const { x, y, radius, height } = wish;
    // Near an edge of the frame a word may stand a little to the side below its node.
    const slide = Math.max(frame.left - (x - width / 2), Math.min(0, frame.right - (x + width / 2)));
    const low = y + radius + height / 2 + 2;
    const centres = [
      [x, low],
      ...(Math.abs(slide) < width / 2 + radius ? [[x + slide, low]] : []),
      [x + radius + width / 2 + 2, y],
      [x - radius - width / 2 - 2, y],
      [x, y - radius - height / 2 - 2],
      ...[1, -1].flatMap((down) => [1, -1].map((right) => [x + right * (radius * 0.7 + width / 2), y + down * (radius * 0.7 + height / 2)])),
    ];
    const boxes = centres.map(([cx, cy]) => ({ x: cx, y: cy, width, height }));
    const box = choose(boxes, wish) ?? (wish.must ? boxes[0] : null);
    if (!box) continue;
    grid.add(box);
    placed.push({ id: wish.id, text: wish.text, font: wish.font, x: box.x, y: box.y, badge: false });
  }
  for (const wish of ordered) {
    if (!wish.badge) continue;
    const font = BADGE;
    const width = measure(wish.badge, font) + 2;
    const away = wish.radius * 0.75;
    const corners = [
      [1, -1],
      [-1, -1],
      [1, 1],
      [-1, 1],
    ];
    const boxes = corners.map(([h, v]) => ({ x: wish.x + h * (away + width / 2 + 2), y: wish.y + v * (away + 5), width, height: 13 }));
    const box = choose(boxes, wish, () => false);
    if (!box) continue;
    grid.add(box);
    placed.push({ id: wish.id, text: wish.badge, font, x: box.x, y: box.y, badge: true });
  }
  return { placed, free: (box) => grid.free(box), take: (box) => grid.add(box) };
}

const LINE = 14;

/**
 * Where words may stand along a line between two nodes: tried from its middle outwards; null where they have no room, for words that lie
 * on a name or lean on a node are read as neither.
 * @param {{x: number, y: number}} a @param {{x: number, y: number}} b the middles of the two nodes, on the screen
 * @param {{width: number, ends: number[]}} words how broad they are, and the radii of the two nodes
 * @param {(box: Box) => boolean} free
 * @returns {{box: Box, angle: number} | null} the upright outline of the slanted words
 */
export function alongLine(a, b, { width, ends: [first, last] }, free) {
  const length = Math.hypot(b.x - a.x, b.y - a.y);
  const [low, high] = [first + 2 * GAP + width / 2, length - last - 4 * GAP - width / 2]; // an arrow stands at the far end
  if (low > high) return null;
  let angle = Math.atan2(b.y - a.y, b.x - a.x);
  if (angle > Math.PI / 2 || angle <= -Math.PI / 2) angle += Math.PI;
  const [flat, steep] = [Math.abs(Math.cos(angle)), Math.abs(Math.sin(angle))];
  const middle = Math.min(high, Math.max(low, length / 2));
  for (const at of [middle, (middle + low) / 2, (middle + high) / 2, low, high]) {
    const [x, y] = [a.x + ((b.x - a.x) * at) / length, a.y + ((b.y - a.y) * at) / length];
    const box = { x, y, width: flat * width + steep * LINE + 2 * GAP, height: steep * width + flat * LINE };
    if (free(box)) return { box, angle };
  }
  return null;
}

export const BADGE = "12px badge";

/** A name as a canvas shows it: ten hanzi or eighteen letters; the whole name is in the margin. @param {string} name */
export function short(name) {
  const points = [...name];
  const longest = /\p{Script=Han}/u.test(name) ? 10 : 18;
  return points.length <= longest ? name : `${points.slice(0, longest - 1).join("").trimEnd()}…`;
}
