import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { askAlways, denyAlways } from "../src/Policy.ts"

const request = { subtype: "can_use_tool", tool_name: "Bash", tool_use_id: "toolu_1", input: {} } as const

it.effect("askAlways leaves it to others", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* askAlways(request), { _tag: "Ask" })
  })
)

it.effect("denyAlways says which tool did not run", () =>
  Effect.gen(function* () {
    const decision = yield* denyAlways(request)
    assert.strictEqual(decision._tag, "Deny")
    assert.include(decision._tag === "Deny" ? decision.message : "", "Bash")
  })
)
