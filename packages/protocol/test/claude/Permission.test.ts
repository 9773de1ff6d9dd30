import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { PermissionMode, PermissionResult, PermissionUpdate } from "../../src/claude/Permission.ts"

const decode = <A>(schema: Schema.Codec<A>, value: unknown) => Schema.decodeUnknownResult(schema)(value)
const message = (result: Result.Result<unknown, { readonly message: string }>) =>
  Result.isFailure(result) ? result.failure.message : "no failure"

describe("PermissionMode", () => {
  it("lists the modes of all versions, the one that is gone included", () => {
    expect(PermissionMode.literals).toEqual([
      "default",
      "acceptEdits",
      "bypassPermissions",
      "plan",
      "dontAsk",
      "auto",
      "delegate"
    ])
  })

  it("takes a mode that came later", () => {
    expect(Result.isSuccess(decode(PermissionMode, "yolo"))).toBe(true)
  })
})

describe("PermissionResult", () => {
  it("allows without updatedInput: 2.1.325 does", () => {
    expect(decode(PermissionResult, { behavior: "allow" })).toEqual(Result.succeed({ behavior: "allow" }))
  })

  it("refuses a deny without a message, and says where", () => {
    expect(message(decode(PermissionResult, { behavior: "deny" }))).toContain('at ["message"]')
  })

  it("refuses an answer without a behavior", () => {
    expect(Result.isFailure(decode(PermissionResult, { message: "no" }))).toBe(true)
  })

  it("keeps a behavior that came later, with all it says", () => {
    const later = { behavior: "ask_again", after: 5 }
    expect(decode(PermissionResult, later)).toEqual(Result.succeed(later))
  })

  it("keeps keys nobody named", () => {
    const answer = { behavior: "allow", updatedInput: { command: "ls" }, note: { a: 1 } }
    expect(decode(PermissionResult, answer)).toEqual(Result.succeed(answer))
  })
})

describe("PermissionUpdate", () => {
  it("has the six kinds of change", () => {
    expect(PermissionUpdate.members.map((member) => member.fields.type.literal)).toEqual([
      "addRules",
      "replaceRules",
      "removeRules",
      "setMode",
      "addDirectories",
      "removeDirectories"
    ])
  })

  it("takes what 2.1.325 suggests for a Bash call", () => {
    const suggestion = {
      type: "addRules",
      rules: [{ toolName: "Bash", ruleContent: "touch *" }],
      behavior: "allow",
      destination: "localSettings"
    }
    expect(decode(PermissionUpdate, suggestion)).toEqual(Result.succeed(suggestion))
  })

  it("says where a known change is malformed", () => {
    const update = { type: "addRules", rules: [{ ruleContent: "x" }], behavior: "allow", destination: "session" }
    expect(message(decode(PermissionUpdate, update))).toContain('at ["rules"][0]["toolName"]')
  })
})
