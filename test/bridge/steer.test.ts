/**
 * Words that a person says in the middle of a turn, with the real agents: they reach the model, are in the conversation
 * once, and no turn after them answers another's prompt.
 */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { says, saysWith, text, tool } from "../../packages/fixtures/src/ScenarioWords.ts"
import { withCodex } from "./CodexBridge.ts"
import { agentAt, allowAlways, onBridge, requestText, run, say as saying, wires } from "./OnBridge.ts"

const said = (content: string) => [{ id: `m-${content}`, content }]

const say = ({ submit }: Session, content: string): Promise<unknown> => {
  const prompt = { type: "prompt", said: said(content) } as const
  return Effect.runPromise(
    submit(() => Result.succeed({ ticket: content, answers: [], results: [], tools: [], prompt }))
  )
}

const steer = (session: Session, content: string): Promise<unknown> =>
  Effect.runPromise(session.steer({ ticket: content, said: said(content) }))

/** Waits until something holds of the session. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}

const idle = (session: Session, turns: number): Promise<void> =>
  until(() => session.log.situation().turns >= turns && session.log.situation().turn === undefined)

/** What was said and how turns ended, in order: turns with their tickets, and no calls. */
const storyOf = async ({ log }: Session): Promise<ReadonlyArray<string>> => {
  await Effect.runPromise(log.settled)
  const entries = await Effect.runPromise(Stream.runCollect(Stream.take(log.read(0), log.next())))
  const texts = new Map<string, string>()
  for (const { event } of entries)
    if (event.type === "item_grew") texts.set(event.id, (texts.get(event.id) ?? "") + event.delta)
  return entries.flatMap(({ event }) => {
    if (event.type === "turn_started") return [`< ${event.ticket}`]
    if (event.type === "turn_ended") return [`> ${event.outcome.type}`]
    if (event.type !== "item_started") return []
    if (event.item.kind === "prompt") return [String(event.item.content)]
    return event.item.kind === "text" ? [texts.get(event.id) ?? ""] : []
  })
}

/** How many tokens each turn has cost, of those that the model has written. */
const usageOf = async ({ log }: Session): Promise<ReadonlyArray<number | undefined>> => {
  const entries = await Effect.runPromise(Stream.runCollect(Stream.take(log.read(0), log.next())))
  return entries.flatMap(({ event }) => (event.type === "turn_ended" ? [event.usage?.output] : []))
}

/** Waits until the agent says that it has words that it will take up. */
const queued = ({ wire }: Session): Promise<unknown> =>
  Effect.runPromise(
    Stream.runDrain(
      wire.read(0).pipe(
        Stream.filter(({ line }) => line.includes(`"command_lifecycle"`) && line.includes(`"queued"`)),
        // Before them the prompt.
        Stream.take(2)
      )
    )
  )

/** Waits until a tool is called. */
const called = ({ log }: Session): Promise<void> =>
  until(() => [...log.situation().items.values()].some(({ item }) => item.kind === "call"))

/** How often the model was told something in one request. */
const timesTold = (request: unknown, words: string): number => JSON.stringify(request).split(`"${words}"`).length - 1

describe("the real codex app-server", () => {
  it.live("hears words in the turn that is open, and words that it dropped are said again", () =>
    withCodex(
      [
        { kind: "command", command: "sleep 3; echo out" },
        { kind: "text", deltas: ["Both."] },
        { kind: "text", deltas: ["Next."] },
        { kind: "hang", deltas: ["Half"] },
        { kind: "text", deltas: ["Steered."] },
        { kind: "command", command: "exec sleep 97311" },
        { kind: "text", deltas: ["Late."] }
      ],
      { session: { policy: allowAlways, busy: "steer" } },
      async ({ asked, session: open, url }) => {
        // Another client begins a run on the thread: its words go into the turn.
        const tool = await open("tool")
        await say(tool, "One")
        await called(tool)
        const other = agentAt(url, undefined, "tool")
        other.addMessage({ id: "m-One", role: "user", content: "One" })
        saying(other, "Left")
        const { events, outcome } = await run(other)
        expect(outcome).toMatchObject({ type: "success" })
        const snapshot = events.find(({ type }) => type === "MESSAGES_SNAPSHOT")
        expect(snapshot).toMatchObject({
          messages: [{ content: "One" }, { toolCalls: [{}] }, { role: "tool" }, { content: "Left" }]
        })
        expect(other.messages.at(-1)).toMatchObject({ role: "assistant", content: "Both." })
        await idle(tool, 1)
        await say(tool, "Two")
        await idle(tool, 2)
        expect(await storyOf(tool)).toEqual([
          ...["< One", "One", "Left", "Both.", "> completed"],
          ...["< Two", "Two", "Next.", "> completed"]
        ])
        expect(timesTold(asked[1], "Left")).toBe(1)

        // At once: the server has not named the turn yet.
        const text = await open("text")
        await say(text, "Three")
        await steer(text, "Right")
        await idle(text, 1)
        // Whether the text had begun that Codex cuts is a matter of time.
        const story = (await storyOf(text)).filter((words) => words !== "Half")
        expect(story).toEqual(["< Three", "Three", "Right", "Steered.", "> completed"])
        expect(timesTold(asked[4], "Right")).toBe(1)

        // An interrupt makes Codex forget what it has not told its model.
        const stopped = await open("stopped")
        await say(stopped, "Four")
        await called(stopped)
        await steer(stopped, "Up")
        await Effect.runPromise(stopped.stop("Four"))
        await idle(stopped, 2)
        expect(await storyOf(stopped)).toEqual([
          ...["< Four", "Four", "> cancelled"],
          ...["< Up", "Up", "Late.", "> completed"]
        ])
        expect(timesTold(asked[6], "Up")).toBe(1)
      }
    )
  )
})

describe("the real CLI of Claude Code", () => {
  /** A tool that is at work until there is a file. The CLI refuses to run a long `sleep` (docs/wire/claude-code.md §5.49). */
  const waitsFor = (file: string) =>
    says(tool("Bash", { command: `until [ -e ${file} ]; do sleep 0.1; done`, description: "Wait" }))

  it.live(
    "takes words up between two calls of its model or after its last text, in one turn; after a stop in another",
    () => {
      const held = Deferred.makeUnsafe<void>()
      return onBridge(
        wires[0],
        {
          replies: [
            waitsFor("go"),
            says(text("Both.")),
            saysWith({ dripMs: 0 }, text("Half", " and half.")),
            says(text("Late.")),
            says(text("Next.")),
            waitsFor("never"),
            says(text("Again."))
          ]
        },
        {
          session: { policy: allowAlways, busy: "queue" },
          afterWrite: (written) =>
            written.includes(`"Half"`) ? Effect.runPromise(Deferred.await(held)) : Promise.resolve()
        },
        async ({ asked, project, session: open }) => {
          const busy = await open("tool")
          await say(busy, "One")
          await called(busy)
          await steer(busy, "Left")
          await queued(busy)
          writeFileSync(join(project, "go"), "")
          await idle(busy, 1)
          expect(await storyOf(busy)).toEqual(["< One", "One", "Left", "Both.", "> completed"])
          // It is told by the CLI itself, as a message of the system behind the result of the tool.
          expect(JSON.stringify(asked[1]).split("\\nLeft\\n")).toHaveLength(2)

          // A text is not cut: the CLI goes on with what came meanwhile, and what waits comes after that.
          const writing = await open("text")
          await say(writing, "Two")
          await until(() => [...writing.log.situation().items.values()].some(({ item }) => item.kind === "text"))
          await say(writing, "Three")
          await steer(writing, "Right")
          Deferred.doneUnsafe(held, Effect.void)
          await idle(writing, 2)
          expect(await storyOf(writing)).toEqual([
            ...["< Two", "Two", "Half and half.", "Right", "Late.", "> completed"],
            ...["< Three", "Three", "Next.", "> completed"]
          ])
          expect(await usageOf(writing)).toEqual([84, 42])

          const stopped = await open("stopped")
          await say(stopped, "Four")
          await called(stopped)
          await steer(stopped, "Up")
          await Effect.runPromise(stopped.stop("Four"))
          await idle(stopped, 2)
          expect(await storyOf(stopped)).toEqual([
            ...["< Four", "Four", "> cancelled"],
            ...["< Up", "Up", "Again.", "> completed"]
          ])
          expect(requestText(asked.at(-1)).split("Up")).toHaveLength(2)
        }
      )
    }
  )
})
