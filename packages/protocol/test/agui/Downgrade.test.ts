import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"
import { codecs } from "../../src/agui/Codec.ts"
import type { ContentPart } from "../../src/agui/ContentPart.ts"
import { inDialect, plainText } from "../../src/agui/Downgrade.ts"
import { type AguiEvent, type AguiEventOf, events } from "../../src/agui/Event.ts"
import { samples } from "./Mutation.ts"

const accepted = (event: AguiEvent): unknown => codecs["0.0"].decodeValue(JSON.parse(JSON.stringify(event)))._tag

describe("laws", () => {
  test.each(Object.entries(events))("%s: every event, downgraded, is one the 0.0 client takes", (_, schema) => {
    for (const event of samples(schema, casesOf(300)) as ReadonlyArray<AguiEvent>)
      expect([accepted(inDialect(event, "0.0")), event]).toEqual(["Known", event])
  })

  test("twice is once, and nothing is done for 1.0", () => {
    for (const schema of Object.values(events))
      for (const event of samples(schema, 40) as ReadonlyArray<AguiEvent>) {
        const old = inDialect(event, "0.0")
        expect(inDialect(old, "0.0")).toEqual(old)
        expect(inDialect(event, "1.0")).toBe(event)
        expect(old.type).toBe(event.type)
      }
  })

  test("what the 0.0 client takes as it is, it gets as it is", () => {
    let same = 0
    for (const [type, schema] of Object.entries(events)) {
      // These lose what 0.0 does not know, though it would only ignore it.
      if (type === "RUN_STARTED") continue
      for (const event of samples(schema, 40) as ReadonlyArray<AguiEvent>) {
        if (accepted(event) !== "Known") continue
        same++
        expect(inDialect(event, "0.0")).toEqual(event)
      }
    }
    expect(same).toBeGreaterThan(500)
  })
})

const run = { threadId: "t", runId: "r" }

describe("the end of a run (docs/wire/ag-ui.md §0: another outcome is fatal)", () => {
  const outcome = (given: AguiEventOf<"RUN_FINISHED">["outcome"]) => {
    const event = inDialect({ type: "RUN_FINISHED", ...run, ...(given === undefined ? {} : { outcome: given }) }, "0.0")
    return event.type === "RUN_FINISHED" ? event.outcome : "lost"
  }

  test("a cancelled run has no outcome, one that waits for calls does not list them, an interrupt stays", () => {
    const interrupt = { type: "interrupt" as const, interrupts: [{ id: "i", reason: "tool_call" }] }
    expect([outcome({ type: "cancelled" }), outcome(undefined)]).toEqual([undefined, undefined])
    expect(outcome({ type: "success", pendingToolCallIds: ["c"] })).toEqual({ type: "success" })
    expect(outcome(interrupt)).toEqual(interrupt)
  })

  test("the rest of the event stays", () => {
    const event = { type: "RUN_FINISHED", ...run, result: { a: 1 }, outcome: { type: "cancelled" } } as const
    expect(inDialect(event, "0.0")).toEqual({ type: "RUN_FINISHED", ...run, result: { a: 1 } })
  })
})

test("the echoed request has tools and context: 0.0 refuses it without", () => {
  const event = { type: "RUN_STARTED", ...run, protocolVersion: "1.0", input: { ...run, messages: [] } } as const
  const old = inDialect(event, "0.0")
  expect(old).toEqual({ type: "RUN_STARTED", ...run, input: { ...run, messages: [], tools: [], context: [] } })
})

describe("parts as text", () => {
  const image: ContentPart = { type: "image", source: { type: "data", value: "iVBOR", mimeType: "image/png" } }
  const page: ContentPart = { type: "document", source: { type: "url", value: "https://example.com/a.pdf" } }

  test("a result is one string with everything in it, in order", () => {
    expect(plainText([{ type: "text", text: "a" }, image, page])).toBe(
      "a\n![image](data:image/png;base64,iVBOR)\n[document](https://example.com/a.pdf)"
    )
    expect(
      inDialect({ type: "TOOL_CALL_RESULT", messageId: "m", toolCallId: "c", content: [image] }, "0.0")
    ).toMatchObject({
      content: "![image](data:image/png;base64,iVBOR)"
    })
  })

  test("a string is itself", () => {
    fc.assert(fc.property(fc.string(), (text) => plainText(text) === text))
  })

  test("the words of any parts are all there", () => {
    fc.assert(
      fc.property(fc.array(fc.string(), { maxLength: 5 }), (texts) => {
        expect(plainText(texts.map((text) => ({ type: "text", text })))).toBe(texts.join("\n"))
      })
    )
  })

  test("in messages: a tool's become text, a person's stay but for files, which 0.0 cannot name", () => {
    const file: ContentPart = { type: "document", source: { type: "file", value: "file_1", provider: "anthropic" } }
    const old = inDialect(
      {
        type: "MESSAGES_SNAPSHOT",
        messages: [
          { id: "u", role: "user", content: [image, file] },
          { id: "t", role: "tool", toolCallId: "c", content: [image] },
          { id: "a", role: "assistant", content: "Hi" }
        ]
      },
      "0.0"
    )
    expect(old).toMatchObject({
      messages: [
        { content: [image, { type: "text", text: "file_1" }] },
        { content: "![image](data:image/png;base64,iVBOR)" },
        { content: "Hi" }
      ]
    })
  })
})
