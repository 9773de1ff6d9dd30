/**
 * What a thread has spent so far, as Codex has written it down. `codex exec` tells only the sum of all turns: a bridge that
 * has not heard the turns before would not know what a turn adds to it.
 */
import { Framer, isRecord, parseJson } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { attempt, bytesOf } from "../kept/KeptFile.ts"
import { findRollout, rolloutsFolder } from "./RolloutFolder.ts"

/** The newest `total_token_usage` of a thread; undefined where there is none, or no file that can be read. */
export const spentBefore = (thread: string, env: NodeJS.ProcessEnv): Effect.Effect<unknown> =>
  findRollout(rolloutsFolder(env), thread).pipe(
    Effect.flatMap(({ file }) => attempt(file, () => newestTotal(file))),
    // A turn without its usage is better than no turn.
    Effect.catch(() => Effect.undefined)
  )

const newestTotal = async (file: string): Promise<unknown> => {
  const framer = new Framer()
  let newest: unknown
  for await (const chunk of bytesOf(file))
    for (const line of framer.push(chunk)) {
      // Only few lines are about tokens, and others may be long.
      if (line._tag !== "Text" || !line.text.includes('"token_count"')) continue
      newest = totalIn(parseJson(line.text)) ?? newest
    }
  return newest
}

const totalIn = (line: unknown): unknown => {
  const payload = isRecord(line) && line["type"] === "event_msg" ? line["payload"] : undefined
  const info = isRecord(payload) && payload["type"] === "token_count" ? payload["info"] : undefined
  return isRecord(info) ? info["total_token_usage"] : undefined
}
