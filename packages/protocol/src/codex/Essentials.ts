/**
 * What each message of `codex app-server` cannot be read without: the keys that carry text, thoughts, calls, results,
 * questions and ends. How the paths are written is in `wire/Essentials.ts`.
 *
 * What codex says is tolerated; what a client says is an order, and an order with a broken part is not carried out.
 */
import type { EssentialPaths } from "../wire/Essentials.ts"
import { clientRequests } from "./generated/Methods.ts"
import type { Answered, MessageName } from "./Message.ts"

/** An item, whole, at a path. What it is of (a command, a patch, a tool) is essential, how it went is heeded. */
export const itemPaths = (at: string): EssentialPaths =>
  [
    "type",
    "id",
    // agentMessage, plan
    "text",
    "questions?",
    // userMessage, and the raw part of reasoning
    "content[].type",
    "content[].text",
    "content[].url?",
    "content[].path?",
    "content[].name?",
    "clientId?",
    "summary?",
    "fragments?",
    // commandExecution
    "command",
    "cwd?",
    "aggregatedOutput?",
    "exitCode?",
    "status?",
    // fileChange
    "changes[].path",
    "changes[].diff",
    "changes[].kind?",
    // mcpToolCall, dynamicToolCall, collabAgentToolCall
    "server",
    "tool",
    "arguments?",
    "result?",
    "error?",
    "contentItems?",
    "success?",
    "prompt?",
    "receiverThreadIds?",
    "agentsStates?",
    // functionCallOutput, webSearch, imageView, imageGeneration, sleep, review modes
    "output?",
    "query?",
    "results?",
    "path?",
    "revisedPrompt?",
    "savedPath?",
    "failure?",
    "durationMs?",
    "review?"
  ].map((key) => `${at}.${key}`)

/** An error at a path: in words, and as the code that tells a limit from a failure. */
const errorPaths = (at: string): EssentialPaths => [`${at}.message?`, `${at}.codexErrorInfo?`]

/** How a turn at a path went. One that is over is over, however little it says. */
const endPaths = (at: string): EssentialPaths => [`${at}.id`, `${at}.status?`, ...errorPaths(`${at}.error`)]

/** A turn of the past at a path: its items are all that there is of it. */
const turnPaths = (at: string): EssentialPaths => [...endPaths(at), ...itemPaths(`${at}.items[]`)]

const threadPaths = (at: string): EssentialPaths => [`${at}.id`, ...turnPaths(`${at}.turns[]`)]

/** Whose item it is. A turn that is not named is the one that runs. */
const ofItem: EssentialPaths = ["params.threadId", "params.turnId?", "params.itemId"]

const spoken: { readonly [Name in MessageName]?: EssentialPaths } = {
  "thread/started": ["params.thread.id"],
  "thread/status/changed": ["params.threadId", "params.status.type?"],
  // The turn that a sub-agent's turn is for: its thread is not announced otherwise (§3.17).
  "turn/started": ["params.threadId", "params.turn.id", "params.turn.rootTurnId?"],
  // Its items were said already (§2).
  "turn/completed": ["params.threadId", ...endPaths("params.turn")],
  "item/started": ["params.threadId", "params.turnId?", ...itemPaths("params.item")],
  "item/completed": ["params.threadId", "params.turnId?", ...itemPaths("params.item")],
  "item/agentMessage/delta": [...ofItem, "params.delta"],
  "item/plan/delta": [...ofItem, "params.delta"],
  "item/reasoning/textDelta": [...ofItem, "params.delta", "params.contentIndex?"],
  "item/reasoning/summaryTextDelta": [...ofItem, "params.delta", "params.summaryIndex?"],
  "item/reasoning/summaryPartAdded": [...ofItem, "params.summaryIndex?"],
  "item/commandExecution/outputDelta": [...ofItem, "params.delta"],
  "turn/plan/updated": ["params.threadId", "params.explanation?", "params.plan[].step", "params.plan[].status?"],
  error: ["params.threadId?", "params.turnId?", "params.willRetry?", ...errorPaths("params.error")],
  "serverRequest/resolved": ["params.requestId", "params.threadId?"],
  response: ["id"],
  "response/error": ["id", "error.code?", "error.message?"]
}

/** What is asked, and what a policy judges of it: none of it may be read as absent because it is odd. */
const asked: { readonly [Name in MessageName]?: EssentialPaths } = {
  "item/commandExecution/requestApproval": [
    "id",
    ...ofItem,
    "params.command",
    "params.cwd",
    "params.networkApprovalContext.**",
    "params.additionalPermissions.**",
    "params.reason?",
    "params.availableDecisions?",
    "params.proposedExecpolicyAmendment?",
    "params.proposedNetworkPolicyAmendments?"
  ],
  "item/fileChange/requestApproval": ["id", ...ofItem, "params.grantRoot", "params.reason?"],
  "item/permissions/requestApproval": ["id", ...ofItem, "params.permissions.**", "params.cwd", "params.reason?"],
  "item/tool/requestUserInput": [
    "id",
    ...ofItem,
    "params.questions[].id",
    "params.questions[].question",
    "params.questions[].options[].label",
    "params.questions[].options[].description?",
    "params.questions[].header?",
    "params.questions[].isOther?",
    "params.questions[].isSecret?"
  ],
  "item/tool/call": ["id", "params.threadId", "params.callId", "params.tool", "params.arguments"],
  "mcpServer/elicitation/request": [
    "id",
    "params.threadId",
    "params.serverName",
    "params.mode",
    "params.message",
    "params.requestedSchema",
    "params.url",
    // Whether it is a form of the server, or leave to use one of its tools (§3.24).
    "params._meta?"
  ],
  "account/chatgptAuthTokens/refresh": ["id"],
  "attestation/generate": ["id"],
  "currentTime/read": ["id"],
  applyPatchApproval: ["id", "params.conversationId", "params.callId", "params.fileChanges.**", "params.grantRoot"],
  execCommandApproval: ["id", "params.conversationId", "params.callId", "params.command.**", "params.cwd"]
}

/** The paths of every message that has any; a message that is not here can be read whatever it lacks. */
export const essentials: { readonly [Name in MessageName]?: EssentialPaths } = {
  ...spoken,
  ...asked,
  ...Object.fromEntries(Object.keys(clientRequests).map((method) => [method, ["**"]]))
}

/** What names a conversation or carries what was said in it. */
const results: { readonly [M in Answered]?: EssentialPaths } = {
  "thread/start": ["thread.id"],
  "thread/resume": threadPaths("thread"),
  "thread/fork": threadPaths("thread"),
  "thread/read": threadPaths("thread"),
  "thread/list": ["data[].id", "nextCursor?"],
  "thread/turns/list": [...turnPaths("data[]"), "nextCursor?"],
  "thread/items/list": [...itemPaths("data[].item"), "nextCursor?"],
  "turn/start": ["turn.id"],
  "turn/steer": ["turnId?"]
}

/** What a result cannot be read without, by the method it answers: all of it where the client answers. */
export const resultEssentials = (method: Answered): EssentialPaths =>
  Object.hasOwn(clientRequests, method) ? (results[method] ?? []) : ["**"]
