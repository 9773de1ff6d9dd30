/**
 * What a client gets of what it wants of a thread that is there: its agent has it from the next turn on.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { Call } from "./Call.ts"
import { isCodex } from "./Kind.ts"
import { appliedIn, type Leave, leaveOf } from "./Leave.ts"

const instructionsStay = "The instructions of a thread stay those that it was begun with."

/** What a client gets who resumes a thread, has a copy of one made, or changes its settings. */
export const leaveLater = (
  session: Session,
  params: ParamsOf<"thread/resume"> | ParamsOf<"thread/fork"> | ParamsOf<"thread/settings/update">,
  call: Call
): Effect.Effect<Leave, Refusal> =>
  Effect.gen(function* () {
    const { options, wishes } = call.client.shared
    const kept = yield* session.options
    // What makes no sense is refused, and changes nothing.
    const { agent, cwd, warnings } = yield* leaveOf(params, options)
    const runtime = (yield* isCodex(session, call)) ? "codex" : "claude"
    // The modes and models of one agent are no choices for another.
    if (runtime !== options.runtime)
      return { agent: effortOf(kept), cwd, ...appliedIn(runtime, kept.permissionMode), warnings: [], notKept: [] }
    const mode = kept.permissionMode ?? options.agent?.permissionMode
    const leave = yield* leaveOf(wishes.later(session.threadId, params), options, mode)
    return {
      ...leave,
      agent: { ...effortOf(kept), ...leave.agent },
      warnings: [...warnings, ...(agent.appendSystemPrompt === undefined ? [] : [instructionsStay])]
    }
  })

const effortOf = ({ effort }: Leave["agent"]): Pick<Leave["agent"], "effort"> =>
  effort === undefined ? {} : { effort }
