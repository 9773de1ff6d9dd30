/**
 * The keys of an object that the recorded one does not have: one of them may be a recorded key with another id in it.
 * They are looked up by what is left of them without their ids, so that a thousand keys are not tried against a thousand.
 */
import { anonymous } from "./IdText.ts"

/** How many keys that look alike are tried. Where ids are learned in order, the first fits. */
const maxTries = 32

/** Keys, each taken at most once. */
export class OtherKeys {
  /** In their order. */
  readonly #left: Set<string>
  /** By what they look like, the first one last, where taking it costs nothing. Made when it is first needed. */
  #alike: Map<string, Array<string>> | undefined

  constructor(keys: ReadonlyArray<string>) {
    this.#left = new Set(keys)
  }

  /** Takes the key itself, or else the first that looks like it and fits; undefined when there is none. */
  take(key: string, fits: (candidate: string) => boolean): string | undefined {
    if (this.#left.size === 0) return undefined
    if (this.#left.has(key) && fits(key)) return this.#taken(key)
    this.#alike ??= this.#byLooks()
    const alike = this.#alike.get(anonymous(key)) ?? []
    for (let at = alike.length - 1, tries = 0; at >= 0 && tries < maxTries; at--) {
      const candidate = alike[at] ?? ""
      if (!this.#left.has(candidate)) alike.splice(at, 1)
      else if (fits(candidate)) {
        alike.splice(at, 1)
        return this.#taken(candidate)
      } else tries++
    }
    return undefined
  }

  /** Those that nobody took. */
  left(): Iterable<string> {
    return this.#left
  }

  #taken(key: string): string {
    this.#left.delete(key)
    return key
  }

  #byLooks(): Map<string, Array<string>> {
    const alike = new Map<string, Array<string>>()
    for (const key of [...this.#left].reverse()) {
      const looks = anonymous(key)
      const known = alike.get(looks)
      if (known === undefined) alike.set(looks, [key])
      else known.push(key)
    }
    return alike
  }
}
