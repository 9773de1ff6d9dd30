import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { askAlways, denyAlways } from "../../src/policy/Policy.ts"

const use = { toolName: "Bash", input: {}, cwd: "/work", mode: undefined }

it.effect("askAlways leaves it to others", () =>
  Effect.gen(function* () {
    assert.deepStrictEqual(yield* askAlways(use), { _tag: "Ask" })
  })
)

it.effect("denyAlways says which tool did not run", () =>
  Effect.gen(function* () {
    const decision = yield* denyAlways(use)
    assert.strictEqual(decision._tag, "Deny")
    assert.include(decision._tag === "Deny" ? decision.message : "", "Bash")
  })
)
