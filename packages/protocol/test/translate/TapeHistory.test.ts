/** Both sides of a session as one conversation. */
import { loadTape, tapes } from "@agentwire/fixtures"
import { describe, expect, it } from "vitest"
import { casesOf, chosenTapes } from "../../../fixtures/test/Sweep.ts"
import { decodeLine } from "../../src/claude/index.ts"
import { Agui, type Claude, Tape, Translate } from "../../src/index.ts"

const saidOn = ({ frames }: Tape.Tape): ReadonlyArray<Translate.Said> =>
  Tape.tapeLines(frames).flatMap(({ from, line }) =>
    line._tag === "Text" && line.text.trim() !== "" ? [{ ...decodeLine(line.text), from }] : []
  )

const prompts = ({ history }: Translate.Dialogue): ReadonlyArray<string> =>
  history.messages.filter(({ role }) => role === "user").map(({ id }) => id)

const user = (line: Partial<Claude.User>): Translate.Said => {
  const decoded = decodeLine(JSON.stringify({ type: "user", parent_tool_use_id: null, session_id: "", ...line }))
  return { ...decoded, from: "host" }
}

describe("the conversation on a tape", () => {
  it("holds every prompt once, and besides them exactly what a client has", () => {
    let found = 0
    for (const entry of chosenTapes) {
      const tape = loadTape(entry)
      const said = saidOn(tape)
      const sent = said.filter(
        (one) =>
          one.from === "host" && one._tag === "Known" && one.name === "user" && one.message.message.role === "user"
      )
      const { messages } = Translate.tapeHistory(tape, { threadId: "t" })
      const own = messages.filter(({ role }) => role === "user")
      const ids = new Set(
        sent.map((one, index) => (one._tag === "Known" && uuidOf(one.message)) || `t:prompt:${index + 1}`)
      )
      expect(own.map(({ id }) => id).sort(), entry.file).toEqual([...ids].sort())
      const exit = tape.frames.find((frame) => frame._tag === "Exit")
      const agent = said.filter(({ from }) => from === "agent")
      const reason = exit === undefined ? undefined : { type: "exit" as const, code: exit.code, signal: exit.signal }
      const alone = Agui.foldEvents(Translate.translateMessages(agent, { threadId: "t" }, reason))
      expect(messages.filter(({ role }) => role !== "user")).toEqual(alone.messages)
      found += own.length
    }
    expect(found).toBeGreaterThan(casesOf(1000))
  })

  it("has taken up, by the end of each turn, the prompts that 2.1.325 says the turn took", () => {
    let checked = 0
    for (const entry of tapes.filter(({ version }) => version === "2.1.325")) {
      let dialogue = Translate.emptyDialogue({ threadId: "t" })
      let before: ReadonlyArray<string> = []
      for (const one of saidOn(loadTape(entry))) {
        dialogue = Translate.withMessages(dialogue, [one])
        if (one._tag !== "Known" || !one.name.startsWith("result/")) continue
        const now = prompts(dialogue)
        const { user_message_uuids: taken } = one.message as { readonly user_message_uuids?: ReadonlyArray<string> }
        if (taken !== undefined) {
          expect(now.slice(before.length), entry.scenario).toEqual(taken)
          checked++
        }
        before = now
      }
    }
    expect(checked).toBeGreaterThan(10)
  })

  it("does not depend on how the messages come", () => {
    for (const scenario of ["queue_prompt", "queue_prompt_during_tool", "interrupt_keeps_queue"]) {
      const said = saidOn(loadTape({ scenario, version: "2.1.325" }))
      const whole = Translate.withMessages(Translate.emptyDialogue({ threadId: "t" }), said)
      const single = said.reduce(
        (next, one) => Translate.withMessages(next, [one]),
        Translate.emptyDialogue({ threadId: "t" })
      )
      expect(Translate.historyOf(single)).toEqual(Translate.historyOf(whole))
    }
  })

  it("gives one prompt to each turn of a CLI that does not merge them, and all to one that does", () => {
    const roles = (version: string) =>
      Translate.tapeHistory(loadTape({ scenario: "queue_prompt", version }), { threadId: "t" })
        .messages.map(({ role }) => role[0])
        .join("")
    expect(roles("2.1.37")).toBe("uauaua")
    expect(roles("2.1.325")).toBe("uauua")
  })
})

describe("a line of the host", () => {
  const promptsOf = (...lines: ReadonlyArray<Translate.Said>) =>
    Translate.historyOf(Translate.withMessages(Translate.emptyDialogue({ threadId: "t" }), lines)).messages

  it("is a prompt only when the person said it", () => {
    const result = { type: "tool_result" as const, tool_use_id: "x", content: "done" }
    expect(promptsOf(user({ message: { role: "user", content: [result] } }))).toEqual([])
    expect(promptsOf(user({ message: { role: "assistant", content: "Hi" } }))).toEqual([])
    expect(promptsOf(user({ message: { role: "user", content: "Hi" }, isSynthetic: true }))).toEqual([])
    expect(promptsOf(user({ message: { role: "user", content: "Hi" }, parent_tool_use_id: "x" }))).toEqual([])
    expect(promptsOf(user({ message: { role: "user", content: "Hi" }, uuid: "u" }))).toEqual([
      { id: "u", role: "user", content: "Hi" }
    ])
  })
})

describe("the prompt among the arguments", () => {
  const header = loadTape({ scenario: "plain_text", version: "2.1.325" }).header
  it.each([
    [["-p", "hello", "--verbose"], "hello"],
    [["--verbose", "--print", "hello"], "hello"],
    [["-p", "--verbose"], undefined],
    [["hello"], undefined],
    [["-p", "hello", "--input-format", "stream-json"], undefined],
    [["-p", "hello", "--input-format=stream-json"], undefined],
    [["-p", "hello", "--input-format", "text"], "hello"]
  ])("of %j is %j", (argv, prompt) => {
    expect(Translate.argumentPrompt({ ...header, argv })).toBe(prompt)
  })
})

const uuidOf = (message: object): string | undefined =>
  "uuid" in message && typeof message.uuid === "string" ? message.uuid : undefined
