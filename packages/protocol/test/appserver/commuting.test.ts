/**
 * The commuting law: what an independent reader of the protocol (the fold of Codex's own wire) makes of what a client is
 * told is the model's transcript, but for what the protocol cannot say (docs/app-server.md).
 */
import { readFile } from "node:fs/promises"
import { expect, test } from "vitest"
import { Dialogue, endFold, foldMessage, initialFold } from "../../src/codex/index.ts"
import { type AppServer, Model } from "../../src/index.ts"
import { conversations, options, written } from "./Conversations.ts"
import { heard, losses, projected } from "./Projection.ts"

/** The lines of a connection. */
const linesOf = (told: ReadonlyArray<AppServer.AppServerOut>): ReadonlyArray<string> => {
  const numbers = new Map<string, number>()
  return told.map((out) => {
    if (out._tag === "Notification") return JSON.stringify({ method: out.method, params: out.params })
    if (out._tag === "Resolved") {
      const params = { threadId: out.threadId, requestId: numbers.get(out.request) }
      return JSON.stringify({ method: "serverRequest/resolved", params })
    }
    numbers.set(out.request, numbers.size)
    return JSON.stringify({ id: numbers.get(out.request), method: out.method, params: out.params })
  })
}

/** What a reader makes of the lines. */
const read = (lines: ReadonlyArray<string>, pageTools: ReadonlyArray<string>): ReadonlyArray<Model.Event> => {
  const dialogue = new Dialogue()
  const events: Array<Model.Event> = []
  let state = initialFold({ threadId: options.threadId, pageTools })
  for (const line of lines) {
    const [next, given] = foldMessage(state, dialogue.hear("server", line))
    state = next
    events.push(...given)
  }
  return [...events, ...endFold(state, { type: "end" })[1]]
}

const outcomes = (events: ReadonlyArray<Model.Event>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "turn_ended" ? [event.outcome.type === "limited" ? "failed" : event.outcome.type] : []
  )

/** The ids of what some events say, whose type is one. */
const idsOf = (
  events: ReadonlyArray<Model.Event>,
  isMeant: (event: Model.Event & { readonly id: string }) => boolean
): ReadonlySet<string> =>
  new Set(
    events.flatMap((event) =>
      "id" in event && event.id !== undefined && isMeant({ ...event, id: event.id }) ? [event.id] : []
    )
  )

const all = conversations()

test("there are conversations of both runtimes", () => {
  expect(all.filter(({ name }) => name.startsWith("codex")).length).toBeGreaterThan(100)
  expect(all.filter(({ name }) => !name.startsWith("codex")).length).toBeGreaterThan(100)
})

test("what a reader has of every conversation is the model's transcript", () => {
  for (const { events: timed, name } of all) {
    const events = timed.map(({ event }) => event)
    const told = written(timed).parts.flat()
    const pageTools = events.flatMap((event) =>
      event.type === "item_started" && event.item.kind === "call" && event.item.action === "page_tool"
        ? [event.item.tool]
        : []
    )
    const back = read(linesOf(told), pageTools)
    const known = {
      told: idsOf(
        events,
        (event) => (event.type === "item_ended" && event.abandoned !== true) || event.type === "call_answered"
      ),
      answered: idsOf(events, ({ type }) => type === "call_answered"),
      denied: deniedIn(events)
    }
    const model = projected(Model.transcriptOf(events).entries, options.cwd, known)
    expect(heard(Model.transcriptOf(back).entries, known), name).toEqual(model)
    expect(outcomes(back), name).toEqual(outcomes(events))
    expect(questions(back), name).toEqual(questions(events))
    expect(spending(back), name).toEqual(spending(events))
  }
})

/** The kinds of what was asked, in order, as far as the protocol tells them apart: a plan is asked about as a call is. */
const questions = (events: ReadonlyArray<Model.Event>): ReadonlyArray<string> =>
  events.flatMap((event) =>
    event.type === "request_opened" ? [event.request.kind === "plan" ? "permission" : event.request.kind] : []
  )

/** What each turn has spent: the most that was said of it. */
const spending = (events: ReadonlyArray<Model.Event>): ReadonlyArray<Model.Usage> => {
  const turns: Array<Model.Usage> = []
  let spent = Model.noUsage
  for (const event of events) {
    if (event.type === "turn_started") spent = Model.noUsage
    const usage = event.type === "spent" || event.type === "turn_ended" ? event.usage : undefined
    if (usage !== undefined)
      spent = {
        input: Math.max(spent.input, usage.input),
        output: Math.max(spent.output, usage.output),
        cachedInput: Math.max(spent.cachedInput, usage.cachedInput),
        cacheWriteInput: Math.max(spent.cacheWriteInput, usage.cacheWriteInput)
      }
    if (event.type === "turn_ended") turns.push(spent)
  }
  return turns
}

const deniedIn = (events: ReadonlyArray<Model.Event>): ReadonlySet<string> => {
  const calls = new Map<string, string>()
  const denied = new Set<string>()
  for (const event of events) {
    if (event.type === "request_opened" && event.request.kind !== "form")
      calls.set(event.request.id, event.request.call)
    const call = event.type === "request_closed" ? calls.get(event.id) : undefined
    if (
      call !== undefined &&
      event.type === "request_closed" &&
      (event.by === "expired" || event.by === "abandoned" || (event.by === "answered" && event.verdict === "deny"))
    )
      denied.add(call)
  }
  return denied
}

test("what is lost on the way is written down", async () => {
  const text = await readFile(new URL("../../../../docs/app-server.md", import.meta.url), "utf8")
  const [, table = ""] = text.split("| lost | why |\n|---|---|\n")
  const [rows = ""] = table.split("\n\n")
  expect(rows.split("\n")).toEqual(losses.map(([what, why]) => `| ${what} | ${why} |`))
})
