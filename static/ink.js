// How a node looks: entities are circles, passages small squares; strength is how dark the ink is; the ring tells the kind, a cinnabar one a
// human hand; forgotten is hollow; what answered has an ochre halo.
import { has, t } from "./i18n.js";
import { token } from "./theme.js";
import { kindClass } from "./typeset.js";

/** @typedef {import("./canvas.js").Node} Node */
/** @typedef {Record<string, string>} Colours */

const TOKENS = ["paper", "rule", "ink-1", "ink-2", "ink-3", "ink-4", "cinnabar", "wash", "person", "place", "organisation", "event"];

/** The colours of the present theme. @returns {Colours} */
export const colours = () => Object.fromEntries(TOKENS.map((name) => [name, token(`--${name}`)]));

/** The ink of a strength in 0..1: 4 is darkest, 1 is hollow. @param {number} strength */
export const inkOf = (strength) => (strength >= 0.7 ? 4 : strength >= 0.45 ? 3 : strength >= 0.2 ? 2 : 1);

/** The radius of a node, which the server reckons with when it lays out. @param {{type: string, size: number}} node */
export const radiusOf = (node) => (node.type === "paragraph" ? 5 : node.size);

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Node} node
 * @param {{x: number, y: number, ringed: boolean, hair: number, colours: Colours, face: string}} how  `hair` is one screen pixel
 */
export function mark(ctx, node, { x, y, ringed, hair, colours: colour, face }) {
  const ink = inkOf(node.strength);
  const radius = radiusOf(node);
  ctx.save();
  ctx.fillStyle = ink === 1 ? colour.paper : colour[`ink-${ink}`];
  ctx.beginPath();
  if (node.type === "paragraph") {
    ctx.rect(x - 4, y - 4, 8, 8);
    ctx.strokeStyle = colour["ink-2"];
    ctx.lineWidth = 1;
    if (ink === 1) ctx.stroke();
    else ctx.fill();
  } else {
    const kind = kindClass(node.kind);
    ctx.arc(x, y, radius, 0, 7);
    ctx.fill();
    ctx.lineWidth = ink === 1 ? 1 : 3;
    ctx.strokeStyle = node.hand ? colour.cinnabar : kind === "other" ? colour["ink-2"] : colour[kind];
    ctx.stroke();
    if (has(`glyph.${kind}`) && radius >= 12 && ink > 1) {
      ctx.fillStyle = colour.paper;
      ctx.font = `${radius * 0.9}px ${face}`;
      ctx.textAlign = "center";
      ctx.textBaseline = "middle";
      ctx.fillText(t(`glyph.${kind}`), x, y + radius * 0.06);
    }
  }
  if (ringed) {
    ctx.beginPath();
    ctx.arc(x, y, radius + 6, 0, 7);
    ctx.lineWidth = hair;
    ctx.strokeStyle = colour["ink-4"];
    ctx.stroke();
  }
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Node} node @param {{x: number, y: number}} at @param {number} lit @param {Colours} colour */
export function halo(ctx, node, { x, y }, lit, colour) {
  const inner = radiusOf(node);
  const outer = inner + 10 + 14 * lit;
  const gradient = ctx.createRadialGradient(x, y, inner * 0.5, x, y, outer);
  gradient.addColorStop(0, colour.wash);
  gradient.addColorStop(0.7, colour.wash);
  gradient.addColorStop(1, `${colour.wash}00`);
  ctx.fillStyle = gradient;
  ctx.beginPath();
  ctx.arc(x, y, outer, 0, 7);
  ctx.fill();
}
