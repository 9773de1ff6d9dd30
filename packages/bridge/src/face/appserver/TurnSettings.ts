/**
 * What a turn wants otherwise than its thread: each kind of agent is told in its own words, and keeps it for the turns after.
 */
import type { ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import * as Effect from "effect/Effect"
import type { AgentOptions } from "../../session/AgentOptions.ts"
import type { Session } from "../../session/Session.ts"
import type { Call } from "./Call.ts"
import { isCodex } from "./Kind.ts"
import { type Leave, leaveOf, sandboxOf } from "./Leave.ts"
import type { AppServerOptions } from "./Shared.ts"
import { wireIdOf } from "./ThreadIds.ts"

type Wish = Leave["agent"]
type Native = readonly [method: string, body: Readonly<Record<string, unknown>>]

/** The approval policies of Codex by the permission modes of its runtime. */
const policies: Readonly<Record<string, string>> = {
  untrusted: "untrusted",
  "read-only": "untrusted",
  "on-request": "on-request",
  "on-request-read-only": "on-request",
  never: "never",
  "full-access": "never"
}

/** How each kind of agent is told. Claude Code takes an effort while it runs as a setting of its process (docs/wire/claude-code.md §6f). */
const natives: Readonly<Record<AppServerOptions["runtime"], (wish: Wish) => ReadonlyArray<Native>>> = {
  claude: ({ effort, model, permissionMode }) => [
    ...(model === undefined ? [] : [["set_model", { model }] as const]),
    ...(effort === undefined ? [] : [["apply_flag_settings", { settings: { effortLevel: effort } }] as const]),
    ...(permissionMode === undefined ? [] : [["set_permission_mode", { mode: permissionMode }] as const])
  ],
  codex: ({ effort, model, permissionMode }) => {
    const settings = {
      ...(model !== undefined && { model }),
      ...(effort !== undefined && { effort }),
      ...(permissionMode !== undefined && {
        approvalPolicy: policies[permissionMode],
        sandboxPolicy: sandboxOf("codex", permissionMode)
      })
    }
    return Object.keys(settings).length === 0 ? [] : [["thread/settings/update", settings]]
  }
}

/** What of a wish is news. */
const newsIn = ({ effort, model, permissionMode }: Wish, before: AgentOptions): Wish => ({
  ...(model !== undefined && model !== before.model && { model }),
  ...(effort !== undefined && effort !== before.effort && { effort }),
  ...(permissionMode !== undefined && permissionMode !== before.permissionMode && { permissionMode })
})

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
    const { agent, cwd } = yield* leaveOf(params, options)
    if (cwd !== undefined && cwd !== session.cwd)
      warn(`The folder of a thread stays: this one is in ${session.cwd}. Begin a thread in ${cwd} to work there.`)
    // The modes and models of another agent are no choices for this one.
    if ((yield* isCodex(session, call)) !== (options.runtime === "codex")) return
    const changes = natives[options.runtime](newsIn(agent, { ...options.agent, ...(yield* session.options) }))
    if (changes.length === 0) return
    yield* session.start.pipe(
      Effect.andThen(Effect.forEach(changes, ([method, body]) => session.native.request(method, body))),
      Effect.catch(({ message }) => Effect.sync(() => warn(message)))
    )
  })
