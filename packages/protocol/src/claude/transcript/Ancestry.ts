/**
 * Who is an ancestor of whom in a tree that grows: in logarithmic time, because each node knows its parent and one far
 * ancestor, as in a skew-binary list. Without that, a file of nothing but compactions would take the square of its
 * length.
 */

/** The ancestors of nodes, which are added parents first. */
export class Ancestry {
  readonly #parents: Int32Array
  readonly #depths: Int32Array
  readonly #jumps: Int32Array

  /** `parents`: for each node its parent, -1 for none; filled before the node is added. */
  constructor(parents: Int32Array) {
    this.#parents = parents
    this.#depths = new Int32Array(parents.length)
    this.#jumps = new Int32Array(parents.length)
  }

  /** Notes a node whose parent is known. */
  add(node: number): void {
    const parent = this.#parents[node] ?? -1
    const jump = this.#jump(parent)
    const far = this.#jump(jump)
    this.#depths[node] = this.#depth(parent) + 1
    this.#jumps[node] = this.#depth(parent) - this.#depth(jump) === this.#depth(jump) - this.#depth(far) ? far : parent
  }

  /** Whether a node is another one, or an ancestor of it. -1 is nobody's. */
  isAncestor(node: number, of: number): boolean {
    const depth = this.#depth(node)
    let here = of
    while (here !== -1 && this.#depth(here) > depth) {
      const jump = this.#jump(here)
      here = this.#depth(jump) >= depth ? jump : (this.#parents[here] ?? -1)
    }
    return node !== -1 && here === node
  }

  #depth(node: number): number {
    return node === -1 ? 0 : (this.#depths[node] ?? 0)
  }

  #jump(node: number): number {
    return node === -1 ? -1 : (this.#jumps[node] ?? -1)
  }
}
