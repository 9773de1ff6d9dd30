/** How a runtime is, for somebody who comes once and only asks that. */
import { randomUUID } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type LinkClientOptions, meetRuntime } from "./LinkClient.ts"
import { LinkRefused } from "./LinkErrors.ts"
import { LinkStatus } from "./Values.ts"

/** How long a runtime may take to answer. */
const limit = "5 seconds"

const decode = Schema.decodeUnknownResult(LinkStatus)

/** How the runtime at an address is. */
export const askStatus = (
  options: Pick<LinkClientOptions, "address" | "program">
): Effect.Effect<LinkStatus, LinkRefused> =>
  Effect.gen(function* () {
    const { peer } = yield* meetRuntime({ ...options, serves: false }, randomUUID())
    const said = yield* peer.request("status", { args: {} })
    const read = decode(said)
    if (Result.isSuccess(read)) return read.success
    return yield* new LinkRefused({
      code: "LINK_VERSION",
      message: `How the runtime is cannot be read: ${read.failure.message}. It may be of another version.`
    })
  }).pipe(
    Effect.catchTag("RequestFailed", ({ message }) => new LinkRefused({ code: "LINK_VERSION", message })),
    Effect.scoped,
    Effect.timeoutOrElse({
      duration: limit,
      orElse: () => new LinkRefused({ code: "LINK_SILENT", message: "A runtime listens, and does not answer." })
    })
  )
