/** Each rule by a conversation that keeps it and one that breaks it: the same one, changed in one place. */
import { describe, expect, it } from "vitest"
import { type AppServerRuleId, appServerRules, makeAppServerChecker } from "../../src/appserverconform/index.ts"
import type { Line } from "../codex/Sessions.ts"
import { after, before, conversation, double, drop, type Edit, grant, put } from "./Conversation.ts"

const broken = (lines: ReadonlyArray<Line>): ReadonlyArray<string> => {
  const checker = makeAppServerChecker()
  const findings = [...lines.flatMap(({ from, text }) => checker.hear(from, text)), ...checker.end({ isWhole: true })]
  return [...new Set(findings.map(({ rule }) => rule))]
}

const aMessage = '"type":"agentMessage"'
const aCommand = '"type":"commandExecution"'

/** Of each rule: the conversation that keeps it, and what breaks it; a name where Codex itself breaks it. */
const cases: Readonly<Record<AppServerRuleId, readonly [kept: string, breaks: Edit | string]>> = {
  "APP-WIRE-001": ["two_turns", after(["turn/started"], "Starting up …")],
  "APP-WIRE-002": ["two_turns", put(["turn/started"], "jsonrpc", "2.0")],
  "APP-WIRE-003": ["two_turns", put(["turn/started"], "emittedAtMs", undefined)],
  "APP-SCHEMA-001": ["two_turns", put(["turn/started"], "method", "turn/begun")],
  "APP-SCHEMA-002": ["two_turns", put(["turn/completed"], "params.turn.durationMs", "long")],
  "APP-SCHEMA-003": ["two_turns", put([2], "result.thread.createdAt", "today")],
  "APP-SCHEMA-004": ["two_turns", put(["turn/started"], "params.turn.mood", "good")],
  "APP-ANSWER-001": ["two_turns", drop([2])],
  "APP-ANSWER-002": ["two_turns", double([2])],
  "APP-ANSWER-003": ["bad_requests", grant(1, { data: [], nextCursor: null, backwardsCursor: null })],
  "APP-ANSWER-004": ["bad_requests", grant(4)],
  "APP-ANSWER-005": ["experimental_refused", grant(2)],
  "APP-ANSWER-006": ["bad_requests", grant(3)],
  "APP-ANSWER-007": [
    "opt_out",
    after(
      ["turn/started"],
      '{"method":"remoteControl/status/changed","params":{"status":"disabled","serverName":"host","installationId":"1","environmentId":null},"emittedAtMs":1}'
    )
  ],
  "APP-ANSWER-008": ["interrupt_text", "interrupt_wrong"],
  "APP-QUESTION-001": ["command_accept", double(["item/commandExecution/requestApproval"])],
  "APP-QUESTION-002": ["command_accept", double(["serverRequest/resolved"])],
  "APP-QUESTION-003": ["command_accept", "interrupt_question"],
  "APP-QUESTION-004": ["command_accept", before(["item/commandExecution/requestApproval"], ["item/started", aCommand])],
  "APP-QUESTION-005": ["patch_accept", put(["item/started", '"type":"fileChange"'], "params.item.changes", [])],
  "APP-QUESTION-006": ["command_accept", drop(["serverRequest/resolved"])],
  "APP-TURN-001": ["two_turns", before(["thread/started"], [2])],
  "APP-TURN-002": ["two_turns", double(["turn/started"])],
  "APP-TURN-003": ["two_turns", double(["turn/completed"])],
  "APP-TURN-004": ["two_turns", drop(["turn/completed"])],
  "APP-TURN-005": ["two_turns", before(["item/started"], ["turn/started"])],
  "APP-TURN-006": ["command_accept", "background_command"],
  "APP-TURN-007": ["two_turns", drop(["thread/status/changed", '"idle"'])],
  "APP-TURN-008": ["fails_400", put(["turn/completed"], "params.turn.error", null)],
  "APP-TURN-009": ["two_turns", before(["turn/started"], [3])],
  "APP-ITEM-001": ["two_turns", double(["item/started", aMessage])],
  "APP-ITEM-002": ["two_turns", drop(["item/started", aMessage])],
  "APP-ITEM-003": ["two_turns", double(["item/completed", aMessage])],
  "APP-ITEM-004": ["two_turns", before(["item/agentMessage/delta"], ["item/started", aMessage])],
  "APP-ITEM-005": ["two_turns", "interrupt_text"],
  "APP-ITEM-006": ["two_turns", put(["item/agentMessage/delta"], "params.delta", "Else.")],
  "APP-ITEM-007": ["command_accept", put(["item/completed", aCommand], "params.item.status", "inProgress")]
}

describe("a server of the app-server protocol", () => {
  it.each(Object.entries(cases))("%s", (rule, [kept, breaks]) => {
    expect(broken(conversation(kept))).not.toContain(rule)
    const wrong = typeof breaks === "string" ? conversation(breaks) : breaks(conversation(kept))
    expect(broken(wrong)).toContain(rule)
  })

  it("has a case for every rule", () => {
    expect(Object.keys(cases)).toEqual(Object.keys(appServerRules))
  })
})
