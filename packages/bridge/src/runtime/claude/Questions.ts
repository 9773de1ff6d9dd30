/**
 * What Claude Code has asked, by the ids of its control requests: how each is to be answered on its wire.
 */
import * as Claude from "@agentwire/protocol/claude"
import type * as Model from "@agentwire/protocol/model"
import { callResponse, type JsonRpcId } from "./FrontendServer.ts"

type Question = Claude.ControlRequestMessage<"can_use_tool"> | Claude.ControlRequestMessage<"elicitation">

/** What Claude Code has asked and nobody answered. */
export interface Questions {
  readonly add: (message: Question) => void
  /** A call of a tool of the application, by the id of its JSON-RPC request. */
  readonly addCall: (requestId: string, rpcId: JsonRpcId) => void
  /** The line that answers a request; undefined when the request is gone. */
  readonly answer: (requestId: string, answer: Model.Answer) => Claude.ControlSuccessResponse | undefined
  /** Forgets a request, and returns what it was. */
  readonly withdraw: (requestId: string) => "question" | "call" | undefined
  /** The request of a call, by the id of its JSON-RPC request. */
  readonly callOf: (rpcId: JsonRpcId) => string | undefined
  readonly clear: () => void
}

/** An empty set of questions. */
export const makeQuestions = (): Questions => {
  const questions = new Map<string, Question>()
  const calls = new Map<string, JsonRpcId>()
  return {
    add: (message) => void questions.set(message.request_id, message),
    addCall: (requestId, rpcId) => void calls.set(requestId, rpcId),
    answer: (requestId, answer) => {
      const question = questions.get(requestId)
      if (question !== undefined) {
        questions.delete(requestId)
        return Claude.controlSuccess(requestId, Claude.answerResponse(question, answer))
      }
      const rpcId = calls.get(requestId)
      if (rpcId === undefined) return undefined
      calls.delete(requestId)
      return Claude.controlSuccess(requestId, { mcp_response: callResponse(rpcId, Claude.callToolResult(answer)) })
    },
    withdraw: (requestId) => (questions.delete(requestId) ? "question" : calls.delete(requestId) ? "call" : undefined),
    callOf: (rpcId) => [...calls].find(([, id]) => id === rpcId)?.[0],
    clear: () => {
      questions.clear()
      calls.clear()
    }
  }
}
