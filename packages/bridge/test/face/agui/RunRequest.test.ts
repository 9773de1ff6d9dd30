import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readRunRequest } from "../../../src/face/agui/RunRequest.ts"

const body = { threadId: "t", runId: "r", messages: [{ id: "u", role: "user", content: "Hello" }] }
const old = { ...body, tools: [], context: [], forwardedProps: {}, state: {} }

describe("the dialect", () => {
  it.effect("is told by protocolVersion", () =>
    Effect.gen(function* () {
      expect((yield* readRunRequest({ ...body, protocolVersion: "1.0" })).dialect).toBe("1.0")
      expect((yield* readRunRequest(old)).dialect).toBe("0.0")
    })
  )
})

describe("what is wrong", () => {
  it.effect.each([
    [null, "$"],
    [[], "$"],
    [{ ...body, threadId: undefined }, "$.threadId"],
    [{ ...body, runId: 1 }, "$.runId"],
    [{ ...body, threadId: " " }, "$.threadId"],
    [{ ...body, messages: "none" }, "$.messages"],
    [{ ...body, messages: [{ id: "u", role: "user" }] }, "$.messages[0].content"],
    [{ ...body, tools: [{ name: "x" }] }, "$.tools[0].description"],
    [{ ...body, resume: [{ interruptId: "i", status: "maybe" }] }, "$.resume[0].status"]
  ] as ReadonlyArray<[unknown, string]>)("is named by its path: %j", ([value, path]) =>
    Effect.gen(function* () {
      const { code, message } = yield* Effect.flip(readRunRequest(value))
      expect(code).toBe("BAD_INPUT")
      expect(message).toContain(`at ${path}: `)
    })
  )
  it.effect("is named within an envelope", () =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(readRunRequest({ ...body, runId: 1 }, "$.body"))
      expect(message).toContain("at $.body.runId: ")
    })
  )
})

describe("ids", () => {
  it.effect("of runs are short and plain: logs repeat them", () =>
    Effect.gen(function* () {
      for (const key of ["runId", "parentRunId"]) {
        for (const id of ["x".repeat(257), "a\u001b[2J", "a\nb", "\ud800", "\u2028", " "]) {
          const refusal = yield* Effect.flip(readRunRequest({ ...body, [key]: id }))
          expect(refusal.code).toBe("BAD_INPUT")
          expect(refusal.message).toContain(`$.${key}`)
        }
        yield* readRunRequest({ ...body, [key]: "x".repeat(256) })
      }
    })
  )
})

describe("an old body", () => {
  it.effect("may have null for nothing", () =>
    Effect.gen(function* () {
      const nulls = { ...old, state: null, forwardedProps: null, resume: null, parentRunId: null }
      const { input } = yield* readRunRequest({ ...nulls, tools: [{ name: "n", description: "d", parameters: null }] })
      expect(input).toEqual({ ...body, tools: [{ name: "n", description: "d" }], context: [] })
    })
  )
  it.effect("may have binary parts, which become media", () =>
    Effect.gen(function* () {
      const content = [
        { type: "text", text: "See" },
        { type: "binary", mimeType: "image/png", data: "AAAA", filename: "a.png" },
        { type: "binary", mimeType: "application/pdf", url: "http://x.example/a.pdf" },
        { type: "binary", mimeType: "audio/wav", id: "file-1" }
      ]
      const { input } = yield* readRunRequest({ ...old, messages: [{ id: "u", role: "user", content }] })
      expect(input.messages[0]?.content).toEqual([
        { type: "text", text: "See" },
        {
          type: "image",
          source: { type: "data", value: "AAAA", mimeType: "image/png" },
          metadata: { filename: "a.png" }
        },
        { type: "document", source: { type: "url", value: "http://x.example/a.pdf", mimeType: "application/pdf" } },
        { type: "audio", source: { type: "file", value: "file-1", mimeType: "audio/wav" } }
      ])
    })
  )
})
