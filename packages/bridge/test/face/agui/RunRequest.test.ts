import { Agui } from "@agentwire/protocol"
import { decodePayload } from "@agentwire/protocol/codec"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { readRunRequest } from "../../../src/face/agui/RunRequest.ts"
import { BodyParts } from "../../../src/face/http/BodyParts.ts"

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

describe("a body in pieces", () => {
  /** Values that fit nowhere, or somewhere else. */
  const odd = fc.constantFrom<unknown>(1, "x", true, [], {}, [1], { type: "text" })
  const maybe = (value: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 30, arbitrary: value }, { weight: 1, arbitrary: odd })
  const id = maybe(fc.string({ maxLength: 3 }))
  const part = fc.oneof(
    fc.record({ type: fc.constant("text"), text: maybe(fc.string()) }),
    fc.record({ type: fc.constant("image"), source: maybe(fc.constant({ type: "url", value: "u" })) })
  )
  const message = maybe(
    fc.oneof(
      fc.record({ id, role: maybe(fc.constant("user")), content: maybe(fc.oneof(fc.string(), fc.array(maybe(part)))) }),
      fc.record({ id, role: fc.constant("assistant"), content: maybe(fc.string()) }, { requiredKeys: ["id", "role"] }),
      fc.record({ id, role: fc.constantFrom("tool", "reasoning"), toolCallId: id, content: maybe(fc.string()) })
    )
  )
  const run = fc.record(
    {
      tools: maybe(fc.array(maybe(fc.record({ name: id, description: id })), { maxLength: 2 })),
      threadId: maybe(fc.constant("t")),
      messages: maybe(fc.array(message)),
      state: fc.jsonValue().filter((state) => state !== null),
      runId: maybe(fc.constant("r")),
      context: maybe(fc.array(maybe(fc.record({ description: id, value: id })), { maxLength: 2 }))
    },
    { requiredKeys: ["threadId", "runId", "messages"] }
  )
  const texts = fc.oneof(
    { weight: 9, arbitrary: run.map((value) => JSON.stringify(value)) },
    {
      weight: 1,
      arbitrary: fc.tuple(run, fc.nat()).map(([value, at]) => JSON.stringify(value).slice(0, -1 - (at % 9)))
    }
  )

  /** The input of a body that is read as it comes, or what is wrong with it, and where. */
  const inPieces = async (text: string, length: number): Promise<unknown> => {
    const bounds = { maxDepth: 200, maxValues: 1e6, maxPartLength: 1e6, maxPartValues: 1e6 }
    const parts = new BodyParts(bounds, { length: 30, values: 5 })
    const bytes = Buffer.from(text)
    for (let from = 0; from < bytes.length; from += length) parts.push(bytes.subarray(from, from + length))
    const read = parts.end()
    if (!read.isRead) return read.fault
    return Effect.runPromise(
      readRunRequest(read.value).pipe(
        Effect.match({ onFailure: ({ message }): unknown => message, onSuccess: ({ input }) => input })
      )
    )
  }

  const asWhole = (text: string): unknown => {
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      return "BAD_JSON"
    }
    const decoded = decodePayload(Agui.RunAgentInput, value)
    if (decoded._tag === "Known") return decoded.value
    return `The body is not a RunAgentInput: at ${decoded.error.path}: ${decoded.error.message}`
  }

  it("is what decoding the whole says, or wrong in the same words at the same place", async () => {
    const outcomes = new Set<string>()
    await fc.assert(
      fc.asyncProperty(texts, fc.oneof(fc.integer({ min: 1, max: 20 }), fc.constant(100_000)), async (text, length) => {
        const expected = asWhole(text)
        expect(await inPieces(text, length)).toEqual(expected)
        outcomes.add(typeof expected === "string" ? (/at (\$\.?\w*)/.exec(expected)?.[1] ?? expected) : "input")
      }),
      { numRuns: 3000 }
    )
    // It says something of each of them.
    const places = ["threadId", "runId", "messages", "tools", "context"].map((key) => `$.${key}`)
    expect([...outcomes].sort()).toEqual(["BAD_JSON", ...places, "input"].sort())
  })
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
