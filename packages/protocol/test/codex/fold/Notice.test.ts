import { describe, expect, it } from "vitest"
import { foldMessage, initialFold, mappingOf, messages, noticeName } from "../../../src/codex/index.ts"
import type { MessageName } from "../../../src/codex/Message.ts"
import { heardIn, sessions } from "../Sessions.ts"
import { fold, note } from "./Lines.ts"

describe("the mapping", () => {
  it("accounts for every event of every recorded session", () => {
    const found = new Set<string>()
    for (const { lines, name } of sessions) {
      let state = initialFold()
      for (const heard of heardIn(lines)) {
        const [next, events] = foldMessage(state, heard)
        state = next
        const { decoded } = heard
        const mapping = decoded._tag === "Known" ? mappingOf(decoded.name) : undefined
        const allowed = new Set<string>(mapping?.events ?? ["unknown"])
        const closes = events.some(({ type }) => type === "turn_ended" || type === "lane_closed")
        for (const event of events) {
          const isEnd = closes && /^(?:item_|call_answered|request_closed)/.test(event.type)
          const isNamed = event.type !== "noticed" || mapping?.noticed.includes(event.name) === true
          if (/^(?:turn|lane)_/.test(event.type) || isEnd || (allowed.has(event.type) && isNamed)) continue
          const what = event.type === "noticed" ? event.name : event.type
          found.add(`${decoded._tag === "Known" ? decoded.name : decoded._tag} gives ${what} (${name})`)
        }
      }
    }
    expect([...found]).toEqual([])
  })

  it("has a row for every message, and notices under names that tell", () => {
    for (const name of Object.keys(messages) as ReadonlyArray<MessageName>)
      for (const each of mappingOf(name).noticed) expect(each).toMatch(/^[a-z][a-z_]*$/)
    expect(noticeName("item/mcpToolCall/progress")).toBe("item_mcp_tool_call_progress")
  })
})

it("the name of a thread is a notice, and so is a warning", () => {
  expect(fold([note("thread/name/updated", { threadName: "One" })]).events).toMatchObject([
    { type: "noticed", name: "title_changed", value: { threadName: "One" } }
  ])
  expect(fold([note("warning", { message: "Careful" })]).events).toMatchObject([{ type: "noticed", name: "warning" }])
})

it("what no schema knows is passed on as it is", () => {
  expect(fold([{ method: "thread/dreamed", params: { threadId: "t" } }]).events).toEqual([
    { type: "unknown", raw: { method: "thread/dreamed", params: { threadId: "t" } }, source: "codex" }
  ])
})
