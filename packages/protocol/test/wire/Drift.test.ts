import * as Schema from "effect/Schema"
import { describe, expect, it } from "vitest"
import { decodeLine, drift } from "../../src/claude/index.ts"
import { driftOf } from "../../src/wire/Drift.ts"
import { JsonObject, known, open, optional, variants } from "../../src/wire/Open.ts"

const Text = open("DriftTestText", { type: Schema.Literal("text"), text: Schema.String })
const Call = open("DriftTestCall", { type: Schema.Literal("call"), input: JsonObject })
const Session = open("DriftTestSession", {
  mode: known("plan", "auto"),
  content: Schema.Union([Schema.String, Schema.Array(variants("DriftTestBlock", "type", [Text, Call]))]),
  usage: optional(Schema.Record(Schema.String, open({ tokens: Schema.Finite }))),
  either: optional(Schema.Union([open({ a: Schema.String }), open({ a: Schema.String, b: Schema.String })]))
})

const of = (more: object) => driftOf(Session, { mode: "plan", content: "", ...more })

describe("drift", () => {
  it("is nothing where the schema names everything", () => {
    expect(of({})).toEqual([])
    expect(of({ content: [{ type: "text", text: "" }], usage: { m: { tokens: 1 } } })).toEqual([])
  })

  it("names a new key wherever it is: object, array, record", () => {
    expect(of({ fresh: 1 })).toEqual([{ path: "$.fresh", example: 1 }])
    expect(of({ content: [{ type: "text", text: "", fresh: 2 }] })).toEqual([
      { path: "$.content[*].fresh", example: 2 }
    ])
    expect(of({ usage: { "a-model": { tokens: 1, fresh: 3 } } })).toEqual([{ path: "$.usage[*].fresh", example: 3 }])
    expect(of({ "no-identifier": null })).toEqual([{ path: '$["no-identifier"]', example: null }])
  })

  it("names a new value of an enumeration and a new member of a union", () => {
    expect(of({ mode: "turbo" })).toEqual([{ path: "$.mode", example: "turbo" }])
    expect(of({ content: [{ type: "image", url: "" }] })).toEqual([{ path: "$.content[*].type", example: "image" }])
  })

  it("names what is missing or of another type, after what is not named", () => {
    const odd = { code: "odd-key" }
    expect(of({ mode: 1, fresh: 2 })).toEqual([
      { path: "$.fresh", example: 2 },
      { ...odd, path: "$.mode", example: 1, problem: "expected a string, found the number 1" }
    ])
    expect(of({ mode: undefined })).toEqual([
      { ...odd, path: "$.mode", example: undefined, problem: "expected mode, but it is missing" }
    ])
    expect(of({ usage: { "a-model": { tokens: null, fresh: 3 } }, content: [{ type: "text", fresh: 4 }] })).toEqual([
      { path: "$.content[*].fresh", example: 4 },
      { path: "$.usage[*].fresh", example: 3 },
      { ...odd, path: "$.content[*].text", example: undefined, problem: "expected text, but it is missing" },
      { ...odd, path: "$.usage[*].tokens", example: null, problem: "expected a finite number, found null" }
    ])
  })

  it("leaves free-form JSON alone", () => {
    expect(of({ content: [{ type: "call", input: { anything: { goes: 1 } } }] })).toEqual([])
  })

  it("takes the member that names most, where a union has no tag", () => {
    expect(of({ either: { a: "", b: "" } })).toEqual([])
    expect(of({ either: { a: "", c: "" } })).toEqual([{ path: "$.either.c", example: "" }])
  })

  it("names the keys of a known message", () => {
    const line = '{"type":"keep_alive","fresh":true}'
    expect(decodeLine(line)._tag).toBe("Known")
    expect(drift(JSON.parse(line))).toEqual([{ path: "$.fresh", example: true }])
  })

  it("names a type or a subtype that no schema has, where the message has it", () => {
    expect(drift({ type: "invented", x: 1 })).toEqual([{ path: "$.type", example: "invented" }])
    expect(drift({ type: "system", subtype: "invented" })).toEqual([{ path: "$.subtype", example: "invented" }])
    expect(drift({ type: "control_request", request: { subtype: "invented" } })).toEqual([
      { path: "$.request.subtype", example: "invented" }
    ])
  })

  it("has nothing to say of what is no message", () => {
    expect([null, 1, [], {}, { type: 1 }, { type: "system" }].map(drift)).toEqual([[], [], [], [], [], []])
  })
})
