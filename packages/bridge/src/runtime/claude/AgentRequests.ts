/**
 * Answers what Claude Code asks of its host, in control requests: permissions and forms, which people answer; calls of
 * the application's tools and hooks of the policy; and everything else, known or not, because the CLI waits for an
 * answer to every one of them.
 */

import type { Decoded, Known } from "@agentwire/protocol/claude"
import * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type { ConversationHost } from "../../session/Runtime.ts"
import { answerMcp } from "./FrontendServer.ts"
import type { HookDesk } from "./HookDesk.ts"
import { hookAnswer, isHookCall } from "./PolicyHook.ts"
import { makeQuestions, type Questions } from "./Questions.ts"

/** What answering takes. All of it is called under the session's lock. */
export interface AgentRequestsHost extends Pick<ConversationHost, "handleEvents" | "locked"> {
  readonly hooks: Pick<HookDesk, "answer" | "isGuarding">
  readonly send: (message: object) => Effect.Effect<void>
  readonly inBackground: (effect: Effect.Effect<void>) => Effect.Effect<void>
  /** Whether a tool, by the CLI's name, is the application's. */
  readonly isPageTool: (name: string) => boolean
  /** The application's tools, and the MCP server that has them. */
  readonly tools: () => { readonly server: string; readonly tools: ReadonlyArray<Model.PageTool> }
  /** Where the agent's shell is, as a hook says. */
  readonly moved: (cwd: string) => void
  readonly cwd: () => string
}

/** What Claude Code asks of its host. */
export interface AgentRequests {
  /** The questions that wait for somebody. */
  readonly questions: Questions
  /** Answers a control request, or has it asked. `events`: what the fold makes of it. */
  readonly answer: (known: Known, events: ReadonlyArray<Model.Event>, line: number) => Effect.Effect<void>
  /** Answers what could not be read, where it is a request. */
  readonly answerUnread: (decoded: Exclude<Decoded, Known>) => Effect.Effect<void>
  /** The CLI takes a request back. */
  readonly withdrawn: (id: string | undefined, events: ReadonlyArray<Model.Event>, line: number) => Effect.Effect<void>
}

/** Whether a message asks something. */
export const isRequest = ({ name }: Known): boolean => name.startsWith("control_request/")

/** Nothing asked yet. */
export const makeAgentRequests = (host: AgentRequestsHost): AgentRequests => {
  const questions = makeQuestions()
  const { handleEvents, send } = host

  /** The application runs its own tools: its page is where the person is. */
  const permission = (
    message: Claude.ControlRequestMessage<"can_use_tool">,
    events: ReadonlyArray<Model.Event>,
    line: number
  ): Effect.Effect<void> => {
    if (!host.isPageTool(message.request.tool_name)) {
      questions.add(message)
      return handleEvents(events, line)
    }
    const rest = events.filter(({ type }) => type !== "request_opened")
    const allow = { behavior: "allow", updatedInput: message.request.input }
    return Effect.andThen(handleEvents(rest, line), send(Claude.controlSuccess(message.request_id, allow)))
  }

  const mcp = (
    { request, request_id }: Claude.ControlRequestMessage<"mcp_message">,
    line: number
  ): Effect.Effect<void> => {
    const { server, tools } = host.tools()
    const reply = answerMcp(tools, server, request.message)
    if (reply._tag === "Reply") {
      const answer = send(Claude.controlSuccess(request_id, { mcp_response: reply.response }))
      // The CLI gives up on a call after a while of its own, `MCP_TOOL_TIMEOUT`, and says so in MCP's words (§8).
      const given = reply.cancels === undefined ? undefined : questions.callOf(reply.cancels)
      return given === undefined ? answer : Effect.andThen(answer, withdrawn(given, [], line))
    }
    questions.addCall(request_id, reply.id)
    const asked = {
      id: request_id,
      kind: "page_tool" as const,
      message: `The application is to run ${reply.name}.`,
      call: reply.toolUseId,
      tool: reply.name,
      input: reply.arguments
    }
    return handleEvents([{ type: "request_opened", lane: null, request: asked }], line)
  }

  /** Hooks that are being asked, by the request: the CLI takes requests back, too. */
  const asking = new Map<string, Deferred.Deferred<void>>()

  const hook = (
    message: Claude.ControlRequestMessage<"hook_callback">,
    events: ReadonlyArray<Model.Event>,
    line: number
  ): Effect.Effect<void> => {
    const { request, request_id: id } = message
    if (request.input.hook_event_name === "PreToolUse" && typeof request.input.cwd === "string")
      host.moved(request.input.cwd)
    const answering = host.hooks.answer(message, host.cwd())
    // A hook of somebody else.
    if (answering === undefined)
      return Effect.andThen(handleEvents(events, line), send(Claude.controlSuccess(message.request_id, {})))
    const withdrawal = Deferred.makeUnsafe<void>()
    asking.set(id, withdrawal)
    return host.inBackground(
      Effect.raceFirst(
        Effect.map(answering, (answer): object | undefined => answer),
        withdrawalOf(withdrawal)
      ).pipe(
        Effect.ensuring(Effect.sync(() => asking.delete(id))),
        Effect.flatMap((answer) =>
          answer === undefined ? Effect.void : host.locked(send(Claude.controlSuccess(id, answer)))
        )
      )
    )
  }

  /** The fold knows the questions; calls of the application's tools are known only here. */
  const withdrawn: AgentRequests["withdrawn"] = (id, events, line) => {
    const asked = id === undefined ? undefined : asking.get(id)
    if (asked !== undefined) Deferred.doneUnsafe(asked, Effect.void)
    return handleEvents(
      id !== undefined && questions.withdraw(id) === "call"
        ? [...events, { type: "request_closed", lane: null, id, by: "withdrawn" }]
        : events,
      line
    )
  }

  return {
    questions,
    withdrawn,
    answer: (known, events, line) => {
      switch (known.name) {
        case "control_request/can_use_tool":
          return permission(known.message, events, line)
        case "control_request/elicitation":
          questions.add(known.message)
          return handleEvents(events, line)
        case "control_request/mcp_message":
          return mcp(known.message, line)
        case "control_request/hook_callback":
          return hook(known.message, events, line)
        case "control_request/request_user_dialog":
          return send(Claude.controlSuccess(known.message.request_id, { behavior: "cancelled" }))
        default: {
          const id = Claude.requestIdIn(known.message)
          return id === undefined ? Effect.void : send(Claude.controlError(id, "This is not supported here."))
        }
      }
    },
    answerUnread: ({ raw }) => {
      const id = Claude.requestIdIn(raw)
      return id === undefined ? Effect.void : send(notUnderstood(id, host.hooks.isGuarding && isHookCall(raw)))
    }
  }
}

const withdrawalOf = (withdrawal: Deferred.Deferred<void>): Effect.Effect<undefined> =>
  Effect.as(Deferred.await(withdrawal), undefined)

/** The answer to a request that does not decode. An error to the hook that guards tools would let one run unjudged. */
const notUnderstood = (id: Claude.RequestId, isGuard: boolean): object =>
  isGuard
    ? Claude.controlSuccess(
        id,
        hookAnswer({ _tag: "Deny", message: "The call was not understood, so it is not allowed." })
      )
    : Claude.controlError(id, "This was not understood.")
