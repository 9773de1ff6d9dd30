/** The laws of the app-server's face, on every tape of both runtimes. */
import { expect, test } from "vitest"
import { serverNotifications, serverRequests } from "../../src/codex/generated/Methods.ts"
import { AppServer, Model } from "../../src/index.ts"
import { compileCheck } from "../../src/wire/internal/Check.ts"
import { isRecord } from "../../src/wire/Json.ts"
import { sessions } from "../codex/Sessions.ts"
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

/** What is not in order in what a client was told, who was there from the beginning or from `from` on. */
const illegalIn = (
  told: ReadonlyArray<AppServer.AppServerOut>,
  from?: AppServer.AppServerCursor
): ReadonlyArray<string> => {
  const wrong: Array<string> = []
  const begun = [...(from?.turn === undefined ? [] : [from.turn]), ...(from?.lanes.values() ?? [])]
  const open = new Map<string, Set<string>>(begun.map(({ turn }) => [turn, new Set()]))
  const over = new Set<string>()
  const seen = new Set<string>()
  for (const out of told) {
    if (out._tag !== "Notification") continue
    const check = (isRight: boolean | undefined): void => {
      if (isRight !== true) wrong.push(JSON.stringify(out))
    }
    if (out.method === "turn/started") {
      check(!open.has(out.params.turn.id) && !over.has(out.params.turn.id))
      open.set(out.params.turn.id, new Set())
      continue
    }
    if (out.method === "turn/completed") {
      check(open.get(out.params.turn.id)?.size === 0)
      open.delete(out.params.turn.id)
      over.add(out.params.turn.id)
      continue
    }
    if (!("turnId" in out.params) || typeof out.params.turnId !== "string") continue
    const items = open.get(out.params.turnId)
    check(items !== undefined)
    if (out.method === "item/started") {
      const { id } = out.params.item as { readonly id: string }
      check(!seen.has(id))
      seen.add(id)
      items?.add(id)
    } else if (out.method === "item/completed") check(items?.delete((out.params.item as { readonly id: string }).id))
    else if ("itemId" in out.params) check(items?.has(String(out.params.itemId)))
  }
  return [...wrong, ...[...open.keys()].map((turn) => `${turn} has no end`)]
}

test("every item that begins is completed, once, before the end of its turn; nothing of a turn follows its end", () => {
  for (const { name, told } of all) expect(illegalIn(told), name).toEqual([])
})

test("would find an item that is not closed", () => {
  const [first] = all
  const isEnd = (out: AppServer.AppServerOut): boolean => out._tag === "Notification" && out.method === "item/completed"
  expect(illegalIn(first?.told ?? [])).toEqual([])
  expect(illegalIn((first?.told ?? []).filter((out) => !isEnd(out)))).not.toEqual([])
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

/** The keys of what is said, by method and by type of item, however deep the params are one object. */
const shapesOf = (messages: Iterable<{ readonly method: string; readonly params: unknown }>) => {
  const shapes = new Map<string, Set<string>>()
  const note = (name: string, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return
    const keys = shapes.get(name) ?? new Set()
    shapes.set(name, keys)
    for (const key of Object.keys(value)) keys.add(key)
  }
  for (const { method, params } of messages) {
    note(method, params)
    const { item, turn } = params as { readonly item?: { readonly type: string }; readonly turn?: object }
    if (item !== undefined) note(`item ${item.type}`, item)
    note("turn", turn)
  }
  return shapes
}

/** Keys of which there is only one side: of the real program's own cases, and of those that no tape has. */
const others: Readonly<Record<string, ReadonlyArray<string>>> = {
  "item/commandExecution/requestApproval": ["proposedExecpolicyAmendment", "additionalPermissions"],
  // A form that is a page to visit.
  "mcpServer/elicitation/request": ["elicitationId", "url"]
}

test("messages have the keys that those of the real program have", () => {
  const real = shapesOf(
    sessions
      .filter(({ name }) => name.startsWith("0.166.0"))
      .flatMap(({ lines }) =>
        lines.flatMap(({ from, text }) => {
          const value: unknown = from === "server" && text.startsWith("{") ? JSON.parse(text) : undefined
          return isRecord(value) && typeof value["method"] === "string"
            ? [{ method: value["method"], params: value["params"] }]
            : []
        })
      )
  )
  const ours = shapesOf(
    all.flatMap(({ told }) =>
      told.flatMap((out) => (out._tag === "Resolved" ? [] : [{ method: out.method, params: out.params }]))
    )
  )
  let compared = 0
  for (const [name, keys] of ours) {
    const theirs = real.get(name)
    if (theirs === undefined) continue
    compared++
    const isCompared = (key: string): boolean => !(others[name] ?? []).includes(key)
    const missing = [...theirs].filter((key) => !keys.has(key)).filter(isCompared)
    expect({ name, missing, added: [...keys].filter((key) => !theirs.has(key)).filter(isCompared) }).toEqual({
      name,
      missing: [],
      added: []
    })
  }
  expect(compared).toBeGreaterThan(25)
})

test("who joins at any event is told a legal rest, that ends as it does for everybody", () => {
  for (const { events, name, parts } of all) {
    let situation = Model.emptySituation
    const builder = new Model.TranscriptBuilder()
    // Long ones in steps: what is open changes slowly.
    const step = Math.max(1, Math.floor(events.length / 8))
    for (const [index, { event }] of events.entries()) {
      if (index % step === 0) {
        const from = AppServer.initialAppServer(options, situation, builder.snapshot())
        const rest = written(events.slice(index), from).parts.flat()
        expect(illegalIn(rest, from), `${name} from ${index}`).toEqual([])
        expect(endsIn(rest), name).toEqual(endsIn(parts.slice(index).flat()))
      }
      situation = Model.applyToSituation(situation, event)
      builder.apply(event)
    }
  }
})

/** The ends of turns and questions, and the whole texts of the items that were complete. */
const endsIn = (told: ReadonlyArray<AppServer.AppServerOut>): ReadonlyArray<string> =>
  told.flatMap((out) => {
    if (out._tag === "Resolved") return [`resolved ${out.request}`]
    if (out._tag === "Notification" && out.method === "turn/completed" && out.params.threadId === options.threadId)
      return [`${out.params.turn.id} ${String(out.params.turn.status)}`]
    if (out._tag !== "Notification" || out.method !== "item/completed") return []
    const { item } = out.params
    return item.type === "agentMessage" && "text" in item ? [`${item.id} ${item.text}`] : []
  })
