import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { foldEvents } from "../../src/agui/History.ts"
import type { Decoded, Known } from "../../src/claude/Codec.ts"
import { stepAll } from "../../src/translate/TranslateStream.ts"
import { beginRun, initialState } from "../../src/translate/Translator.ts"
import {
  after,
  blockDelta,
  blockStart,
  blockStop,
  brief,
  customs,
  init,
  jsonDelta,
  messageDelta,
  messageStart,
  messageStop,
  only,
  options,
  recorded,
  said,
  streamedCall,
  streamedText,
  success,
  synthetic,
  text,
  textDelta,
  textsOf,
  thinking,
  thinkingDelta,
  toolResult,
  toolUse,
  translated
} from "./Lines.ts"
import { refusal } from "./Order.ts"

const turn = (...messages: ReadonlyArray<Decoded>): ReadonlyArray<Decoded> => [init(), ...messages, success()]
const texts = (...messages: ReadonlyArray<Decoded>): Readonly<Record<string, string>> => {
  const events = translated(turn(...messages))
  expect(refusal(events)).toBeUndefined()
  return textsOf(events)
}
const begunText = (id: string, ...pieces: ReadonlyArray<string>): ReadonlyArray<Decoded> => [
  messageStart(id),
  blockStart(0, text("")),
  ...pieces.map((piece) => textDelta(0, piece))
]

/** An answer of these blocks, streamed in pieces of a size. */
const spelt = (
  id: string,
  blocks: ReadonlyArray<readonly ["text" | "thinking", string]>,
  size: number,
  names: boolean
): ReadonlyArray<Known> => {
  const more = names ? { api_message_id: id } : {}
  return [
    messageStart(id),
    ...blocks.flatMap(([kind, words], index) => {
      const make = kind === "text" ? text : thinking
      const pieces = Array.from({ length: Math.ceil(words.length / size) }, (_, at) =>
        words.slice(at * size, (at + 1) * size)
      )
      return [
        blockStart(index, make(""), null, more),
        ...pieces.map((piece) => blockDelta(index, { type: `${kind}_delta`, [kind]: piece }, null, more)),
        said(id, make(words)),
        blockStop(index)
      ]
    }),
    messageStop(null, more)
  ]
}

describe("an answer that is streamed", () => {
  test("is shown as it comes; its `assistant` line and `content_block_stop` say nothing twice (§5.2)", () => {
    const events = translated(turn(...streamedText("m", ["Hel", "lo"])))
    expect(brief(events.slice(2, 6))).toEqual([
      "TEXT_MESSAGE_START m:0",
      "TEXT_MESSAGE_CONTENT m:0 Hel",
      "TEXT_MESSAGE_CONTENT m:0 lo",
      "TEXT_MESSAGE_END m:0"
    ])
    expect(only(events, "TEXT_MESSAGE_END")).toHaveLength(1)
  })

  test("has the same messages as one that is not (law 3)", () => {
    const piece = fc.string({ maxLength: 4 })
    fc.assert(
      fc.property(
        fc.array(fc.array(piece, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        (answers) => {
          const streamed = answers.flatMap((pieces, at) => streamedText(`m${at}`, pieces))
          const whole = streamed.filter(({ name }) => name === "assistant")
          expect(texts(...whole)).toEqual(texts(...streamed))
        }
      ),
      { numRuns: 50 }
    )
  })

  test("may have several blocks of a kind, whose lines come in order (§5.1)", () => {
    const streamed = [
      messageStart("m"),
      ...["one", "two", "three"].flatMap((words, index) => [
        blockStart(index, text("")),
        textDelta(index, words),
        said("m", text(words)),
        blockStop(index)
      ]),
      messageStop()
    ]
    expect(texts(...streamed)).toEqual({ "m:0": "one", "m:1": "two", "m:2": "three" })
  })

  test("may say its first words in the block's start", () => {
    expect(texts(messageStart("m"), blockStart(0, text("Hi ")), textDelta(0, "you"), messageStop())).toEqual({
      "m:0": "Hi you"
    })
  })

  test("says what only its line has: pieces that were lost", () => {
    expect(texts(...begunText("m", "Hel"), said("m", text("Hello")), messageStop())).toEqual({ "m:0": "Hello" })
    expect(texts(messageStart("m"), said("m", text("Hello")), messageStop())).toEqual({ "m:0": "Hello" })
  })
})

describe("lines in the wrong place", () => {
  test.each([1e9, 10_000, -1, 0.5])("an index %d is none: the line brings the text, and nothing grows", (index) => {
    const odd = [messageStart("m"), blockStart(index, text("")), textDelta(index, "Hi"), blockStop(index)]
    expect(texts(...odd, said("m", text("Hi")), messageStop())).toEqual({ "m:0": "Hi" })
    expect(after([init(), ...odd]).fold.main.current?.blocks).toHaveLength(0)
  })

  test("deltas without a start, and of the wrong kind, are left to the line", () => {
    const odd = [
      messageStart("m"),
      textDelta(0, "x"),
      blockStart(0, text("")),
      thinkingDelta(0, "y"),
      jsonDelta(0, "z")
    ]
    expect(texts(...odd, said("m", text("Hi")), messageStop())).toEqual({ "m:0": "Hi" })
  })

  test("starts that come twice begin nothing twice", () => {
    const twice = [
      messageStart("m"),
      messageStart("m"),
      blockStart(0, text("")),
      textDelta(0, "Hi"),
      blockStart(0, text(""))
    ]
    expect(texts(...twice, said("m", text("Hi")), messageStop(), messageStop())).toEqual({ "m:0": "Hi" })
  })

  test("a whole line before its stream says it all", () => {
    expect(texts(said("m", text("Hello")), ...begunText("m", "Hel", "lo"), blockStop(0), messageStop())).toEqual({
      "m:0": "Hello"
    })
  })

  test("and its stream does not speak into the answer that was open before it", () => {
    const events = texts(...begunText("z", "zz"), said("a", text("Hello")), ...begunText("a", "Hello"), messageStop())
    expect(events).toEqual({ "z:0": "zz", "a:0": "Hello" })
  })

  test("a line that comes after the next answer has begun says only what is missing", () => {
    const late = [...begunText("a", "Hello"), messageStop(), ...begunText("b", "Bye")]
    expect(texts(...late, said("a", text("Hello")), said("b", text("Bye")), messageStop())).toEqual({
      "a:0": "Hello",
      "b:0": "Bye"
    })
  })

  test("stream events that name another answer than the current one say nothing (2.1.325 names it on each)", () => {
    const stray = textDelta(0, "stray", null, { api_message_id: "other" })
    expect(texts(...begunText("m", "Hi"), stray, said("m", text("Hi")), messageStop())).toEqual({ "m:0": "Hi" })
  })
})

describe("what the CLI says in the model's place, in the middle of an answer", () => {
  test("is a message of its own, and the answer goes on", () => {
    const between = [...begunText("m", "Hel"), synthetic("s", "API Error"), textDelta(0, "lo")]
    expect(texts(...between, said("m", text("Hello")), messageStop())).toEqual({ "m:0": "Hello", "s:0": "API Error" })
  })

  test("abandons nothing: the answer was not cut", () => {
    const between = [...begunText("m", "Hel"), synthetic("s", "API Error"), textDelta(0, "lo")]
    const events = translated(turn(...between, said("m", text("Hello")), messageStop()))
    expect(customs(events, "message_abandoned")).toEqual([])
    expect(only(events, "TEXT_MESSAGE_END").filter(({ messageId }) => messageId === "m:0")).toHaveLength(1)
  })

  test("even when it begins with the same words", () => {
    const between = [...begunText("m", "API"), synthetic("s", "API Error"), textDelta(0, " means …")]
    expect(texts(...between, said("m", text("API means …")), messageStop())).toEqual({
      "m:0": "API means …",
      "s:0": "API Error"
    })
  })
})

describe("an answer that is cut and sent again is not shown twice (§5.12)", () => {
  test("as a second stream (2.1.325)", () => {
    expect(texts(...begunText("a", "Hello"), ...streamedText("b", ["He", "llo wor", "ld"]))).toEqual({
      "a:0": "Hello world"
    })
  })

  test("as a whole line (up to 2.1.197)", () => {
    expect(texts(...begunText("a", "Hello"), said("b", text("Hello world")))).toEqual({ "a:0": "Hello world" })
  })

  test.each([["He"], [""], ["Hello w"]])("when it is cut a second time, after %j", (second) => {
    const twice = [...begunText("a", "Hello"), ...begunText("b", ...(second === "" ? [] : [second]))]
    expect(texts(...twice, ...streamedText("c", ["Hello world"]))).toEqual({ "a:0": "Hello world" })
    expect(texts(...twice, said("c", text("Hello world")))).toEqual({ "a:0": "Hello world" })
  })

  test("however often it is cut, wherever, and whichever way it comes in the end", () => {
    const kind = fc.constantFrom("text" as const, "thinking" as const)
    const word = fc.string({ unit: fc.constantFrom("a", "b", " ", "\ud83d\ude00"), minLength: 1, maxLength: 6 })
    const speech = fc.array(fc.tuple(kind, word), { minLength: 1, maxLength: 3 })
    const cut = fc.record({ after: fc.nat(), size: fc.integer({ min: 1, max: 4 }), told: fc.boolean() })
    fc.assert(
      fc.property(
        speech,
        fc.array(cut, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        fc.boolean(),
        (blocks, cuts, streams, names) => {
          const broken = cuts.flatMap(({ after, size, told }, at) => {
            const whole = spelt(`cut${at}`, blocks, size, names)
            const line = whole.findIndex(({ name }) => name === "assistant")
            // 2.1.325 says that it was cut, and names the answer on every event.
            const stop = {
              api_message_id: `cut${at}`,
              abandoned_blocks: { api_message_id: `cut${at}`, from_block_index: 0 }
            }
            return [...whole.slice(0, 1 + (after % line)), ...(told && names ? [messageStop(null, stop)] : [])]
          })
          const last = spelt("last", blocks, 2, names)
          const events = translated(
            turn(...broken, ...(streams ? last : last.filter(({ name }) => name === "assistant")))
          )
          expect(refusal(events)).toBeUndefined()
          const shown = foldEvents(events).messages.map(({ content }) => content)
          expect(shown).toEqual(blocks.map(([, words]) => words))
        }
      ),
      { numRuns: 500 }
    )
  })

  test("but when it says something else, both stand, and the first is marked", () => {
    const events = translated(turn(...begunText("a", "Hello"), ...streamedText("b", ["Good", "bye"])))
    expect(textsOf(events)).toEqual({ "a:0": "Hello", "b:0": "Goodbye" })
    expect(customs(events, "message_abandoned")).toEqual([{ id: "a:0", kind: "text" }])
    expect(refusal(events)).toBeUndefined()
  })

  test("and a call that was begun is abandoned: the new one has another id", () => {
    const cut = [messageStart("a"), blockStart(0, toolUse("c1")), jsonDelta(0, '{"a"')]
    const events = translated(turn(...cut, ...streamedCall("b", "c2", { a: 1 }), toolResult("c2")))
    expect(customs(events, "message_abandoned")).toEqual([{ id: "c1", kind: "tool" }])
    expect(refusal(events)).toBeUndefined()
  })

  test.each(["2.1.37", "2.1.113", "2.1.197", "2.1.325"])(
    "as %s was recorded: another answer, so the first is marked once",
    (version) => {
      for (const scenario of ["api_stream_cut", "api_stream_error_event"]) {
        const events = translated(recorded({ scenario, version }))
        expect(textsOf(events)).toEqual({ "msg_0001:0": "Half of it", "msg_0002:0": "Whole answer." })
        expect(customs(events, "message_abandoned")).toEqual([{ id: "msg_0001:0", kind: "text" }])
        expect(refusal(events)).toBeUndefined()
      }
    }
  )
})

describe("thinking", () => {
  test("has ids of its own, and its signature", () => {
    const signed = [
      messageStart("m"),
      blockStart(0, thinking("")),
      thinkingDelta(0, "hm"),
      blockDelta(0, { type: "signature_delta", signature: "si" }),
      blockDelta(0, { type: "signature_delta", signature: "g" }),
      said("m", thinking("hm", "sig")),
      messageStop()
    ]
    const events = translated(turn(...signed))
    expect(textsOf(events)).toEqual({ "m:0:thinking": "hm" })
    expect(only(events, "REASONING_ENCRYPTED_VALUE")).toEqual([
      { type: "REASONING_ENCRYPTED_VALUE", subtype: "message", entityId: "m:0:thinking", encryptedValue: "sig" }
    ])
  })

  test("a signature that only the line has is not lost, be it late", () => {
    for (const rest of [
      [said("m", thinking("hm", "sig")), messageStop()],
      [messageStop(), said("m", thinking("hm", "sig"))]
    ]) {
      const events = translated(turn(messageStart("m"), blockStart(0, thinking("")), thinkingDelta(0, "hm"), ...rest))
      expect(only(events, "REASONING_ENCRYPTED_VALUE").map(({ encryptedValue }) => encryptedValue)).toEqual(["sig"])
      expect(refusal(events)).toBeUndefined()
    }
  })

  test("whose run ends in the middle of the signature has all of it in the end", () => {
    const signature = (piece: string) => blockDelta(0, { type: "signature_delta", signature: piece })
    const [half, first] = stepAll(initialState(options), [
      init(),
      messageStart("m"),
      blockStart(0, thinking("")),
      thinkingDelta(0, "hm"),
      signature("si")
    ])
    const [next, between] = beginRun(half, { runId: "r2" })
    const [, last] = stepAll(next, [signature("g"), said("m", thinking("hm", "sig")), messageStop(), success()])
    const events = [...first, ...between, ...last]
    expect(only(events, "REASONING_ENCRYPTED_VALUE").map(({ encryptedValue }) => encryptedValue)).toEqual(["sig"])
    expect(refusal(events)).toBeUndefined()
  })

  test("that is redacted has no words at all, streamed or not", () => {
    const block = { type: "redacted_thinking", data: "zzz" }
    for (const messages of [
      [said("m", block)],
      [messageStart("m"), blockStart(0, block), said("m", block), blockStop(0), messageStop()],
      [messageStart("m"), blockStart(0, block), blockStop(0), messageStop()]
    ]) {
      const events = translated(turn(...messages))
      expect(only(events, "REASONING_ENCRYPTED_VALUE").map(({ encryptedValue }) => encryptedValue)).toEqual(["zzz"])
      expect(textsOf(events)).toEqual({})
      expect(refusal(events)).toBeUndefined()
    }
  })
})

describe("what the turn has said", () => {
  test("thinking and calls are no words: the result's text is shown then, streamed or not (law 3)", () => {
    for (const messages of [
      streamedCall("m", "c1", { a: 1 }),
      streamedCall("m", "c1", { a: 1 }).filter(({ name }) => name === "assistant")
    ]) {
      const events = translated([init(), ...messages, toolResult("c1"), success({ result: "Done" })])
      expect(Object.values(textsOf(events))).toEqual(["Done"])
    }
  })

  test("and where the model has spoken, the result's text is not shown again", () => {
    const events = translated([init(), ...streamedText("m", ["Done"]), success({ result: "Done" })])
    expect(Object.values(textsOf(events))).toEqual(["Done"])
  })
})

test("the usage of an answer is that of its last `message_delta`, not the sum (it is cumulative)", () => {
  const messages = [init(), messageStart("m"), messageDelta({ output_tokens: 3 }), messageDelta({ output_tokens: 7 })]
  const [finished] = only(translated(messages, {}, { type: "cancelled" }), "RUN_FINISHED")
  expect(finished?.usage).toEqual([expect.objectContaining({ inputTokens: 10, outputTokens: 7, totalTokens: 17 })])
})

test("citations follow the text they belong to", () => {
  const citation = {
    type: "web_search_result_location",
    url: "https://example.com",
    title: "t",
    encrypted_index: "x",
    cited_text: "c"
  }
  const events = translated(turn(said("m", text("so it is", { citations: [citation] }))))
  expect(customs(events, "citations")).toEqual([{ messageId: "m:0", citations: [citation] }])
})

test("a cut inside a surrogate pair is mended at the client (§5.45), as recorded", () => {
  for (const version of ["2.1.37", "2.1.325"]) {
    const events = translated(recorded({ scenario: "unicode_split", version }))
    for (const { delta } of only(events, "TEXT_MESSAGE_CONTENT")) expect(delta).toBe(Buffer.from(delta).toString())
  }
})
