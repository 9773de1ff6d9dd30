/**
 * What a thread has of what clients choose, as they are told it, and its change without a turn: the menus of the TUI for
 * models and permissions.
 */
import * as Effect from "effect/Effect"
import type { Session } from "../../session/Session.ts"
import type { Call, Handlers } from "./Call.ts"
import { isCodex } from "./Kind.ts"
import { leaveLater } from "./LaterLeave.ts"
import { type Leave, leaveOf } from "./Leave.ts"
import { refusals, refuse } from "./Refusals.ts"
import type { NotificationParams } from "./Shared.ts"
import { wireIdOf } from "./ThreadIds.ts"
import { sessionOf } from "./Threads.ts"

/** The model that a session has. */
export const modelOf = (session: Session, { client }: Call): Effect.Effect<string | undefined> =>
  Effect.map(
    session.options,
    ({ model }) => model ?? session.log.situation().session?.model ?? client.shared.options.agent?.model
  )

/** Tells a client what was not done, after the answer. */
export const tellWarnings = (
  threadId: string,
  warnings: ReadonlyArray<string>,
  { afterwards, client }: Pick<Call, "afterwards" | "client">
): void => {
  for (const message of warnings) afterwards(client.notify("warning", { threadId, message }))
}

/** What a thread has, or will have from its next turn on. */
const settingsOf = (
  session: Session,
  { activePermissionProfile, agent, approvalPolicy, sandbox }: Leave,
  call: Call
): Effect.Effect<NotificationParams<"thread/settings/updated">> =>
  Effect.gen(function* () {
    const kept = yield* session.options
    const model = agent.model ?? (yield* modelOf(session, call)) ?? "default"
    const effort = agent.effort ?? kept.effort ?? null
    return {
      threadId: wireIdOf(session.threadId),
      threadSettings: {
        disabledPluginIds: [],
        cwd: session.cwd,
        approvalPolicy,
        approvalsReviewer: "user",
        sandboxPolicy: sandbox,
        activePermissionProfile,
        model,
        modelProvider: (yield* isCodex(session, call)) ? "codex" : "claude",
        serviceTier: null,
        effort,
        summary: null,
        collaborationMode: {
          mode: "default",
          settings: { model, reasoning_effort: effort, developer_instructions: null }
        },
        multiAgentMode: "explicitRequestOnly",
        personality: null
      }
    }
  })

/** Tells who follows a thread what it has now. */
export const tellSettings = (session: Session, leave: Leave, call: Call): Effect.Effect<void> =>
  Effect.flatMap(settingsOf(session, leave, call), (params) =>
    call.client.shared.tellFollowers(session.threadId, "thread/settings/updated", params)
  )

/** What is asked of the settings of a thread. */
export const threadSettingHandlers = {
  "thread/settings/update": (params, call) =>
    Effect.gen(function* () {
      const session = yield* sessionOf(call, params.threadId, refusals.notFound)
      // Whoever asks for nothing else has to know: the TUI would wait for it.
      const { notKept, warnings } = yield* leaveOf(params, call.client.shared.options)
      const isReviewed = typeof params.approvalsReviewer === "string" && params.approvalsReviewer !== "user"
      if (warnings.length > 0 || isReviewed)
        return yield* refuse([...warnings, ...(isReviewed ? notKept : [])].join(" "), "OPTION_REFUSED")
      const leave = yield* leaveLater(session, params, call)
      tellWarnings(params.threadId, leave.warnings, call)
      call.afterwards(tellSettings(session, leave, call))
      return {}
    })
} as const satisfies Handlers
