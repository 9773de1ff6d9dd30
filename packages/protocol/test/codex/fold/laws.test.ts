/** The laws of the fold, on every recorded session of Codex and on each of its threads. */
import { describe, expect, it } from "vitest"
import type { Event } from "../../../src/model/Event.ts"
import { applyToSituation, emptySituation } from "../../../src/model/Situation.ts"
import { transcriptOf } from "../../../src/model/Transcript.ts"
import { isRecord } from "../../../src/wire/Json.ts"
import { faultsOf, folded, heardIn, sessions, threadsIn, translated } from "../Sessions.ts"

const threads = sessions.flatMap((session) => {
  const heard = heardIn(session.lines)
  return threadsIn(session.lines).map((thread, index) => ({
    name: `${session.name} #${index}`,
    session,
    heard,
    thread
  }))
})

type Json = Readonly<Record<string, unknown>>

const messagesOf = (thread: string, lines: (typeof sessions)[number]["lines"], method: string): ReadonlyArray<Json> =>
  lines.flatMap(({ from, text }) => {
    const message: unknown = from === "server" ? JSON.parse(text) : undefined
    const params = isRecord(message) && message["method"] === method ? message["params"] : undefined
    return isRecord(params) && params["threadId"] === thread ? [params] : []
  })

/** The completed items of a type on a thread. */
const completed = (thread: string, lines: (typeof sessions)[number]["lines"], type: string): ReadonlyArray<Json> =>
  messagesOf(thread, lines, "item/completed").flatMap(({ item }) =>
    isRecord(item) && item["type"] === type ? [item] : []
  )

it("there are sessions, and most have a thread", () => {
  expect(sessions.length).toBeGreaterThan(60)
  expect(threads.length).toBeGreaterThan(60)
})

describe.each(threads)("$name", ({ heard, session, thread }) => {
  const { events } = folded(heard, thread)
  const { entries } = transcriptOf(events)

  it("says every message of the agent once, and every thought", () => {
    const said = entries.filter((entry) => entry.lane === null && entry.kind === "text" && entry.abandoned !== true)
    const texts = [...completed(thread, session.lines, "agentMessage"), ...completed(thread, session.lines, "plan")]
    expect(said.map((entry) => ("text" in entry ? entry.text : "")).sort()).toEqual(
      texts.flatMap(({ text }) => (text === "" ? [] : [text])).sort()
    )
    const thoughts = entries.flatMap((entry) =>
      entry.kind === "thought" && entry.lane === null && entry.abandoned !== true ? [entry.text] : []
    )
    const told = completed(thread, session.lines, "reasoning").flatMap(({ content, summary }) =>
      [summary, content].flatMap((parts) => (Array.isArray(parts) && parts.length > 0 ? [parts.join("\n\n")] : []))
    )
    expect(thoughts.sort()).toEqual(told.sort())
  })

  it("has every command once, with its output and its exit code", () => {
    const results = entries.flatMap((entry) => (entry.kind === "result" && entry.lane === null ? [entry] : []))
    expect(new Set(results.map(({ id }) => id)).size).toBe(results.length)
    const tasks = new Map(
      entries.flatMap((entry) => (entry.kind === "task" ? [[entry.id, entry.content] as const] : []))
    )
    for (const { aggregatedOutput, exitCode, id } of completed(thread, session.lines, "commandExecution")) {
      const task = tasks.get(`task:${String(id)}`)
      const result = results.find((each) => each.id === id)
      const found = task === undefined ? { output: result?.content, exitCode: result?.exitCode } : task
      if (typeof aggregatedOutput === "string") expect(found["output"]).toBe(aggregatedOutput)
      if (typeof exitCode === "number") expect(found["exitCode"]).toBe(exitCode)
    }
  })

  it("ends every turn that Codex ends, as Codex ends it, and leaves nothing open", () => {
    const outcomes = { completed: "completed", interrupted: "cancelled", failed: "failed" } as const
    const ends = messagesOf(thread, session.lines, "turn/completed").map(({ turn }) =>
      isRecord(turn) ? outcomes[turn["status"] as keyof typeof outcomes] : ""
    )
    const told = events.flatMap((event) => (event.type === "turn_ended" ? [event.outcome.type] : []))
    expect(told.slice(0, ends.length).map((type) => (type === "limited" ? "failed" : type))).toEqual(ends)
    const starts = events.filter(({ type }) => type === "turn_started").length
    expect(told.length).toBe(starts)
    const { items, lanes, requests, turn } = events.reduce(applyToSituation, emptySituation)
    expect({ items: items.size, lanes: lanes.size, requests: requests.size, turn }).toEqual({
      items: 0,
      lanes: 0,
      requests: 0,
      turn: undefined
    })
  })

  it("opens every question once and closes it once", () => {
    const asked = session.lines.filter(({ from, text }) => {
      const message: unknown = from === "server" ? JSON.parse(text) : undefined
      const isAsked = isRecord(message) && "method" in message && "id" in message
      return isAsked && isRecord(message["params"]) && message["params"]["threadId"] === thread
    })
    const ids = (type: Event["type"]) =>
      events.flatMap((event) =>
        event.type !== type
          ? []
          : event.type === "request_opened"
            ? [event.request.id]
            : event.type === "request_closed"
              ? [event.id]
              : []
      )
    const opened = ids("request_opened")
    expect(new Set(opened).size).toBe(opened.length)
    expect(ids("request_closed").sort()).toEqual([...opened].sort())
    expect(opened.length).toBeGreaterThanOrEqual(asked.filter(({ text }) => /item\/|elicitation/.test(text)).length)
  })

  it("says the same whether it was streamed or came whole", () => {
    const whole = heard.filter(
      ({ decoded }) => !(decoded._tag === "Known" && /[dD]elta$|summaryPartAdded$/.test(decoded.name))
    )
    const gist = (list: ReadonlyArray<Event>): unknown => {
      // What was cut off is only in the stream.
      const complete = transcriptOf(list).entries.filter((entry) => !("abandoned" in entry && entry.abandoned === true))
      return {
        said: complete.filter(({ kind }) => kind === "text" || kind === "thought" || kind === "call").sort(byId),
        ended: list.flatMap((event) => (event.type === "turn_ended" ? [event.outcome] : []))
      }
    }
    expect(gist(folded(whole, thread).events)).toEqual(gist(events))
  })

  it.each(["1.0", "0.0"] as const)("is legal AG-UI %s, whether questions end runs or not", (dialect) => {
    expect(faultsOf(translated(heard, dialect, thread), dialect)).toEqual([])
    expect(faultsOf(translated(heard, dialect, thread, "event"), dialect)).toEqual([])
  })
})

const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0

it("keeps nothing of what is done, however long a thread is", () => {
  const lines = sessions.find(({ name }) => name.includes("command_accept "))?.lines ?? []
  const heard = heardIn(lines)
  const at = (method: string) => heard.findIndex(({ decoded }) => decoded._tag === "Known" && decoded.name === method)
  const [begins, ends] = [at("turn/started"), at("turn/completed")]
  const { turn } = JSON.parse(lines[begins]?.text ?? "{}").params
  const round = (number: number) =>
    heardIn(
      lines.slice(begins, ends + 1).map(({ from, text }) => ({
        from,
        text: text.replaceAll(turn.id, `turn-${number}`).replace(/"(call|msg|rs)_/g, `"$1_${number}_`)
      }))
    )
  const weights = [300, 600].map((rounds) => {
    const all = [
      ...heard.slice(0, begins),
      ...Array.from({ length: rounds }, (_, number) => round(1000 + number)).flat()
    ]
    return weightOf(folded(all).states.at(-1))
  })
  expect(weights[1]).toBeLessThanOrEqual((weights[0] ?? 0) + 20)
})

const weightOf = (value: unknown): number =>
  JSON.stringify(value, (_, inner: unknown) =>
    inner instanceof Map ? [...inner] : inner instanceof Set ? [...inner] : inner
  ).length

it("would find an item that is not closed", () => {
  const hello = sessions.find(({ name }) => name.includes(" hello "))
  const events = translated(heardIn(hello?.lines ?? []), "1.0")
  expect(events.length).toBeGreaterThan(5)
  expect(
    faultsOf(
      events.filter(({ type }) => type !== "TEXT_MESSAGE_END"),
      "1.0"
    )
  ).not.toEqual([])
})

it("hears nothing of other threads", () => {
  for (const { heard, session, thread } of threads) {
    const others = threadsIn(session.lines).filter((each) => each !== thread)
    for (const other of others) {
      const ids = (id: string) =>
        transcriptOf(folded(heard, id).events).entries.flatMap(({ id: entry, lane }) => (lane === null ? [entry] : []))
      const here = new Set(ids(thread))
      expect(ids(other).filter((id) => here.has(id) && !/:/.test(id))).toEqual([])
    }
  }
})
