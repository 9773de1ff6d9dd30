/** The law of redaction: of no secret, of any kind, in any place, is anything left; and nothing else is touched. */
import { Tape } from "@agentwire/protocol"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { ruleWords } from "../../../src/tape/secret/Pass.ts"
import { makeScanner } from "../../../src/tape/secret/Scanner.ts"
import { blameless } from "./Blameless.ts"
import { makeRandom, type Sample, samples } from "./Samples.ts"
import { isLeft, secondSamples } from "./second/SecondSamples.ts"

const all = samples(20261117)

const frame = (data: string, channel: Tape.Channel = "stdout"): Tape.Frame => ({
  ...{ _tag: "Data", wait: 0, from: "agent" },
  ...{ channel, data }
})
const line = (message: unknown): Tape.Frame => frame(`${JSON.stringify(message)}\n`)
const delta = (what: object): Tape.Frame =>
  line({ type: "stream_event", event: { type: "content_block_delta", index: 0, delta: what }, session_id: "s" })

const redact = (frames: ReadonlyArray<Tape.Frame>, options: Tape.RedactOptions = {}): string => {
  const redactor = Tape.makeRedactor(options)
  return [...frames.flatMap((one) => redactor.push(one)), ...redactor.end()]
    .map((one) => (one._tag === "Data" && typeof one.data === "string" ? one.data : ""))
    .join("\u0000")
}

/** What is left of a secret: six characters of it that nobody is supposed to know. */
const traceOf = (text: string, { isPublic, secret }: Sample): string | undefined => {
  for (let at = 0; at + 6 <= secret.length; at++) {
    const run = secret.slice(at, at + 6)
    if (isPublic?.test(run) !== true && text.includes(run)) return run
  }
  return undefined
}

/** The texts of deltas, joined: what a reader puts together again. */
const said = (text: string, field: string): string =>
  text
    .split("\u0000")
    .map((each) => JSON.parse(each).event?.delta?.[field] ?? "")
    .join("")

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe("a secret", () => {
  it.each(all)("of the kind $name leaves no trace, wherever it is", (sample) => {
    for (const [context, text] of sample.texts) {
      const value = parsed(text)
      const frames = [line({ type: "user", text }), ...(value === undefined ? [] : [line({ type: "x", value })])]
      const left = [redact(frames), redact([frame(text, "stderr")]), redact([frame(text)])]
      expect({ context, left: left.map((each) => traceOf(each, sample)) }).toEqual({
        context,
        left: [undefined, undefined, undefined]
      })
    }
  })

  it("leaves no trace where it is cut, over deltas, arguments and chunks", () => {
    const wrong: Array<string> = []
    for (const [index, sample] of all.entries()) {
      const [context, text] = sample.texts[index % sample.texts.length] ?? ["", ""]
      const short = text.slice(0, 400)
      for (let cut = 1; cut < short.length; cut += short.length > 120 ? 7 : 2) {
        const parts = [text.slice(0, cut), text.slice(cut)]
        const streamed = redact(parts.map((part) => delta({ type: "text_delta", text: part })))
        const args = JSON.stringify({ command: text })
        const places = redact(
          [args.slice(0, cut + 8), args.slice(cut + 8)].map((part) =>
            delta({ type: "input_json_delta", partial_json: part })
          )
        )
        const chunks = redact(parts.map((part) => frame(part, "stderr")))
        const left = [
          said(streamed, "text"),
          said(places, "partial_json"),
          streamed,
          chunks,
          chunks.split("\u0000").join("")
        ]
        if (left.some((each) => traceOf(each, sample) !== undefined))
          wrong.push(`${sample.name}, ${context}, at ${cut}`)
      }
    }
    expect(wrong).toEqual([])
  }, 60_000)

  it("is found as a whole in a text that comes in pieces, as in the text at once", () => {
    const text = fc
      .array(
        fc.oneof(
          fc.constantFrom(...all.flatMap(({ texts }) => texts.map(([, each]) => each))),
          fc.constantFrom(...blameless)
        ),
        {
          minLength: 1,
          maxLength: 3
        }
      )
      .map((parts) => parts.join(" "))
    const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 6 })
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const ends = [...new Set(places.map((place) => Math.floor(place * whole.length))), whole.length].sort(
          (a, b) => a - b
        )
        const frames = ends.map((end, index) =>
          delta({ type: "text_delta", text: whole.slice(ends[index - 1] ?? 0, end) })
        )
        expect(said(redact(frames), "text")).toBe(Tape.redactText(whole))
      }),
      { numRuns: 300 }
    )
  })

  it("is gone for good: what was redacted has none", () => {
    for (const { texts } of all)
      for (const [, text] of texts) expect(Tape.findSecrets(Tape.redactText(text))).toEqual([])
  })

  it("is explained without being told", () => {
    for (const sample of all)
      for (const [, text] of sample.texts) {
        const told: Array<string> = []
        redact([line({ [text.slice(0, 60)]: { text } })], { onFound: (finding) => told.push(JSON.stringify(finding)) })
        expect(told.length).toBeGreaterThan(0)
        expect(traceOf(told.join("\n"), sample)).toBeUndefined()
      }
  })
})

describe("a secret of the second set", () => {
  it("leaves no trace, wherever it stands: alone, in a line, on stderr, in pieces", () => {
    const left = new Set<string>()
    for (const [index, { kind, secrets, text }] of secondSamples(20261118).entries()) {
      const cut = 1 + ((index * 7919) % Math.max(1, text.length - 1))
      const parts = [text.slice(0, cut), text.slice(cut)]
      // One way each, by turns: all of them are the same, as the laws here say.
      const ways = [
        () => Tape.redactText(text),
        () => redact([line({ type: "user", text })]),
        () =>
          redact(parts.map((part) => frame(part, "stderr")))
            .split("\u0000")
            .join(""),
        () => said(redact(parts.map((part) => delta({ type: "text_delta", text: part }))), "text")
      ]
      if (isLeft(ways[index % ways.length]?.() ?? text, secrets)) left.add(kind)
    }
    expect([...left].sort()).toEqual([])
  })
})

describe("what is none", () => {
  it.each(blameless)("stays: %s", (text) => {
    expect(Tape.redactText(text)).toBe(text)
    const nested = JSON.stringify({ text })
    expect(Tape.redactText(nested)).toBe(nested)
  })
})

describe("a value that is known", () => {
  const value = fc
    .string({ unit: "grapheme", minLength: 8, maxLength: 24 })
    .filter((each) => !/^[\s\0]*$/.test(each) && !each.includes("REDACTED"))
  const bytes = (text: string) => Buffer.from(text, "utf8")

  it("is found in base64, wherever it begins, in hex and in an address", () => {
    fc.assert(
      fc.property(value, fc.string({ maxLength: 5 }), fc.string({ maxLength: 5 }), (secret, before, after) => {
        const whole = `${before}${secret}${after}`
        const options = { values: [secret] }
        for (const encoding of ["base64", "base64url", "hex"] as const) {
          const redacted = Tape.redactText(` ${bytes(whole).toString(encoding)} `, options)
          expect(redacted).toContain("REDACTED_")
          expect(Buffer.from(redacted.trim(), encoding).includes(bytes(secret))).toBe(false)
        }
        expect(Tape.redactText(encodeURIComponent(whole.replace(/\p{Surrogate}/gu, "")), options)).toContain(
          "REDACTED_"
        )
      }),
      { numRuns: 200 }
    )
  })
})

/** Bits of all rules, in any order: what a rule takes for its word, what leads to a value, and values. */
const bits = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.constantFrom(
          ...[" ", " ", "\n", "\r\n", "\t", "=", ": ", ":", ", ", ";", " is ", " -p ", "--", "</", "<", ">", "/", "@"],
          ...['"', "'", '\\"', "\\n", "(", ")", "}", "-----", "?", "&", "$", "!", "| "]
        )
      },
      {
        weight: 3,
        arbitrary: fc.constantFrom(
          ...["hunter", "Tr0ub4dorx77", "wJalrXUtnFEMI7MDENGbPxRfiCYEXAMPLEKEY9", "abc", "the", "a:b", "12345678", "x"],
          ...["DB_PASSWORD", "token", "string", "value", "name", "GenieKey", "default"]
        )
      },
      { weight: 2, arbitrary: fc.constantFrom(...ruleWords.map(({ word }) => word)) }
    ),
    { minLength: 2, maxLength: 16 }
  )
  .map((parts) => parts.join(""))

describe("what is settled", () => {
  const { find, settledLength } = makeScanner()
  const second = secondSamples(20261118).map(({ text }) => text)
  const first = all.flatMap(({ texts }) => texts.map(([, text]) => text))
  const text = fc
    .tuple(
      fc.array(fc.oneof(bits, fc.constantFrom(...first, ...second), fc.constantFrom(...blameless)), {
        minLength: 1,
        maxLength: 3
      }),
      fc.constantFrom(" ", "\n", ", ", " and ", "</", ";")
    )
    .map(([parts, between]) => parts.join(between))

  it("stays as it is, whatever follows, and so does what follows: a text may be cut there", () => {
    const places = (found: ReturnType<typeof find>, by = 0) =>
      found.map(({ end, start }) => `${start + by}-${end + by}`)
    fc.assert(
      fc.property(text, fc.double({ min: 0, max: 1, noNaN: true }), (whole, share) => {
        const cut = settledLength(whole.slice(0, Math.ceil(share * whole.length)))
        expect([...places(find(whole.slice(0, cut))), ...places(find(whole.slice(cut)), cut)]).toEqual(
          places(find(whole))
        )
      }),
      {
        numRuns: 3000,
        examples: [
          ["<password>Tr0ub4dorx77x</password> da39a3ee5e6b4b0d3255bfef95601890afd80709", 1],
          ["password: hunter passwd", 1],
          ["Your API key is: 3f9Kq81LmZ0pXv7TbN2w", 0.35]
        ]
      }
    )
  })
})

describe("what may still change", () => {
  it("is not settled: a key that has begun, and what is before it is", () => {
    const { settledLength } = makeScanner()
    const text = `-----BEGIN PRIVATE KEY-----\n${makeRandom(1).base64(3000)}`
    expect(settledLength(text)).toBe(0)
    expect(settledLength(`see this: ${text}`)).toBe("see this: ".length)
  })
})
