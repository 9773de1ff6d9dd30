import { Claude } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { expect, it } from "@effect/vitest"
import type { PolicyDecision } from "../../../src/policy/Policy.ts"
import { hookAnswer } from "../../../src/runtime/claude/PolicyHook.ts"

const decisions: ReadonlyArray<PolicyDecision> = [
  { _tag: "Allow" },
  { _tag: "Ask" },
  { _tag: "Ask", reason: "why" },
  { _tag: "Deny", message: "why" }
]

it.each(decisions)("$_tag is an answer that the CLI understands", (decision) => {
  const answer = hookAnswer(decision)
  expect(decodePayload(Claude.HookOutput, answer)._tag).toBe("Known")
  expect(JSON.stringify(answer).includes("why")).toBe(JSON.stringify(decision).includes("why"))
})
