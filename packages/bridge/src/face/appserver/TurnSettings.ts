/**
 * What a turn wants otherwise than its thread: its agent is told, and keeps it for the turns after.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import { newSettings, settingsIn } from "../../session/Settings.ts"
import type { Call } from "./Call.ts"
import { isCodex } from "./Kind.ts"
import { leaveOf } from "./Leave.ts"
import { wireIdOf } from "./ThreadIds.ts"
import { tellSettings } from "./ThreadSettings.ts"

/** Changes what a turn wants otherwise than its thread, for it and those after it. What cannot be is said in a warning. */
export const changeSettings = (
  session: Session,
  params: ParamsOf<"turn/start">,
  call: Call
): Effect.Effect<void, Refusal> =>
  Effect.gen(function* () {
    const { afterwards, client } = call
    const { options } = client.shared
    const warn = (message: string): void =>
      afterwards(client.notify("warning", { threadId: wireIdOf(session.threadId), message }))
    const now = { ...options.agent, ...(yield* session.options) }
    const { before, wish } = client.shared.wishes.forTurn(session.threadId, params)
    const leave = yield* leaveOf({ ...wish, cwd: params.cwd }, options, now.permissionMode)
    const { agent, cwd } = leave
    // Clients say the same with every turn: people are told once.
    const known = yield* leaveOf(before, options)
    for (const message of leave.warnings) if (!known.warnings.includes(message)) warn(message)
    if (cwd !== undefined && cwd !== session.cwd)
      warn(`The folder of a thread stays: this one is in ${session.cwd}. Begin a thread in ${cwd} to work there.`)
    // The modes and models of another agent are no choices for this one.
    if ((yield* isCodex(session, call)) !== (options.runtime === "codex")) return
    const settings = newSettings(agent, now)
    if (settingsIn(settings).length === 0) return
    yield* session.start.pipe(
      Effect.andThen(session.set(settings)),
      Effect.andThen(tellSettings(session, leave, call)),
      // It has what it had, and is not asked for the same again.
      Effect.catch(({ message }) =>
        Effect.gen(function* () {
          warn(message)
          client.shared.wishes.begin(session.threadId, before)
          afterwards(tellSettings(session, yield* leaveOf({}, options, now.permissionMode), call))
        })
      )
    )
  })
