/** What a person has allowed for the session, and nothing wider. */
import type { Model } from "@agentwire/protocol"
import { expect, it } from "vitest"
import { makeSessionRules } from "../../src/session/SessionRules.ts"

const request = (command: string, remember: ReadonlyArray<Model.Rule> = []): Model.PermissionRequest => ({
  id: "q",
  kind: "permission",
  message: "",
  call: "c",
  tool: "Bash",
  input: { command },
  remember,
  details: {}
})

const rules = () => makeSessionRules(({ input }) => ({ id: String(input["command"]), label: "this" }))

const yes = (...remember: ReadonlyArray<string>): Model.Answer => ({ type: "allow", remember })

it("offers the rule of a call where the agent has none, and keeps it when it is chosen", () => {
  const kept = rules()
  const asked = kept.offer(request("ls > a"))
  expect(asked).toMatchObject({ remember: [{ id: "ls > a", label: "this" }] })
  expect(kept.covers(asked)).toBe(false)
  kept.note(asked, yes("ls > a"))
  expect(kept.covers(request("ls > a"))).toBe(true)
  expect(kept.covers(request("ls > b"))).toBe(false)
})

it("leaves the agent's own rules as they are, and keeps the call when all of them are chosen", () => {
  const kept = rules()
  const own = request("cd a; touch b", [
    { id: "cd", label: "cd" },
    { id: "touch", label: "touch" }
  ])
  expect(kept.offer(own)).toBe(own)
  kept.note(own, yes("cd"))
  expect(kept.covers(own)).toBe(false)
  kept.note(own, yes("touch", "cd"))
  expect(kept.covers(own)).toBe(true)
})

it("keeps nothing of a yes for once, of a no, and of a call that the person has changed", () => {
  const kept = rules()
  const asked = kept.offer(request("ls"))
  const answers: ReadonlyArray<Model.Answer> = [
    { type: "allow" },
    { type: "deny", reason: "no" },
    { type: "allow", input: { command: "ls -a" }, remember: ["ls"] }
  ]
  for (const answer of answers) kept.note(asked, answer)
  expect(kept.covers(asked)).toBe(false)
})

it("offers nothing where nothing may be remembered, and for no other question", () => {
  const kept = makeSessionRules(() => undefined)
  const asked = request("ls")
  expect(kept.offer(asked)).toBe(asked)
  kept.note(asked, yes())
  expect(kept.covers(asked)).toBe(false)
  const plan: Model.Request = { ...request("plan"), kind: "plan" }
  expect(rules().offer(plan)).toBe(plan)
})
