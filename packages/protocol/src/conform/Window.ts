/**
 * A map that forgets: what a checker remembers of things that are over. It is what bounds the memory of a checker on a
 * stream without end; a rule that looks back further than {@link windowSize} entries stays silent.
 *
 * Entries live in two generations. When the young one is full it becomes the old one and the old one is dropped: nothing
 * is ever deleted singly, which maps are slow at.
 */

/** How many closed messages, calls, owners and ids a checker remembers for certain, of each kind; at most twice as many. */
export const windowSize = 5_000

/** A map that forgets its oldest entries. */
export class Window<V> {
  private young = new Map<string, V>()
  private old = new Map<string, V>()
  private readonly limit: number

  constructor(limit = windowSize) {
    this.limit = limit
  }

  get(key: string): V | undefined {
    const value = this.young.get(key)
    // Undefined is a value too: the owner of what the agent itself made.
    return value !== undefined || this.young.has(key) ? value : this.old.get(key)
  }

  has(key: string): boolean {
    return this.young.has(key) || this.old.has(key)
  }

  set(key: string, value: V): void {
    this.young.set(key, value)
    if (this.young.size < this.limit) return
    this.old = this.young
    this.young = new Map()
  }

  clear(): void {
    this.young.clear()
    this.old.clear()
  }
}
