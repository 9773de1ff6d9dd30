/** The questions of the recorded sessions of Codex, and some that nobody has recorded. */
import { decodeValue, isQuestion, type QuestionMethod, type WireQuestion } from "../../../src/codex/index.ts"
import { heardIn, sessions } from "../Sessions.ts"

/** A question, from what a line would say. */
export const questionOf = (method: QuestionMethod, params: object, id = 7): WireQuestion => {
  const decoded = decodeValue({ id, method, params })
  if (decoded._tag !== "Known" || !isQuestion(decoded)) throw new Error(JSON.stringify(decoded))
  return decoded.message
}

/** Every question that was recorded. */
export const recordedQuestions: ReadonlyArray<WireQuestion> = sessions.flatMap(({ lines }) =>
  heardIn(lines).flatMap(({ decoded }) => (decoded._tag === "Known" && isQuestion(decoded) ? [decoded.message] : []))
)

const at = { threadId: "t", turnId: "u", itemId: "i", startedAtMs: 1 }

/** A command that wants to reach a host, with all that Codex may suggest. */
export const networkQuestion = questionOf("item/commandExecution/requestApproval", {
  ...at,
  command: "curl https://example.org",
  cwd: "/work",
  networkApprovalContext: { host: "example.org", protocol: "https" },
  proposedExecpolicyAmendment: ["curl"],
  proposedNetworkPolicyAmendments: [
    { host: "example.org", action: "deny" },
    { host: "example.org", action: "allow" }
  ]
})

/** The older questions, which the server declares and nobody has seen. */
export const legacyQuestions: ReadonlyArray<WireQuestion> = [
  questionOf("execCommandApproval", {
    conversationId: "t",
    callId: "c",
    approvalId: null,
    command: ["ls", "-l"],
    cwd: "/work",
    reason: null,
    parsedCmd: []
  }),
  questionOf("applyPatchApproval", {
    conversationId: "t",
    callId: "c",
    fileChanges: { "/work/a": { type: "add", content: "a" } },
    reason: null,
    grantRoot: null
  })
]

/** A page of an MCP server to visit. */
export const pageQuestion = questionOf("mcpServer/elicitation/request", {
  threadId: "t",
  turnId: null,
  serverName: "files",
  mode: "url",
  message: "Sign in.",
  url: "https://example.org/login",
  elicitationId: "e"
})
