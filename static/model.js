// What the graph page knows: the nodes on the canvas, what was unfolded from where, what is filtered out. No drawing here.
//
// The server lays out in pixels, with room for the words. A node's "+12" is its number of neighbours less those shown, so it stays right
// while parts come and go.
import { kindClass } from "./typeset.js";

/** @typedef {import("./canvas.js").Node} Node @typedef {import("./canvas.js").Edge} Edge */

export class Model {
  constructor() {
    this.clear();
    /** @type {Set<string>} kinds that are filtered out */
    this.hiddenKinds = new Set();
  }

  clear() {
    /** @type {Map<string, Node>} */
    this.nodes = new Map();
    /** @type {Edge[]} */
    this.edges = [];
    /** @type {Map<string, number>} all neighbours of a node, shown or not */
    this.degrees = new Map();
    /** @type {Map<string, Set<string>>} what each unfolding added */
    this.added = new Map();
    this.total = 0;
    this.cap = 0;
    this.truncated = false;
  }

  /** Take what the server answered in place of what was there. @param {any} answer @param {string} [unfolded] the node it was asked around */
  take(answer, unfolded) {
    const before = new Set(this.nodes.keys());
    this.nodes = new Map(answer.nodes.map((/** @type {Node} */ node) => [node.id, node]));
    this.edges = answer.edges;
    this.total = answer.total;
    this.cap = answer.cap;
    this.truncated = answer.truncated;
    const near = this.#neighbours();
    for (const node of answer.nodes) this.degrees.set(node.id, node.hidden + (near.get(node.id)?.size ?? 0));
    if (unfolded) this.added.set(unfolded, new Set([...this.nodes.keys()].filter((id) => !before.has(id))));
  }

  /** Fold what was unfolded from a node, except what was unfolded further or is held. @param {string} id @param {string | null} held */
  fold(id, held) {
    for (const added of this.added.get(id) ?? []) {
      if (added === held) continue;
      if (this.added.has(added)) this.fold(added, held);
      this.nodes.delete(added);
    }
    this.added.delete(id);
    this.edges = this.edges.filter(({ source, target }) => this.nodes.has(source) && this.nodes.has(target));
  }

  /** Whether something can be folded here. @param {string} id */
  folds = (id) => (this.added.get(id)?.size ?? 0) > 0;

  /** Where nodes are, for the server to keep them there. */
  positions() {
    return Object.fromEntries([...this.nodes.values()].map(({ id, x, y }) => [id, [x, y]]));
  }

  /** Note where somebody dragged a node. @param {string} id @param {{x: number, y: number}} at */
  move(id, { x, y }) {
    const node = this.nodes.get(id);
    if (node) this.nodes.set(id, { ...node, x, y });
  }

  /** What is to be seen: the nodes whose kind is not filtered out, with their count of unseen neighbours. */
  visible() {
    const near = this.#neighbours();
    const nodes = [...this.nodes.values()]
      .filter(({ type, kind }) => type === "paragraph" || !this.hiddenKinds.has(kindClass(kind)))
      .map((node) => ({ ...node, hidden: Math.max(0, (this.degrees.get(node.id) ?? 0) - (near.get(node.id)?.size ?? 0)) }));
    const ids = new Set(nodes.map(({ id }) => id));
    return { nodes, edges: this.edges.filter(({ source, target }) => ids.has(source) && ids.has(target)) };
  }

  /** Neighbours among what is here. @returns {Map<string, Set<string>>} */
  #neighbours() {
    const near = new Map([...this.nodes.keys()].map((id) => [id, new Set()]));
    for (const { source, target, type } of this.edges) {
      if (type === "mention" || source === target) continue;
      near.get(source)?.add(target);
      near.get(target)?.add(source);
    }
    return near;
  }
}
