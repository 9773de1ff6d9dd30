/**
 * What extensions keep, and what is owed to them: JSON by owner and key. The port, and the one that forgets with the
 * bridge; `FolderDocuments.ts` is the one that does not.
 */
import * as Effect from "effect/Effect"
import type { ExtensionFailed } from "./ExtensionFailed.ts"

/** Something that is kept. */
export interface Document {
  readonly key: string
  readonly value: unknown
}

/** What is kept. Owners and keys have letters, digits, `.`, `_` and `-`, and do not begin with a dot. */
export interface Documents {
  /** All of an owner, in the order of the keys. */
  readonly list: (owner: string) => Effect.Effect<ReadonlyArray<Document>, ExtensionFailed>
  /** Undefined: there is none. */
  readonly get: (owner: string, key: string) => Effect.Effect<unknown, ExtensionFailed>
  readonly put: (owner: string, key: string, value: unknown) => Effect.Effect<void, ExtensionFailed>
  readonly remove: (owner: string, key: string) => Effect.Effect<void, ExtensionFailed>
}

/** Documents that end with the bridge. */
export const memoryDocuments = (): Documents => {
  const owners = new Map<string, Map<string, string>>()
  const of = (owner: string): Map<string, string> => {
    const found = owners.get(owner) ?? new Map<string, string>()
    owners.set(owner, found)
    return found
  }
  return {
    list: (owner) =>
      Effect.sync(() =>
        [...of(owner)]
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([key, json]) => ({ key, value: JSON.parse(json) as unknown }))
      ),
    get: (owner, key) =>
      Effect.sync(() => {
        const json = of(owner).get(key)
        return json === undefined ? undefined : (JSON.parse(json) as unknown)
      }),
    put: (owner, key, value) => Effect.sync(() => void of(owner).set(key, JSON.stringify(value))),
    remove: (owner, key) => Effect.sync(() => void of(owner).delete(key))
  }
}
