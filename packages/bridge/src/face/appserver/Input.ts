/**
 * What a client says to an agent, with the images that it names by their files: client and bridge are on one machine.
 */
import { readFile, stat } from "node:fs/promises"
import { extname, isAbsolute } from "node:path"
import * as AppServer from "@agentwire/protocol/appserver"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import * as Effect from "effect/Effect"
import { refuse } from "./Refusals.ts"

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp"
}

/** The largest image file that is read, in bytes: models take none that is larger. */
const maxImageBytes = 10_000_000

/** An image in a file. Nothing but images is read: what else a client wants known, it can say itself. */
const imageOf = (path: string): Effect.Effect<Model.Part, Refusal> =>
  Effect.gen(function* () {
    const mimeType = imageTypes[extname(path).toLowerCase()]
    if (mimeType === undefined || !isAbsolute(path))
      return yield* refuse(`A localImage is a file ${Object.keys(imageTypes).join(", ")} by its absolute path.`)
    return yield* Effect.tryPromise({
      try: async (): Promise<Model.Part> => {
        if ((await stat(path)).size > maxImageBytes) throw new Error("it is larger than 10 MB")
        return { type: "image", source: { type: "data", mimeType, value: (await readFile(path)).toString("base64") } }
      },
      catch: (cause) =>
        refuse(`The image ${path} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  })

/** What a client says, as content of the model. */
export const readInput = (input: unknown): Effect.Effect<Model.Content, Refusal> =>
  Effect.gen(function* () {
    const read = AppServer.readUserInput(input)
    if (read._tag === "Refused") return yield* refuse(`Invalid request: ${read.reason}`)
    const parts = yield* Effect.forEach(read.parts, (part) =>
      part.type === "localImage" ? imageOf(part.path) : Effect.succeed(part)
    )
    const [first] = parts
    return parts.length === 1 && first?.type === "text" ? first.text : parts
  })
