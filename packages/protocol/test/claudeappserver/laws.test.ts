/** The laws of the dialect claude-app-server, on every tape of a real Claude Code. */
import { tapes } from "@agentwire/fixtures"
import * as Schema from "effect/Schema"
import { describe, expect, it, test } from "vitest"
import { sweeping } from "../../../fixtures/test/Sweep.ts"
import * as App from "../../src/claudeappserver/index.ts"
import { Model } from "../../src/index.ts"
import { timedEvents } from "../normalised/Tapes.ts"

// Every day some of the tapes, in a sweep all of them.
const all = tapes
  .filter((_, nth) => sweeping || nth % 6 === 0)
  .map((entry) => {
    const events = timedEvents(entry)
    let cursor = App.initialClaudeApp("t")
    const told = events.flatMap((event) => {
      const [next, given] = App.writeClaudeApp(cursor, event)
      cursor = next
      return given
    })
    return { name: `${entry.version} ${entry.scenario}`, events, told }
  })

/** What is told under a method. */
const only = <M extends App.NotificationMethod>(told: ReadonlyArray<App.Notification>, method: M) =>
  told.flatMap((one) => (one.method === method ? [one as Extract<App.Notification, { readonly method: M }>] : []))

test("every message is what its schema says", () => {
  for (const { name, told } of all)
    for (const { method, params } of told) {
      const check = Schema.is(App.notifications[method] as Schema.Codec<unknown>)
      expect(check(JSON.parse(JSON.stringify(params))), `${name} ${method}`).toBe(true)
    }
  expect(all.flatMap(({ told }) => told).length).toBeGreaterThan(500)
})

test("the pieces of a text are the text that is created of it, and the texts are the transcript's", () => {
  for (const { events, name, told } of all) {
    const pieces = new Map<string, string>()
    for (const { params } of only(told, "item/progress"))
      if (params.delta.type === "text")
        pieces.set(params.item_id, (pieces.get(params.item_id) ?? "") + params.delta.text)
    const created = only(told, "item/created").flatMap(({ params: { item } }) => (item.type === "text" ? [item] : []))
    for (const item of created) expect(pieces.get(item.id), `${name} ${item.id}`).toBe(item.text)
    const said = Model.transcriptOf(events.map(({ event }) => event)).entries
    const texts = said.flatMap((entry) => (entry.kind === "text" && entry.text !== "" ? [[entry.id, entry.text]] : []))
    expect([...pieces].sort(), name).toEqual((texts as Array<[string, string]>).sort())
  }
})

test("a turn is started once, and ends once with the number of its items", () => {
  for (const { name, told } of all) {
    const open: Array<string> = []
    let count = 0
    for (const one of told) {
      if (one.method === "turn/started") open.push(one.params.turn_id)
      if (one.method === "turn/started") count = 0
      if (one.method === "item/created") count++
      if (one.method === "turn/completed") {
        expect(open.splice(0), name).toEqual([one.params.turn_id])
        expect(one.params.items_count, name).toBe(count)
      }
    }
    expect(open, name).toEqual([])
  }
})

test("a result comes after its call, once", () => {
  for (const { name, told } of all) {
    const items = only(told, "item/created").map(({ params }) => params.item)
    const results = items.flatMap((item) => (item.type === "tool_result" ? [item.tool_call_id] : []))
    expect(new Set(results).size, name).toBe(results.length)
    for (const id of results) {
      const call = items.findIndex((item) => item.type === "tool_call" && item.id === id)
      const result = items.findIndex((item) => item.type === "tool_result" && item.tool_call_id === id)
      expect(call >= 0 && call < result, `${name} ${id}`).toBe(true)
    }
  }
})

test("the turns of the past have what was told of them", () => {
  for (const { events, name, told } of all) {
    const turns = App.turnsOf("t", events)
    expect(
      turns.map(({ turn_id }) => turn_id),
      name
    ).toEqual(only(told, "turn/started").map(({ params }) => params.turn_id))
    expect(
      turns.flatMap(({ items }) => items.map(({ id }) => id)),
      name
    ).toEqual(
      only(told, "item/created")
        .filter(({ params }) => turns.some(({ turn_id }) => turn_id === params.turn_id))
        .map(({ params }) => params.item.id)
    )
    for (const turn of turns) expect(Schema.is(App.Turn)(JSON.parse(JSON.stringify(turn))), name).toBe(true)
  }
})

describe("a request", () => {
  it.each([
    ["initialize", { client: { name: "demo", version: "1.0" }, cwd: "/tmp/my-project" }],
    ["thread/start", { cwd: "/tmp/my-project", permission_mode: "acceptEdits" }],
    ["turn/start", { thread_id: "1", content: "List the files in this project and summarize what it does." }],
    ["approval/respond", { request_id: "r", approved: true }],
    ["model/list", undefined]
  ])("%s is read", (method, params) => {
    expect(App.readRequest(method, params)).toMatchObject({ _tag: "Success", success: { method } })
  })

  it.each([
    ["thread/dream", {}, -32601],
    ["turn/start", { thread_id: "1" }, -32602],
    ["thread/start", { permission_mode: "plan" }, -32602],
    ["approval/respond", { request_id: "r", approved: "yes" }, -32602]
  ])("%s with %j is refused", (method, params, code) => {
    expect(App.readRequest(method, params)).toMatchObject({ _tag: "Failure", failure: { code } })
  })
})

test("an approval allows, or denies", () => {
  expect(App.readApproval({ request_id: "r", approved: true })).toEqual({ type: "allow" })
  expect(App.readApproval({ request_id: "r", approved: false })).toMatchObject({ type: "deny" })
})
