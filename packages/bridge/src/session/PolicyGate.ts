/**
 * Asks the policy about tool calls, and tells the agent what it said.
 *
 * A call comes here twice at most: from the hook, before the CLI thinks of it, and when the CLI asks for leave. A
 * policy may take its time; the agent goes on speaking meanwhile. One that breaks has refused.
 */
import type { Claude, Translate } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import { isRecord } from "../face/agui/RunRequest.ts"
import type { Policy, PolicyDecision, ToolUse } from "../policy/Policy.ts"
import { hookAnswer } from "../runtime/claude/PolicyHook.ts"
import { successOf } from "./Pending.ts"

/** What a gatekeeper needs of its session. */
export interface GatekeeperHost {
  readonly policy: Policy
  readonly cwd: string
  readonly mode: string | undefined
  /** Whether a tool is one of the application's. */
  readonly isFrontendTool: (name: string) => boolean
  /** Sends a line to the agent. */
  readonly send: (message: object) => Effect.Effect<void>
  /** Does something beside everything else. */
  readonly aside: (effect: Effect.Effect<void>) => Effect.Effect<void>
  readonly locked: (effect: Effect.Effect<void>) => Effect.Effect<void>
}

/** Decides about tool calls. Called in order with everything else that happens to the session. */
export interface Gatekeeper {
  /** About a call the agent is about to make, whether it would ask about it or not. */
  readonly judge: (message: Claude.ControlRequestMessage<"hook_callback">) => Effect.Effect<void>
  /** About a call the agent asks leave for. `ask` asks a person. */
  readonly permit: (question: Translate.PermissionQuestion, ask: Effect.Effect<void>) => Effect.Effect<void>
}

/** Nothing but an answer answers a question, so no policy can. */
const isForPeople = (toolName: string): boolean => toolName === "AskUserQuestion"

/** A gatekeeper. */
export const makeGatekeeper = (host: GatekeeperHost): Gatekeeper => {
  const { aside, isFrontendTool, locked, send } = host
  /** Where the agent's shell is: it goes elsewhere with `cd`, and only hooks tell. */
  let cwd = host.cwd

  const decide = (
    toolName: string,
    input: unknown,
    then: (decision: PolicyDecision) => Effect.Effect<void>
  ): Effect.Effect<void> => {
    const use: ToolUse = { toolName, input: isRecord(input) ? input : {}, cwd, mode: host.mode }
    return aside(
      host.policy(use).pipe(
        Effect.catchCause((cause) =>
          Effect.as(Effect.logError("The policy broke.", cause), {
            _tag: "Deny" as const,
            message: "The policy of this bridge broke, so nothing is allowed."
          })
        ),
        Effect.flatMap((decision) => locked(then(decision)))
      )
    )
  }

  return {
    judge: ({ request: { input }, request_id }) => {
      const neutral = send(successOf(request_id, {}))
      if (input.hook_event_name !== "PreToolUse") return neutral
      const { tool_input, tool_name } = input
      cwd = input.cwd
      return isFrontendTool(tool_name) || isForPeople(tool_name)
        ? neutral
        : decide(tool_name, tool_input, (decision) => send(successOf(request_id, hookAnswer(decision))))
    },
    permit: ({ request, request_id }, ask) => {
      const allow = send(successOf(request_id, { behavior: "allow", updatedInput: request.input }))
      if (isForPeople(request.tool_name)) return ask
      // The application runs its own tools: its page is where the person is.
      if (isFrontendTool(request.tool_name)) return allow
      return decide(request.tool_name, request.input, (decision) => {
        switch (decision._tag) {
          case "Allow":
            return allow
          case "Ask":
            return ask
          case "Deny":
            return send(successOf(request_id, { behavior: "deny", message: decision.message }))
        }
      })
    }
  }
}
