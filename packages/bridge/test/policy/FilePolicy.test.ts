import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadPolicy, makePolicy } from "../../src/policy/FilePolicy.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"
import { emptyFolder } from "../Folder.ts"

const saved = (text: string) =>
  Effect.map(emptyFolder, (folder) => {
    const file = join(folder, "policy.json")
    writeFileSync(file, text)
    return file
  })

const policy = JSON.stringify({
  version: 1,
  deny: [{ tool: "Evil", reason: "Because." }],
  allow: [{ tool: "Good" }],
  modes: { planner: {} }
})

describe("loadPolicy", () => {
  it.effect("gives a policy that decides", () =>
    Effect.gen(function* () {
      const decide = makePolicy(yield* loadPolicy(yield* saved(policy), claudeToolInputs, "planner"))
      const said = (toolName: string) => decide({ toolName, input: {}, cwd: "/", mode: "planner" })
      assert.deepStrictEqual(yield* said("Good"), { _tag: "Allow" })
      assert.deepStrictEqual(yield* said("Evil"), {
        _tag: "Deny",
        message: "The policy denies `Evil`: $.deny[0] fits. Because."
      })
      assert.deepStrictEqual(yield* said("Other"), {
        _tag: "Ask",
        reason: "The policy asks about `Other`: no rule allows it."
      })
    })
  )

  it.effect.each([
    ["POLICY_NOT_JSON", "{", undefined],
    ["POLICY_INVALID", '{"version":1,"denny":[]}', undefined],
    ["POLICY_NO_MODE", policy, "planer"],
    ["POLICY_NO_MODE", policy, "constructor"]
  ] as const)("fails with %s", ([code, text, mode]) =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(loadPolicy(yield* saved(text), claudeToolInputs, mode))
      assert.strictEqual(failure.code, code)
    })
  )

  it.effect("fails when there is no file", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(loadPolicy(join(yield* emptyFolder, "none.json"), claudeToolInputs))
      assert.strictEqual(failure.code, "POLICY_UNREADABLE")
    })
  )
})
