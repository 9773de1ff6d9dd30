/**
 * The commuting law of normalised events, on tapes of a real Claude Code and threads of a real Codex: what a client has that
 * was written from docs/normalised-events.md alone is the model's transcript, up to the table that stands there.
 */
import { expect, test } from "vitest"
import { chosenTapes, sweeping } from "../../../fixtures/test/Sweep.ts"
import { Model, type Normalised } from "../../src/index.ts"
import { sessions, threadsIn } from "../codex/Sessions.ts"
import { timedCodexEvents, timedEvents, written } from "./Tapes.ts"

type Json = Readonly<Record<string, unknown>>

/** A client that knows the page and nothing else: what it has of a conversation. */
class Client {
  readonly entries = new Map<string, Record<string, unknown>>()

  hear({ data, type }: { readonly type: string; readonly data: Json }): void {
    const by = data["subagent_id"] ?? null
    switch (type) {
      case "delta":
        this.#grow("text", String(data["message_id"]), by, String(data["text"]))
        return
      case "thinking":
        if (data["message_id"] !== undefined && data["text"] !== "")
          this.#grow("thinking", String(data["message_id"]), by, String(data["text"]))
        return
      case "tool_start": {
        const { action, input, tool, tool_use_id } = data
        this.#add("tool", String(tool_use_id), { by, tool, action, input })
        return
      }
      case "tool_result": {
        const { exit_code, is_error, output, tool_use_id } = data
        this.#add("result", String(tool_use_id), { by, output, is_error, exit_code })
        return
      }
    }
  }

  #add(kind: string, id: string, entry: Json): void {
    this.entries.set(`${kind} ${id}`, { ...entry })
  }

  #grow(kind: string, id: string, by: unknown, text: string): void {
    const key = `${kind} ${id}`
    const known = this.entries.get(key)
    this.entries.set(key, { by, text: `${known?.["text"] ?? ""}${text}` })
  }
}

const asObject = (text: string): unknown => {
  if (!/^\s*\{/.test(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

type Entry = Model.TranscriptEntry
type Of<K extends Entry["kind"]> = Extract<Entry, { readonly kind: K }>
type Projected = readonly [name: string, entry: Json]

/** What a client has of each entry; undefined: nothing. The table of the page, in code. */
const table: {
  readonly [K in Entry["kind"]]: (entry: Of<K>, answered: ReadonlySet<string>) => Projected | undefined
} = {
  prompt: () => undefined,
  task: () => undefined,
  text: ({ id, lane, text }) => (text === "" ? undefined : [`text ${id}`, { by: lane, text }]),
  thought: ({ id, lane, text }) => (text === "" ? undefined : [`thinking ${id}`, { by: lane, text }]),
  call: ({ abandoned, action, arguments: args, id, lane, tool }, answered) =>
    abandoned === true && !answered.has(id)
      ? undefined
      : [`tool ${id}`, { by: lane, tool, action, input: asObject(args) }],
  result: ({ content, exitCode, failed, id, lane }) => [
    `result ${id}`,
    { by: lane, output: content, is_error: failed, exit_code: exitCode }
  ]
}

const projected = (entries: ReadonlyArray<Entry>): ReadonlyMap<string, Json> => {
  const answered = new Set(entries.flatMap(({ id, kind }) => (kind === "result" ? [id] : [])))
  return new Map(
    entries.flatMap((entry) => {
      const project = table[entry.kind] as (entry: Entry, answered: ReadonlySet<string>) => Projected | undefined
      const found = project(entry, answered)
      return found === undefined ? [] : [found]
    })
  )
}

const cases: ReadonlyArray<readonly [name: string, events: ReadonlyArray<Normalised.Timed>]> = [
  ...chosenTapes.map((entry) => [`${entry.version} ${entry.scenario}`, timedEvents(entry)] as const),
  ...sessions
    .filter((_, nth) => sweeping || nth % 4 === 0)
    .flatMap((session) =>
      threadsIn(session.lines).map((thread) => [session.name, timedCodexEvents(session, thread)] as const)
    )
]

test("a client that has heard everything has the transcript", () => {
  let count = 0
  for (const [name, events] of cases) {
    const client = new Client()
    for (const told of written(events)[1].flat()) client.hear(JSON.parse(JSON.stringify(told)))
    const wanted = projected(Model.transcriptOf(events.map(({ event }) => event)).entries)
    expect(client.entries, name).toEqual(wanted)
    count += wanted.size
  }
  expect(count).toBeGreaterThan(300)
})
