/**
 * What each extension keeps, within its limits.
 */
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Documents } from "./Documents.ts"
import { type ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"
import type { ExtensionLimits } from "./ExtensionLimits.ts"
import type { WantedName } from "./ExtensionPort.ts"
import { Key } from "./Schemas.ts"

const isKey = Schema.is(Key)

/** The owner of what an extension keeps, among the documents. */
export const ownerOf = (extension: string): string => `extension-${extension}`

/** What extensions keep. */
export class KeptByExtension {
  readonly #documents: Documents

  constructor(documents: Documents) {
    this.#documents = documents
  }

  /** Does what an extension asks for. */
  do(
    extension: string,
    limits: Pick<ExtensionLimits, "maxDocuments" | "maxDocumentCharacters">,
    name: Exclude<WantedName, "prompt" | "interrupt">,
    asked: unknown
  ): Effect.Effect<unknown, ExtensionFailed> {
    const owner = ownerOf(extension)
    if (name === "list") return this.#documents.list(owner)
    const { key, value } = isRecord(asked) ? asked : {}
    if (!isKey(key))
      return Effect.fail(
        extensionFailed(
          "EXTENSION_BAD_REQUEST",
          "A key has at most 128 letters, digits, `.`, `_` and `-`, and does not begin with a dot."
        )
      )
    switch (name) {
      case "get":
        return this.#documents.get(owner, key)
      case "delete":
        return this.#documents.remove(owner, key)
      case "set":
        return Effect.andThen(this.#checkRoom(owner, key, value, limits), this.#documents.put(owner, key, value))
    }
  }

  #checkRoom(
    owner: string,
    key: string,
    value: unknown,
    { maxDocumentCharacters, maxDocuments }: Pick<ExtensionLimits, "maxDocuments" | "maxDocumentCharacters">
  ): Effect.Effect<void, ExtensionFailed> {
    return Effect.gen({ self: this }, function* () {
      const length = JSON.stringify(value).length
      if (length > maxDocumentCharacters)
        return yield* extensionFailed(
          "EXTENSION_BUSY",
          `What it keeps under one key may have ${maxDocumentCharacters} characters of JSON, not ${length}.`
        )
      const there = yield* this.#documents.list(owner)
      if (there.length >= maxDocuments && !there.some((each) => each.key === key))
        return yield* extensionFailed("EXTENSION_BUSY", `It keeps ${maxDocuments} things already.`)
    })
  }
}
