/**
 * The file that says which extensions a bridge has: `{"extensions": [{"module": "./webhook.mjs", "config": {…}}]}`. Modules
 * are found from the folder of the file.
 */
import { readFileSync, statSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { decodePayload } from "@agentwire/protocol/codec"
import { parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { ExtensionChoice } from "./ExtensionHost.ts"
import { ChosenLimits } from "./ExtensionLimits.ts"

/** What the file has. */
export const ExtensionFile = Schema.Struct({
  extensions: Schema.Array(
    Schema.Struct({
      module: Schema.String.check(Schema.isMinLength(1)).annotate({
        description: "The module of the extension: a JavaScript file, from the folder of this file."
      }),
      config: Schema.optionalKey(Schema.Unknown.annotate({ description: "What the extension is given as `config`." })),
      limits: Schema.optionalKey(ChosenLimits)
    })
  )
}).annotate({ identifier: "ExtensionFile", description: "The extensions of a bridge." })

type ExtensionFile = typeof ExtensionFile.Type

/** The file cannot be used. */
export class ExtensionFileInvalid extends Schema.TaggedError<ExtensionFileInvalid>()("ExtensionFileInvalid", {
  /** Stable: `EXTENSIONS_UNREADABLE`, `EXTENSIONS_INVALID`, `EXTENSION_MODULE_MISSING`. */
  code: Schema.Literals(["EXTENSIONS_UNREADABLE", "EXTENSIONS_INVALID", "EXTENSION_MODULE_MISSING"]),
  message: Schema.String
}) {}

const invalid = (code: ExtensionFileInvalid["code"], message: string) => new ExtensionFileInvalid({ code, message })

/** The extensions that a file names. */
export const loadExtensionFile = (path: string): Effect.Effect<ReadonlyArray<ExtensionChoice>, ExtensionFileInvalid> =>
  Effect.gen(function* () {
    const text = yield* Effect.try({
      try: () => readFileSync(path, "utf8"),
      catch: (error) =>
        invalid(
          "EXTENSIONS_UNREADABLE",
          `The extensions in ${path} cannot be read (${(error as NodeJS.ErrnoException).code ?? "it broke"}).`
        )
    })
    const given = parseJson(text)
    if (given === undefined) return yield* invalid("EXTENSIONS_INVALID", `${path} is not JSON.`)
    const shape = decodePayload(ExtensionFile as Schema.Codec<ExtensionFile>, given)
    if (shape._tag === "Invalid")
      return yield* invalid("EXTENSIONS_INVALID", `${path} does not fit at ${shape.error.path}.`)
    const exact = Schema.decodeUnknownResult(ExtensionFile, { onExcessProperty: "error" })(given)
    if (Result.isFailure(exact))
      return yield* invalid("EXTENSIONS_INVALID", `${path} has something that nobody reads: ${exact.failure.message}`)
    const chosen: Array<ExtensionChoice> = []
    for (const [index, { config, limits, module }] of exact.success.extensions.entries()) {
      const file = resolve(dirname(resolve(path)), module)
      if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true)
        return yield* invalid(
          "EXTENSION_MODULE_MISSING",
          `${path}: there is no file ${file}, at $.extensions[${index}].module.`
        )
      chosen.push({ module: file, ...(config !== undefined && { config }), ...(limits !== undefined && { limits }) })
    }
    return chosen
  })
