/** The laws of the app-server's face, on every tape of both runtimes. */
import { expect, test } from "vitest"
import { serverNotifications, serverRequests } from "../../src/codex/generated/Methods.ts"
import { AppServer } from "../../src/index.ts"
import { compileCheck } from "../../src/wire/internal/Check.ts"
import { conversations, options, written } from "./Conversations.ts"

const all = conversations().map(({ events, name }) => {
  const { cursor, parts } = written(events)
  return { name, events, cursor, parts, told: parts.flat() }
})

test("every message is what Codex's schema of it says", () => {
  const checks = new Map<string, (value: unknown) => boolean>()
  const methods = { ...serverNotifications, ...serverRequests }
  let count = 0
  for (const { name, told } of all)
    for (const out of told) {
      if (out._tag === "Resolved") continue
      count++
      const check = checks.get(out.method) ?? compileCheck(methods[out.method].params)
      checks.set(out.method, check)
      expect(check(JSON.parse(JSON.stringify(out.params))), `${name} ${JSON.stringify(out)}`).toBe(true)
    }
  expect(count).toBeGreaterThan(5000)
  expect(checks.size).toBeGreaterThan(15)
})

test("every item that begins is completed, once, before the end of its turn; nothing of a turn follows its end", () => {
  for (const { name, told } of all) {
    const open = new Map<string, Map<string, unknown>>()
    const over = new Set<string>()
    const seen = new Set<string>()
    for (const out of told) {
      if (out._tag !== "Notification") continue
      const say = `${name} ${JSON.stringify(out)}`
      if (out.method === "turn/started") {
        expect(open.has(out.params.turn.id) || over.has(out.params.turn.id), say).toBe(false)
        open.set(out.params.turn.id, new Map())
        continue
      }
      if (out.method === "turn/completed") {
        expect([...(open.get(out.params.turn.id) ?? [["no turn"]])], say).toEqual([])
        open.delete(out.params.turn.id)
        over.add(out.params.turn.id)
        continue
      }
      if (!("turnId" in out.params) || typeof out.params.turnId !== "string") continue
      const items = open.get(out.params.turnId)
      expect(items, say).toBeDefined()
      if (out.method === "item/started") {
        const { id } = out.params.item as { readonly id: string }
        expect(seen.has(id), say).toBe(false)
        seen.add(id)
        items?.set(id, true)
      } else if (out.method === "item/completed")
        expect(items?.delete((out.params.item as { readonly id: string }).id), say).toBe(true)
      else if ("itemId" in out.params) expect(items?.has(String(out.params.itemId)), say).toBe(true)
    }
    expect([...open], name).toEqual([])
  }
})

test("what is kept at the end is nothing that is open", () => {
  for (const { cursor, name } of all) {
    const { calls, held, lanes, requests, speeches, turn } = cursor
    expect(
      { calls: calls.size, lanes: lanes.size, requests: requests.size, speeches: speeches.size, turn },
      name
    ).toEqual({ calls: 0, lanes: 0, requests: 0, speeches: 0, turn: undefined })
    expect(
      held.filter(({ event }) => event.type !== "context_reset"),
      name
    ).toEqual([])
  }
})

test("the history has the items that were streamed, and no others", () => {
  for (const { events, name, told } of all) {
    if (events.some(({ event }) => event.type === "branched")) continue
    const turns = AppServer.turnsOf(events, options)
    const streamed = told.flatMap((out) =>
      out._tag === "Notification" && out.method === "item/completed" && out.params.threadId === options.threadId
        ? [out.params.item]
        : []
    )
    const kept = turns.flatMap(({ items }) => items)
    const byId = (items: ReadonlyArray<object>) => new Map(items.map((item) => [(item as { id: string }).id, item]))
    expect(byId(kept), name).toEqual(byId(streamed))
    expect(kept.length, name).toBe(streamed.length)
  }
})
