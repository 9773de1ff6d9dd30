/** Laws of redaction: secrets are gone, equal ones look equal, and everything else is as it was. */
import { readRecording, recordings } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { decodeLine } from "@agentwire/protocol/claude"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { casesOf } from "../../../fixtures/test/Sweep.ts"

const home = "/home/ada-lovelace"
const options: Tape.RedactOptions = { home, user: "ada-lovelace", values: ['hunter2 "and" more\\', "p4ssw0rd!"] }

const planted: Readonly<Record<string, string>> = {
  anthropic: "sk-ant-api03-AbCdEfGhIjKlMnOp0123456789-_xyzQ",
  openai: "sk-proj-a1B2c3D4e5F6g7H8i9J0k1L2",
  github: "ghp_0123456789abcdefghijABCDEFGHIJ012345",
  aws: "AKIAIOSFODNN7EXAMPLE",
  slack: "xoxb-123456789012-abcdefGHIJKL",
  jwt: "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9P",
  email: "ada.lovelace@example.org",
  home,
  env: 'hunter2 "and" more\\',
  word: "p4ssw0rd!",
  pem: "-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA7\nbq2vVfZ9x+/Q==\n-----END RSA PRIVATE KEY-----"
}
const secrets = Object.values(planted)

const frame = (data: string, channel: Tape.Channel = "stdout"): Tape.DataFrame => ({
  _tag: "Data",
  wait: 1,
  from: channel === "stdin" ? "host" : "agent",
  channel,
  data
})
const line = (message: unknown): Tape.DataFrame => frame(`${JSON.stringify(message)}\n`)

const redact = (frames: ReadonlyArray<Tape.Frame>, more: Tape.RedactOptions = {}): ReadonlyArray<Tape.Frame> => {
  const redactor = Tape.makeRedactor({ ...options, ...more })
  return [...frames.flatMap((one) => redactor.push(one)), ...redactor.end()]
}
const textOf = (one: Tape.Frame | undefined): string =>
  one?._tag === "Data" ? new TextDecoder().decode(Tape.bytesOf(one.data)) : ""
const parsed = (one: Tape.Frame | undefined) => JSON.parse(textOf(one))

/** No run of `length` characters of a secret is left; those that prose has too are no trace. */
const expectNoTrace = (text: string, secret: string, length = 6) => {
  for (let at = 0; at + length <= secret.length; at++) {
    const run = secret.slice(at, at + length)
    if (!/PRIVATE|BEGIN|--/.test(run)) expect(text).not.toContain(run)
  }
}

const delta = (index: number, what: object, parent: string | null = null) => ({
  type: "stream_event",
  event: { type: "content_block_delta", index, delta: what },
  session_id: "s",
  parent_tool_use_id: parent,
  uuid: "u"
})
const stop = (index: number) => ({
  type: "stream_event",
  event: { type: "content_block_stop", index },
  session_id: "s",
  parent_tool_use_id: null,
  uuid: "u"
})

const cutAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const cuts = [...new Set(places.map((place) => Math.floor(place * text.length)))].sort((a, b) => a - b)
  return [0, ...cuts].map((from, index) => text.slice(from, cuts[index] ?? text.length))
}

const filler = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.constantFrom(
    " ",
    "\n",
    "\t",
    '"',
    "\\",
    "\\n",
    "/",
    ".",
    "Bearer ",
    "-----BEGIN ",
    "😀",
    "日本語",
    "hunter2 ",
    "x@",
    ""
  )
)
const secret = fc.constantFrom(...secrets)
const gap = fc.constantFrom(" ", "\n", "(", '"', ", ")
const text = fc
  .array(
    fc.oneof(
      filler,
      fc.tuple(gap, secret, gap).map((parts) => parts.join(""))
    ),
    { maxLength: 8 }
  )
  .map((parts) => parts.join(""))
const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { maxLength: 12 })

describe("a text", () => {
  it.each(Object.entries(planted))("loses its %s", (_, one) => {
    const redacted = Tape.redactText(`before ${one} after ${one}.`, options)
    expectNoTrace(redacted, one)
    expect(redacted).toMatch(/^before \/?(REDACTED_[a-z-]+_1) after \/?\1\.$/)
  })

  it("loses a secret however often it is escaped", () => {
    for (const one of secrets) {
      let nested = JSON.stringify({ key: `see ${one} there` }).replace(/\//g, "\\/")
      for (let depth = 0; depth < 3; depth++) {
        const redacted = Tape.redactText(nested, options)
        expectNoTrace(redacted, one)
        let value: unknown = redacted
        for (let level = 0; level <= depth; level++) value = JSON.parse(String(typeof value === "string" ? value : ""))
        expect(value).toEqual({ key: expect.stringMatching(/^see \/?REDACTED_[a-z-]+_1 there$/) })
        nested = JSON.stringify(nested)
      }
    }
  })

  it("loses what is written as \\u escapes", () => {
    const escaped = [...home].map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`).join("")
    expect(Tape.redactText(`{"path":"${escaped}\\/x"}`, options)).toBe('{"path":"\\u002fREDACTED_home_1\\/x"}')
  })

  it("keeps JSON in a text JSON: what follows a new line does not take its escape along", () => {
    const nested = JSON.stringify({ text: `one\n${planted["email"]}\n${planted["env"]}\ttwo` })
    expect(JSON.parse(Tape.redactText(nested, options))).toEqual({ text: "one\nREDACTED_email_1\nREDACTED_env_1\ttwo" })
  })

  it("keeps paths paths, also the encoded ones", () => {
    expect(Tape.redactText(`${home}/project and -home-ada-lovelace-project`, options)).toBe(
      "/REDACTED_home_1/project and -REDACTED_home_1-project"
    )
  })

  it("keeps what only looks alike", () => {
    for (const plain of [
      "a basic understanding of the bearer of news",
      "task-management-of-a-very-long-name-2",
      "pkg@1.2.3 and @scope/name",
      "/home/adaptive/x",
      "claude-opus-5-5",
      "-----BEGIN CERTIFICATE-----\nabc"
    ])
      expect(Tape.redactText(plain, { home: "/home/ada", user: "ada" })).toBe(plain)
  })

  it("redacted once is redacted", () => {
    fc.assert(
      fc.property(text, (one) => {
        const once = Tape.redactText(one, options)
        expect(Tape.findSecrets(once, options)).toEqual([])
      })
    )
  })

  it("is read in one go, whatever it is", () => {
    const started = performance.now()
    for (const unit of ["a", "eyJ", "-", "\\", "@", "a.", "\\n", "-----BEGIN ", "sk-"])
      Tape.redactText(unit.repeat(1_000_000 / unit.length), options)
    expect(performance.now() - started).toBeLessThan(20_000)
  })
})

describe("deltas", () => {
  const kinds = [
    ["text_delta", "text"],
    ["thinking_delta", "thinking"]
  ] as const

  it.each(kinds)("%s: the joined pieces are the redacted whole, and the message says the same", (type, field) => {
    fc.assert(
      fc.property(text, cuts, (whole, places) => {
        const pieces = cutAt(whole, places)
        const message = { type: "assistant", message: { content: [{ type: field, [field]: whole }] } }
        const frames = [
          ...pieces.map((piece) => line(delta(0, { type, [field]: piece }))),
          line(message),
          line(stop(0))
        ]
        const redacted = redact(frames)
        expect(redacted.length).toBe(frames.length)
        const joined = redacted
          .slice(0, pieces.length)
          .map((one) => parsed(one).event.delta[field])
          .join("")
        expect(joined).toBe(Tape.redactText(whole, options))
        expect(parsed(redacted[pieces.length]).message.content[0][field]).toBe(joined)
        const all = redacted.map(textOf).join("")
        for (const one of secrets) if (whole.includes(one)) expect(all).not.toContain(JSON.stringify(one).slice(1, -1))
      }),
      { numRuns: casesOf(1500) }
    )
  })

  it("input_json_delta: the joined pieces parse to what the message says", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.oneof(text, fc.array(text, { maxLength: 2 }))),
        cuts,
        fc.boolean(),
        (input, places, slashes) => {
          const json = JSON.stringify(input)
          const pieces = cutAt(slashes ? json.replace(/\//g, "\\/") : json, places)
          const message = { type: "assistant", message: { content: [{ type: "tool_use", id: "t", name: "n", input }] } }
          const frames = [
            ...pieces.map((piece) => line(delta(1, { type: "input_json_delta", partial_json: piece }))),
            line(message),
            line(stop(1))
          ]
          const redacted = redact(frames)
          const joined = redacted
            .slice(0, pieces.length)
            .map((one) => parsed(one).event.delta.partial_json)
            .join("")
          expect(JSON.parse(joined)).toEqual(parsed(redacted[pieces.length]).message.content[0].input)
        }
      ),
      { numRuns: casesOf(1500) }
    )
  })

  it("leave no trace of a secret cut anywhere, and equal secrets look equal", () => {
    fc.assert(
      fc.property(secret, cuts, fc.constantFrom("text", "thinking", "partial_json"), (one, places, field) => {
        const whole = field === "partial_json" ? JSON.stringify({ a: one, b: ` ${one} ` }) : `${one} ${one}`
        const type = field === "partial_json" ? "input_json_delta" : `${field}_delta`
        const pieces = cutAt(whole, places)
        const redacted = redact([...pieces.map((piece) => line(delta(0, { type, [field]: piece }))), line(stop(0))])
        expectNoTrace(redacted.map(textOf).join(""), one)
        const joined = redacted
          .slice(0, -1)
          .map((each) => parsed(each).event.delta[field])
          .join("")
        const names = joined.match(/REDACTED_[a-z-]+_\d+/g)
        expect(names).toHaveLength(2)
        expect(new Set(names).size).toBe(1)
      }),
      { numRuns: casesOf(1500) }
    )
  })

  it("hide any value, whatever it is made of", () => {
    const value = fc.oneof(
      fc.string({ unit: "grapheme", minLength: 6, maxLength: 20 }),
      fc.string({ unit: fc.constantFrom("\\", '"', "n", "u", "0", " ", "/", "a", "\n"), minLength: 6, maxLength: 12 })
    )
    fc.assert(
      fc.property(value, filler, filler, cuts, (one, before, after, places) => {
        const chosen = { values: [one] }
        const whole = `${before}${one}${after}${one}`
        const pieces = cutAt(whole, places)
        const frames = [...pieces.map((piece) => line(delta(0, { type: "text_delta", text: piece }))), line(stop(0))]
        const redactor = Tape.makeRedactor(chosen)
        const redacted = [...frames.flatMap((each) => redactor.push(each)), ...redactor.end()]
        const joined = redacted
          .slice(0, -1)
          .map((each) => parsed(each).event.delta.text)
          .join("")
        expect(joined).toBe(Tape.redactText(whole, chosen))
        expect(joined).not.toContain(one)
      }),
      { numRuns: casesOf(2000) }
    )
  })

  it("hide a name after a backslash, where it is no escape", () => {
    const windows = { home: "C:\\Users\\nora", user: "nora" }
    expect(Tape.redactText("C:\\Users\\nora\\x and \\nora", windows)).toBe(
      "C:\\REDACTED_home_1\\x and \\REDACTED_user_1"
    )
  })

  it("hide a long private key that comes word by word", () => {
    const body = Array.from({ length: 40 }, (_, index) => `${index}`.padStart(64, "MIIEpAIBAAKCAQEA")).join("\n")
    const pem = `-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----`
    const pieces = `see ${pem} there`.match(/[\s\S]{1,50}/g) ?? []
    const redacted = redact([
      ...pieces.map((piece) => line(delta(0, { type: "text_delta", text: piece }))),
      line(stop(0))
    ])
    const joined = redacted.slice(0, -1).map((one) => parsed(one).event.delta.text)
    expect(joined.join("")).toBe("see REDACTED_private-key_1 there")
  })

  it("of arguments hide what only its key gives away, as the message does", () => {
    const input = { headers: { Authorization: "opensesameplease", Cookie: ["very-secret-cookie"] } }
    const pieces = JSON.stringify(input).match(/.{1,9}/g) ?? []
    const redacted = redact([
      ...pieces.map((piece) => line(delta(0, { type: "input_json_delta", partial_json: piece }))),
      line({ type: "assistant", message: { content: [{ input }] } }),
      line(stop(0))
    ])
    const joined = redacted.slice(0, pieces.length).map((one) => parsed(one).event.delta.partial_json)
    const expected = { headers: { Authorization: "REDACTED_bearer_1", Cookie: ["REDACTED_cookie_1"] } }
    expect(JSON.parse(joined.join(""))).toEqual(expected)
    expect(parsed(redacted[pieces.length]).message.content[0].input).toEqual(expected)
  })

  it("of blocks and sub-agents side by side are told apart, and the order stays", () => {
    const frames = [
      line(delta(0, { type: "text_delta", text: "/home/ada-" })),
      line(delta(0, { type: "text_delta", text: "/home/ada-" }, "toolu_1")),
      frame("keep\n", "stderr"),
      line(delta(0, { type: "text_delta", text: "lovelace/a" })),
      line(delta(0, { type: "text_delta", text: "lovelace/b" }, "toolu_1")),
      line(stop(0))
    ]
    const redacted = redact(frames)
    expect(
      redacted.map((one) => (one._tag === "Data" && one.channel === "stderr" ? 0 : parsed(one).event.delta?.text))
    ).toEqual(["/REDACTED_home_1", "/REDACTED_home_1", 0, "/a", "/b", undefined])
  })

  it("are let go as soon as no secret can continue", () => {
    const redactor = Tape.makeRedactor(options)
    expect(redactor.push(line(delta(0, { type: "text_delta", text: "Hello " })))).toHaveLength(1)
    expect(redactor.push(line(delta(0, { type: "text_delta", text: "/home/a" })))).toHaveLength(0)
    expect(redactor.push(frame("x\n", "stderr"))).toHaveLength(0)
    expect(redactor.push(line(delta(0, { type: "text_delta", text: "lpha, " })))).toHaveLength(3)
  })

  it("are never held beyond the bound", () => {
    const redactor = Tape.makeRedactor({ ...options, patterns: [/zebra crossing/], maxHeldFrames: 10 })
    let held = 0
    for (let index = 0; index < 100; index++) {
      held += 1 - redactor.push(line(delta(0, { type: "text_delta", text: `word ${home} ` }))).length
      expect(held).toBeLessThanOrEqual(10)
    }
  })

  it("hide an added pattern that is cut, too", () => {
    const redacted = redact(
      [
        ...["ze", "bra cros", "sing!"].map((piece) => line(delta(0, { type: "text_delta", text: piece }))),
        line(stop(0))
      ],
      { patterns: [/zebra crossing/i] }
    )
    expect(redacted.slice(0, 3).map((one) => parsed(one).event.delta.text)).toEqual(["REDACTED_pattern_1", "", "!"])
  })
})

describe("frames", () => {
  it("of stderr and of cut lines, in any chunking, join to the redacted whole with the same lines", () => {
    fc.assert(
      fc.property(text, cuts, fc.constantFrom("stderr" as const, "stdout" as const), (whole, places, channel) => {
        const bytes = new TextEncoder().encode(whole)
        const ends = [...new Set(places.map((place) => Math.floor(place * bytes.length))), bytes.length].sort(
          (a, b) => a - b
        )
        const pieces = ends.map((end, index) => Tape.payloadOf(bytes.subarray(ends[index - 1] ?? 0, end)))
        const redacted = redact(pieces.map((data) => ({ ...frame("", channel), data })))
        const joined = redacted
          .map((one) => (one._tag === "Data" ? Buffer.from(Tape.bytesOf(one.data)) : Buffer.of()))
          .reduce((all, next) => Buffer.concat([all, next]), Buffer.of())
          .toString()
        expect(joined.split("\n").length).toBe(whole.split("\n").length)
        for (const one of secrets) expect(joined).not.toContain(one)
        expect(joined).toBe(
          redact([frame(whole, channel)])
            .map(textOf)
            .join("")
        )
      }),
      { numRuns: casesOf(1000) }
    )
  })

  it("that are not UTF-8 lose their secrets and stay not UTF-8", () => {
    const bytes = Uint8Array.from([0xff, ...new TextEncoder().encode(` ${planted["email"]} /home/zoë/x\n`)])
    const [redacted] = redact([{ ...frame(""), data: Tape.payloadOf(bytes) }], { home: "/home/zoë" })
    expect(redacted?._tag === "Data" && redacted.data).toHaveProperty("base64")
    expect(textOf(redacted)).toBe("\ufffd REDACTED_email_1 /REDACTED_home_1/x\n")
  })

  it("that are not data lose theirs: headers, urls, reasons, notes, arguments", () => {
    const key = planted["anthropic"] ?? ""
    const redactor = Tape.makeRedactor(options)
    const redacted = [
      {
        _tag: "Open",
        wait: 0,
        url: `ws://h/?key=${key}`,
        headers: { Authorization: "Bearer abcdefghijkl", "x-api-key": "0123456789" }
      },
      { _tag: "Marker", wait: 0, text: key },
      { _tag: "Close", wait: 0, from: "agent", channel: "ws", ws: { code: 1000, reason: key } }
    ].flatMap((one) => redactor.push(one as Tape.Frame))
    expect(redacted).toMatchObject([
      {
        url: "ws://h/?key=REDACTED_api-key_1",
        headers: { Authorization: "Bearer REDACTED_bearer_1", "x-api-key": "REDACTED_secret_1" }
      },
      { text: "REDACTED_api-key_1" },
      { ws: { reason: "REDACTED_api-key_1" } }
    ])
    const header = {
      tape: 1,
      agentwire: "0",
      runtime: { name: "claude-code" },
      transport: "stdio",
      startedAt: "",
      redacted: []
    } as const
    expect(redactor.header({ ...header, argv: ["-p", key] })).toMatchObject({
      argv: ["-p", "REDACTED_api-key_1"],
      redacted: expect.arrayContaining(["env", "home", "user", "api-key", "email"])
    })
  })

  it("of every recording decode to the same with secrets planted", () => {
    const outcome = (text: string) => {
      const decoded = decodeLine(text)
      return decoded._tag === "Known" ? decoded.name : decoded._tag === "Unknown" ? decoded.type : decoded.error.code
    }
    for (const version of recordings.slice(-1)) {
      const wire = readRecording(version).filter((_, index) => index % 7 === 0)
      let count = 0
      const plant = (value: unknown, key: string): unknown => {
        if (typeof value === "string" && /^(text|content|thinking|command|cwd|result|description|stdout)$/.test(key))
          return `${value} ${secrets[count++ % secrets.length]} `
        if (Array.isArray(value)) return value.map((item) => plant(item, key))
        if (typeof value !== "object" || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plant(item, name)]))
      }
      const before = wire.map(({ from, line }) => ({ from, line: JSON.stringify(plant(JSON.parse(line), "")) }))
      const frames = before.map(({ from, line }) => frame(`${line}\n`, from === "host" ? "stdin" : "stdout"))
      const after = redact(frames)
      expect(after.length).toBe(frames.length)
      for (const [index, one] of after.entries()) {
        const text = textOf(one)
        expect(text.endsWith("\n") && text.indexOf("\n") === text.length - 1).toBe(true)
        expect(outcome(text)).toBe(outcome(before[index]?.line ?? ""))
        for (const each of secrets) expect(text).not.toContain(JSON.stringify(each).slice(1, -1))
      }
      expect(count).toBeGreaterThan(200)
    }
  })
})
