// Ink on paper with vis-network: it moves, zooms and finds what is under the pointer; how a node looks is in ink.js, where words go in
// labels.js. Nodes come with places in pixels; nothing is laid out here.
import { DataSet, Network } from "./vendor/vis-network/vis-network.esm.min.js";
import { colours, halo, inkOf, mark, radiusOf } from "./ink.js";
import { BADGE, alongLine, placeLabels, short } from "./labels.js";
import { pace } from "./path.js";
import { token } from "./theme.js";

/**
 * @typedef {{id: string, type: "entity" | "paragraph", name: string, label: string, kind: string | null, paragraphs: number, x: number, y: number,
 *   size: number, hidden: number, strength: number, hand: boolean}} Node
 * @typedef {{source: string, target: string, predicate: string | null, type: string, closed: boolean, hand: boolean, step?: number | null}} Edge  `step` when it was walked
 * @typedef {{select?: (id: string | null) => void, expand?: (id: string) => void, drawn?: () => void, covered?: () => number, moved?: (id: string, at: {x: number, y: number}) => void, quiet?: boolean}} Handlers  `covered` is where something lies over the canvas from below
 */

const SYNONYMS = 150;

/** @param {string} a @param {string} b */
const pair = (a, b) => (a < b ? `${a} ${b}` : `${b} ${a}`);

export class Canvas {
  /** @param {HTMLElement} holder @param {Handlers} handlers */
  constructor(holder, handlers) {
    this.holder = holder;
    this.handlers = handlers;
    /** @type {Map<string, Node>} */
    this.nodes = new Map();
    /** @type {Map<string, any>} */
    this.lines = new Map();
    /** @type {Map<string, number>} */
    this.lit = new Map();
    /** @type {string | null} */
    this.selected = null;
    /** @type {string | null} */
    this.pointed = null;
    /** @type {number[]} */
    this.timers = [];
    /** @type {Map<string, number>} */
    this.widths = new Map();
    this.data = { nodes: new DataSet(), edges: new DataSet() };
    this.network = new Network(holder, this.data, {
      physics: false,
      layout: { improvedLayout: false },
      nodes: { shape: "custom", ctxRenderer: (/** @type {any} */ given) => this.#draw(given), chosen: false },
      edges: { smooth: false, chosen: false, hoverWidth: 0, selectionWidth: 0, arrowStrikethrough: false },
      interaction: { hover: true, selectConnectedEdges: false, zoomSpeed: 0.6, dragView: !handlers.quiet, zoomView: !handlers.quiet, dragNodes: !handlers.quiet },
    });
    this.#ink();
    this.recolour = () => (this.#ink(), this.#lay(), this.#dress(), this.network.redraw());
    document.addEventListener("lpmm-theme", this.recolour);
    this.network.on("beforeDrawing", (/** @type {any} */ ctx) => this.#halos(ctx));
    this.network.on("afterDrawing", (/** @type {any} */ ctx) => this.#words(ctx));
    this.network.on("click", (/** @type {any} */ { nodes }) => handlers.select?.(nodes[0] ?? null));
    this.network.on("doubleClick", (/** @type {any} */ { nodes }) => nodes[0] && handlers.expand?.(nodes[0]));
    this.network.on("hoverNode", (/** @type {any} */ { node }) => this.point(node));
    this.network.on("blurNode", () => this.point(null));
    this.network.on("zoom", () => (this.layout = null));
    this.network.on("dragging", (/** @type {any} */ { nodes }) => nodes.length && (this.layout = null));
    this.network.on("dragEnd", (/** @type {any} */ { nodes }) => {
      this.layout = null;
      const at = this.network.getPositions(nodes);
      for (const id of nodes) {
        this.nodes.set(id, { .../** @type {Node} */ (this.nodes.get(id)), ...at[id] });
        handlers.moved?.(id, at[id]);
      }
      this.#lay();
    });
    this.resized = new ResizeObserver(() => this.size && this.fit());
    this.resized.observe(holder);
  }

  close() {
    document.removeEventListener("lpmm-theme", this.recolour);
    this.resized.disconnect();
    this.timers.forEach(clearTimeout);
    this.network.destroy();
  }

  get size() {
    return this.nodes.size;
  }

  /** Show these nodes and edges, in place of what was shown. @param {Node[]} nodes @param {Edge[]} edges @param {{fit?: boolean}} [options] */
  show(nodes, edges, { fit = false } = {}) {
    this.#lay();
    this.nodes = new Map(nodes.map((node) => [node.id, node]));
    this.lines = this.#merge(edges);
    const gone = this.data.nodes.getIds().filter((/** @type {any} */ id) => !this.nodes.has(id));
    this.data.edges.clear();
    this.data.nodes.remove(gone);
    this.data.nodes.update(nodes.map((node) => ({ id: node.id, x: node.x, y: node.y, size: radiusOf(node) })));
    this.#dress();
    this.#lay();
    if (fit) this.fit();
  }

  /** Facts of one pair are one line. @param {Edge[]} edges */
  #merge(edges) {
    const lines = new Map();
    for (const edge of edges) {
      if (!this.nodes.has(edge.source) || !this.nodes.has(edge.target) || edge.source === edge.target) continue;
      const key = pair(edge.source, edge.target);
      const line = lines.get(key) ?? { from: edge.source, to: edge.target, words: [], both: false, closed: true, hand: false, synonym: true, plain: true, walked: false };
      line.both ||= line.from !== edge.source && edge.type === "fact";
      line.closed &&= edge.closed;
      line.hand ||= edge.hand;
      line.synonym &&= edge.type === "synonym";
      line.plain &&= edge.type !== "fact";
      line.walked ||= (edge.step ?? null) !== null;
      if (edge.predicate && !line.words.includes(edge.predicate)) line.words.push(edge.predicate);
      lines.set(key, line);
    }
    return lines;
  }

  /** Give every line its look. */
  #dress() {
    const many = this.lines.size > SYNONYMS;
    const edges = [];
    for (const [id, line] of this.lines) {
      const lit = this.#isLit(line);
      const near = this.selected === line.from || this.selected === line.to;
      const colour = line.hand ? "cinnabar" : line.closed && !lit ? "rule" : lit || near ? "ink-3" : "ink-1";
      const arrow = { enabled: true, scaleFactor: line.closed ? 0.5 : 0.4, type: line.closed ? "bar" : "arrow" };
      edges.push({
        id,
        from: line.from,
        to: line.to,
        hidden: line.synonym && many,
        dashes: line.synonym ? [2, 4] : false,
        width: lit ? 2 : 1,
        color: { color: this.colours[colour], highlight: this.colours[colour], hover: this.colours[colour], opacity: line.synonym ? 0.6 : 1 },
        arrows: line.plain ? "" : { to: arrow, from: { ...arrow, enabled: line.both } },
      });
    }
    this.data.edges.update(edges);
  }

  /** @param {{from: string, to: string, walked: boolean}} line */
  #isLit(line) {
    return line.walked && (this.lit.get(line.from) ?? 0) > 0 && (this.lit.get(line.to) ?? 0) > 0;
  }

  /** Light a path up step by step. @param {{id: string, lit: number}[][]} order @param {number} hop milliseconds a step, 0 for at once */
  light(order, hop) {
    this.timers.forEach(clearTimeout);
    this.lit.clear();
    const step = pace(order.length, hop);
    this.timers = order.map((wave, index) =>
      setTimeout(() => {
        for (const { id, lit } of wave) this.lit.set(id, lit);
        this.layout = null;
        this.#dress();
        this.network.redraw();
      }, index * step),
    );
  }

  /** Mark one node as chosen. @param {string | null} id */
  select(id) {
    this.selected = id;
    this.#dress();
    this.#lay();
    this.network.redraw();
  }

  /** Point at a node, as the mouse or the keyboard does. @param {string | null} id */
  point(id) {
    if (this.pointed === id) return;
    this.pointed = id;
    this.holder.classList.toggle("pointed", Boolean(id));
    this.#lay();
    this.network.redraw();
  }

  /** Bring a node into view. @param {string} id */
  reveal(id) {
    const node = this.nodes.get(id);
    if (!node) return;
    const { x, y } = this.network.canvasToDOM(node);
    const { clientWidth, clientHeight } = this.holder;
    const bottom = Math.min(clientHeight, this.handlers.covered?.() ?? clientHeight);
    if (x > 60 && x < clientWidth - 60 && y > 100 && y < bottom - 60) return;
    const down = (clientHeight / 2 - Math.max(120, bottom / 2)) / this.network.getScale();
    this.network.moveTo({ position: { x: node.x, y: node.y + down } });
  }

  /** The part of the frame that is free for nodes. */
  room() {
    const { clientWidth: width, clientHeight: height } = this.holder;
    const [side, top, bottom] = this.handlers.quiet ? [52, 40, 44] : [width < 640 ? 48 : 104, width < 640 ? 128 : 84, 84];
    return { width: Math.max(0, width - 2 * side), height: Math.max(0, height - top - bottom), shift: (bottom - top) / 2 };
  }

  /** Show everything, with room for the words and for what lies over the canvas. */
  fit() {
    const { width, height, shift } = this.room();
    if (!this.size || !width || !height) return;
    const all = [...this.nodes.values()];
    const [left, right] = [Math.min(...all.map(({ x }) => x)), Math.max(...all.map(({ x }) => x))];
    const [top, bottom] = [Math.min(...all.map(({ y }) => y)), Math.max(...all.map(({ y }) => y))];
    const scale = Math.min(1, width / Math.max(1, right - left), height / Math.max(1, bottom - top));
    this.network.moveTo({ position: { x: (left + right) / 2, y: (top + bottom) / 2 + shift / scale }, scale });
    this.layout = null;
  }

  /** Where a node is on the screen, relative to the canvas. @param {string} id */
  where(id) {
    const { x, y } = this.network.canvasToDOM(/** @type {Node} */ (this.nodes.get(id)));
    return { x: Math.round(x), y: Math.round(y) };
  }

  // --- drawing

  #ink() {
    this.colours = colours();
    this.text = token("--text");
    this.ui = token("--ui");
    this.widths.clear();
  }

  /** @param {any} given */
  #draw({ ctx, id, x, y }) {
    const node = this.nodes.get(id);
    const radius = node ? radiusOf(node) : 0;
    const ringed = id === this.selected || id === this.pointed;
    const how = { x, y, ringed, hair: 1 / this.network.getScale(), colours: this.colours, face: this.text };
    return { drawNode: () => node && mark(ctx, node, how), nodeDimensions: { width: 2 * radius, height: 2 * radius } };
  }

  /** @param {CanvasRenderingContext2D} ctx */
  #halos(ctx) {
    const at = this.network.getPositions([...this.lit.keys()].filter((id) => this.nodes.has(id)));
    for (const [id, lit] of this.lit) {
      const node = this.nodes.get(id);
      if (node && lit > 0) halo(ctx, node, at[id], lit, this.colours);
    }
  }

  #lay() {
    this.layout = null;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {string} text @param {string} font */
  #width(ctx, text, font) {
    const key = font + text;
    let width = this.widths.get(key);
    if (width === undefined) {
      ctx.font = font;
      width = ctx.measureText(text).width;
      this.widths.set(key, width);
    }
    return width;
  }

  /** What is in view, in the measure of the words; it is hard for a picture that does not move. @param {number} scale */
  #frame(scale) {
    const { x, y } = this.network.getViewPosition();
    const { clientWidth, clientHeight } = this.holder;
    return { left: x * scale - clientWidth / 2, right: x * scale + clientWidth / 2, top: y * scale - clientHeight / 2, bottom: y * scale + clientHeight / 2, hard: Boolean(this.handlers.quiet) };
  }

  /** The name in the middle of what was walked, which a sketch always writes. @returns {string | null} */
  #brightest() {
    const named = [...this.nodes.values()].filter(({ type }) => type === "entity");
    return named.sort((a, b) => (this.lit.get(b.id) ?? 0) - (this.lit.get(a.id) ?? 0) || b.size - a.size || (a.id < b.id ? -1 : 1))[0]?.id ?? null;
  }

  /** Find the place of every word at this zoom. @param {CanvasRenderingContext2D} ctx @param {number} scale */
  #arrange(ctx, scale) {
    const at = this.network.getPositions();
    const wishes = [];
    const brightest = this.handlers.quiet ? this.#brightest() : null;
    for (const node of this.nodes.values()) {
      if (!at[node.id]) continue; // drawn between two changes of what is shown
      const must = node.id === this.selected || node.id === this.pointed || node.id === brightest;
      if (node.type === "paragraph") {
        wishes.push({ id: node.id, text: "", x: at[node.id].x * scale, y: at[node.id].y * scale, radius: 5 * scale, font: this.#font(13), height: 0, weight: -1, must: false, badge: "" });
        continue;
      }
      const radius = radiusOf(node);
      const size = radius > 18 ? 15 : 13;
      wishes.push({
        id: node.id,
        text: must && !this.handlers.quiet ? node.name.slice(0, 60) : node.label,
        x: at[node.id].x * scale,
        y: at[node.id].y * scale,
        radius: radius * scale + 2,
        font: this.#font(size),
        height: size + 5,
        weight: (this.lit.get(node.id) ?? 0) * 100 + radius,
        must,
        badge: node.hidden > 0 && !this.handlers.quiet ? `+${node.hidden}` : "",
      });
    }
    ctx.save();
    const { placed, free, take } = placeLabels(wishes, (text, font) => this.#width(ctx, text, font === BADGE ? `12px ${this.ui}` : font), this.#frame(scale));
    const words = [];
    for (const line of this.lines.values()) {
      const shown = this.#isLit(line) || line.from === this.selected || line.to === this.selected;
      const [a, b] = [at[line.from], at[line.to]];
      if (!shown || !line.words.length || !a || !b) continue;
      const text = short(line.words[0]) + (line.words.length > 1 ? ` +${line.words.length - 1}` : "");
      const width = this.#width(ctx, text, `12px ${this.ui}`);
      const ends = [line.from, line.to].map((id) => radiusOf(/** @type {Node} */ (this.nodes.get(id))) * scale);
      const spot = alongLine({ x: a.x * scale, y: a.y * scale }, { x: b.x * scale, y: b.y * scale }, { width, ends }, free);
      if (!spot) continue;
      take(spot.box);
      words.push({ text, x: spot.box.x, y: spot.box.y, angle: spot.angle, hand: line.hand, lit: this.#isLit(line) });
    }
    ctx.restore();
    return { placed, words, scale };
  }

  /** @param {number} size */
  #font(size) {
    return `${size}px ${this.text}`;
  }

  /** @param {CanvasRenderingContext2D} ctx */
  #words(ctx) {
    const scale = this.network.getScale();
    if (!this.layout || this.layout.scale !== scale) this.layout = this.#arrange(ctx, scale);
    ctx.save();
    ctx.scale(1 / scale, 1 / scale);
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.lineJoin = "round";
    ctx.lineWidth = 4;
    for (const { text, x, y, angle, hand, lit } of this.layout.words) {
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(angle);
      ctx.font = `12px ${this.ui}`;
      ctx.strokeStyle = this.colours.paper;
      ctx.strokeText(text, 0, 0);
      ctx.fillStyle = hand ? this.colours.cinnabar : this.colours[lit ? "ink-3" : "ink-2"];
      ctx.fillText(text, 0, 0);
      ctx.restore();
    }
    for (const { id, text, font, x, y, badge } of this.layout.placed) {
      const node = this.nodes.get(id);
      if (!node) continue;
      ctx.font = badge ? `12px ${this.ui}` : font;
      ctx.strokeStyle = this.colours.paper;
      ctx.strokeText(text, x, y);
      const ink = id === this.selected || this.lit.get(id) ? 4 : Math.max(2, inkOf(node.strength));
      ctx.fillStyle = badge ? this.colours["ink-2"] : node.hand ? this.colours.cinnabar : this.colours[`ink-${ink}`];
      ctx.fillText(text, x, y);
    }
    ctx.restore();
    this.handlers.drawn?.();
  }
}
