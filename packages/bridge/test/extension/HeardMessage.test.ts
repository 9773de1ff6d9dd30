/** What comes from an extension is what there is, or nothing. */
import { expect, it } from "vitest"
import { heardMessage } from "../../src/extension/HeardMessage.ts"

it.each([
  { tag: "ask", id: 1, name: "list", value: "{}" },
  { tag: "answer", id: 1, ok: true, value: "1" },
  { tag: "emit", type: "x.told", value: "1" },
  { tag: "log", level: "info", message: "so", value: "{}" },
  { tag: "on", id: 1, pattern: "*" },
  { tag: "off", id: 1 },
  { tag: "dropped", events: 1, lines: 0 }
])("$tag is read", (message) => {
  expect(heardMessage(message)).toEqual(message)
})

it.each([
  null,
  undefined,
  "emit",
  [],
  {},
  { tag: "toString" },
  { tag: "__proto__" },
  { tag: ["emit"], type: "x", value: "1" },
  { tag: "emit", type: {}, value: "1" },
  { tag: "emit", type: "x" },
  { tag: "ask", id: 1, name: "everything", value: "{}" },
  { tag: "ask", id: 1, name: "list", value: 5 },
  { tag: "answer", id: 1, ok: "yes", value: "1" },
  { tag: "on", id: 1, pattern: null },
  { tag: "dropped", events: Number.NaN, lines: 0 }
])("%j is not", (message) => {
  expect(heardMessage(message)).toBeUndefined()
})
