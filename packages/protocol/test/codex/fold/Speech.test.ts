import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { transcriptOf } from "../../../src/model/Transcript.ts"
import { began, completed, delta, fold, note, over, started } from "./Lines.ts"

const message = (text: string) => ({ type: "agentMessage", id: "m", text })
const texts = (lines: ReadonlyArray<object>) =>
  transcriptOf(fold([began(), ...lines, over()]).events).entries.map((entry) =>
    entry.kind === "text" || entry.kind === "thought"
      ? `${entry.text}${entry.abandoned === true ? "!" : ""}`
      : entry.kind
  )

describe("a text", () => {
  it("is the same however it is cut, half pairs included, whole or without an end", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme", maxLength: 6 }), { maxLength: 5 }),
        fc.nat(20),
        (words, cut) => {
          const text = words.join("")
          const at = Math.min(cut, text.length)
          const pieces = [text.slice(0, at), text.slice(at)].map((piece) => delta("m", piece))
          const expected = text === "" ? [] : [text]
          expect(texts([started(message("")), ...pieces, completed(message(text))])).toEqual(expected)
          expect(texts([completed(message(text))])).toEqual(expected)
          expect(texts(pieces)).toEqual(expected)
        }
      )
    )
  })

  it("is said once more where pieces of it were lost: what was shown cannot be taken back", () => {
    expect(texts([delta("m", "llo"), completed(message("Hello"))])).toEqual(["llo!", "Hello"])
    expect(texts([delta("m", "Hel"), completed(message("Hello"))])).toEqual(["Hello"])
  })

  it("is not said again when its item is completed twice, or grows after its end", () => {
    expect(texts([completed(message("Hello")), delta("m", "!"), completed(message("Hello"))])).toEqual(["Hello"])
  })

  it("is abandoned where the model's stream broke, and said again under another id (§3.12)", () => {
    const retry = note("error", { error: { message: "Reconnecting" }, willRetry: true })
    expect(texts([delta("m", "Hel"), retry, delta("n", "Hello")])).toEqual(["Hel!", "Hello"])
  })

  it("continues where it was taken for abandoned and comes after all", () => {
    const retry = note("error", { error: { message: "Reconnecting" }, willRetry: true })
    expect(texts([delta("m", "Hel"), retry, delta("m", "lo")])).toEqual(["Hello"])
    expect(texts([delta("m", "Hello"), retry, completed(message("Hello"))])).toEqual(["Hello"])
  })

  it("is cut off by what the person says while it is said (§3.20)", () => {
    const steer = { type: "userMessage", id: "s", content: [{ type: "text", text: "No" }] }
    expect(texts([delta("m", "Hel"), started(steer), completed(steer), delta("n", "Yes")])).toEqual([
      "Hel!",
      "prompt",
      "Yes"
    ])
  })
})

describe("a thought", () => {
  const summary = (piece: string, summaryIndex?: number) =>
    note("item/reasoning/summaryTextDelta", { itemId: "r", delta: piece, summaryIndex })
  const part = (summaryIndex?: number) => note("item/reasoning/summaryPartAdded", { itemId: "r", summaryIndex })

  it("has its sections apart, whoever tells where they begin", () => {
    const whole = completed({ type: "reasoning", id: "r", summary: ["One", "Two"], content: [] })
    expect(texts([whole])).toEqual(["One\n\nTwo"])
    expect(texts([part(0), summary("One", 0), part(1), summary("Two", 1), whole])).toEqual(["One\n\nTwo"])
    expect(texts([summary("One", 0), summary("Two", 1), whole])).toEqual(["One\n\nTwo"])
    expect(texts([part(), summary("One"), part(), summary("Two"), whole])).toEqual(["One\n\nTwo"])
  })

  it("has its raw part beside its summary", () => {
    const raw = note("item/reasoning/textDelta", { itemId: "r", delta: "hm", contentIndex: 0 })
    expect(texts([summary("One", 0), raw])).toEqual(["One", "hm"])
  })
})
