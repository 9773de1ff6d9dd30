/** What `agentwire status` does: asks the runtime how it is, and who is attached to it. */
import { askStatus, type LinkAddress, placeWords } from "@agentwire/bridge/link"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure } from "../Failure.ts"
import { version } from "../Version.ts"
import { statusText } from "./StatusText.ts"

/** Says how the runtime is: 0; 1 when none runs. */
export const showStatus = async (address: LinkAddress, isJson: boolean, console: Console): Promise<ExitCode> => {
  const asked = await Effect.runPromise(Effect.result(askStatus({ address, program: `agentwire ${version()}` })))
  const place = placeWords(address.place)
  if (Result.isSuccess(asked)) {
    await console.out(
      isJson
        ? JSON.stringify({ running: true, link: place, ...asked.success })
        : statusText(place, asked.success, Date.now())
    )
    return 0
  }
  const { code, message } = asked.failure
  if (code !== "LINK_FAILED") throw new Failure(message)
  await console.out(
    isJson
      ? JSON.stringify({ running: false, link: place })
      : `No runtime is at ${place}. Start one with \`agentwire runtime\`. \`agentwire serve\` is one process and has no link: its page and \`GET /health\` say how it is.`
  )
  return 1
}
