// A gentle push that keeps circles apart, for a picture that is shown smaller or turned another way than the server laid it out.

/** @typedef {{id: string, x: number, y: number, radius: number}} Spot  centre and radius in pixels */

const GAP = 20;
// Words lie level: neighbours side by side need more room than one above the other.
const LEVEL = 0.72;
const CELL = 120;

/**
 * Push what overlaps apart, a little at a time; the same input gives the same output.
 * @param {Spot[]} spots
 * @returns {Map<string, {x: number, y: number}>}
 */
export function apart(spots) {
  const at = spots.map((spot) => ({ ...spot }));
  for (let round = 0; round < 80; round += 1) {
    const cells = new Map();
    for (const spot of at) {
      const cell = `${Math.floor(spot.x / CELL)},${Math.floor(spot.y / CELL)}`;
      cells.set(cell, [...(cells.get(cell) ?? []), spot]);
    }
    let moved = false;
    for (const a of at) {
      const [i, j] = [Math.floor(a.x / CELL), Math.floor(a.y / CELL)];
      for (let p = i - 1; p <= i + 1; p += 1)
        for (let q = j - 1; q <= j + 1; q += 1)
          for (const b of cells.get(`${p},${q}`) ?? []) if (a.id < b.id && push(a, b)) moved = true;
    }
    if (!moved) break;
  }
  return new Map(at.map(({ id, x, y }) => [id, { x, y }]));
}

/** @param {Spot} a @param {Spot} b */
function push(a, b) {
  const wanted = a.radius + b.radius + GAP;
  let [dx, dy] = [(b.x - a.x) * LEVEL, b.y - a.y];
  let distance = Math.hypot(dx, dy);
  if (distance >= wanted - 0.5) return false;
  if (distance < 0.01) [dx, dy, distance] = a.id.length % 2 ? [1, 0.3, 1.04] : [0.3, 1, 1.04];
  const step = ((wanted - Math.min(distance, wanted)) / distance) * 0.3;
  a.x -= (dx * step) / LEVEL;
  a.y -= dy * step;
  b.x += (dx * step) / LEVEL;
  b.y += dy * step;
  return true;
}
