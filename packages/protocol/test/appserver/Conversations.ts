/** The model's events of the tapes of both runtimes, with their times, and what a client of the app-server is told. */
import { loadTape, tapes } from "@agentwire/fixtures"
import { decodeLine } from "../../src/claude/index.ts"
import { AppServer, Claude, type Model, Tape } from "../../src/index.ts"
import { folded, heardIn, sessions, threadsIn } from "../codex/Sessions.ts"

/** A recorded conversation. */
export interface Conversation {
  readonly name: string
  readonly events: ReadonlyArray<AppServer.Timed>
}

/** What the thread is called in these tests. */
export const options: AppServer.AppServerOptions = { threadId: "00000000-0000-7000-8000-000000000001", cwd: "/work" }

const timed = (events: ReadonlyArray<Model.Event>): ReadonlyArray<AppServer.Timed> =>
  events.map((event, index) => ({ at: 1_700_000_000_000 + index, event }))

/** The events of a tape of Claude Code, to the end of the agent. */
const claudeEvents = (entry: (typeof tapes)[number]): ReadonlyArray<Model.Event> => {
  const events: Array<Model.Event> = []
  let state = Claude.initialFold()
  for (const { from, line } of Tape.tapeLines(loadTape(entry).frames)) {
    if (from !== "agent" || line._tag !== "Text" || line.text.trim() === "") continue
    const [next, given] = Claude.foldMessage(state, decodeLine(line.text))
    state = next
    events.push(...given)
  }
  events.push(...Claude.endFold(state, { type: "end" })[1])
  return events
}

/** One tape of each scenario every day; all versions of all of them in a sweep. */
const isSwept = process.env["AGENTWIRE_SWEEP"] !== undefined
const newest = (version: string): boolean => isSwept || version.startsWith("2.1.325") || version.startsWith("0.166.0")

/** The conversations of Claude Code. */
export const claudeConversations = (): ReadonlyArray<Conversation> =>
  tapes
    .filter(({ version }) => newest(version))
    .map((entry) => ({ name: `${entry.version} ${entry.scenario}`, events: timed(claudeEvents(entry)) }))

/** The conversations of Codex, each thread by itself. */
export const codexConversations = (): ReadonlyArray<Conversation> =>
  sessions
    .filter(({ name }) => newest(name))
    .flatMap(({ lines, name }) => {
      const heard = heardIn(lines)
      return threadsIn(lines).map((thread, index) => ({
        name: `codex ${name} #${index}`,
        events: timed(folded(heard, thread).events)
      }))
    })

/** The conversations of both. */
export const conversations = (): ReadonlyArray<Conversation> => [...claudeConversations(), ...codexConversations()]

/** What a client is told of some events, of each by itself, and where it is then. */
export const written = (
  events: ReadonlyArray<AppServer.Timed>,
  from: AppServer.AppServerCursor = AppServer.initialAppServer(options)
): {
  readonly cursor: AppServer.AppServerCursor
  readonly parts: ReadonlyArray<ReadonlyArray<AppServer.AppServerOut>>
} => {
  let cursor = from
  const parts = events.map((event) => {
    const [next, given] = AppServer.writeAppServer(cursor, event)
    cursor = next
    return given
  })
  return { cursor, parts }
}
