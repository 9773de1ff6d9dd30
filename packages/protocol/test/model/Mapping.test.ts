import { expect, test } from "vitest"
import { mappingOf as claudeMapping } from "../../src/claude/fold/Notice.ts"
import { mappingOf as codexMapping } from "../../src/codex/fold/Notice.ts"
import { mapping } from "../../src/model/Mapping.ts"

test("what is not said of a mapping is nothing", () => {
  expect(mapping({ note: "the turn begins" })).toEqual({
    events: [],
    items: [],
    requests: [],
    closings: [],
    noticed: [],
    note: "the turn begins"
  })
})

test("both runtimes say in it what becomes of the message that begins a turn or a session", () => {
  expect(claudeMapping("system/init").events).toContain("session_changed")
  expect(codexMapping("turn/started")).toEqual(mapping({ note: "the turn begins" }))
})
