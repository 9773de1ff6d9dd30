/**
 * Words for an open turn, as each face takes them: the management API and its client, normalised events, AG-UI.
 */
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import type { Session } from "../../../src/session/Session.ts"
import { init, isPrompt, lifecycle, result, text } from "../../AgentLines.ts"
import { aguiClient } from "../../AguiClient.ts"
import type { Behaviour, Line } from "../../FakeAgent.ts"
import { ask, entering } from "../../Serving.ts"
import { type Managed, managed } from "./Managed.ts"

const wordsOf = (line: Line): string => JSON.stringify(line["message"])

/** An agent whose first turn ends when it is told something in it. */
const steered: Behaviour = (line, say) => {
  if (!isPrompt(line)) return Effect.void
  return wordsOf(line).includes("Go")
    ? say(init(), text("I am"))
    : say(lifecycle(line, "queued"), lifecycle(line, "started"), text("Left."), result())
}

/** Waits until something holds. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Begins a turn, and waits until the agent works. */
const begin = async ({ client, sessions }: Managed): Promise<Session> => {
  await client.sessions.create({ threadId: "t" })
  await client.sessions.send("t", { content: "Go" })
  const session = await Effect.runPromise(sessions.open("t"))
  await until(() => session.log.situation().turn !== undefined)
  return session
}

const idle = (session: Session): Promise<void> => until(() => session.log.situation().turn === undefined)

/** What was said, with who said it. */
const saidIn = async ({ client }: Managed): Promise<ReadonlyArray<unknown>> =>
  (await client.sessions.messages("t")).messages.map(({ content, role }) => [role, content])

const story = [
  ["user", "Go"],
  ["assistant", "I am"],
  ["user", "To the left"],
  ["assistant", "Left."]
]

describe("words for an open turn", () => {
  it("are taken by the management API, and refused when no run is open", () =>
    managed(
      async (bridge) => {
        const { client } = bridge
        const session = await begin(bridge)
        const taken = await client.sessions.steer("t", { content: "To the left" })
        await idle(session)
        assert.notStrictEqual(taken.openRunId, taken.runId)
        assert.deepStrictEqual(await saidIn(bridge), story)
        const late = await client.sessions.steer("t", { content: "Late" }).catch((error: unknown) => error)
        assert.deepInclude(late, { code: "NOTHING_TO_STEER", status: 409 })
      },
      { behave: steered }
    ))

  it("are taken by normalised events when that is asked for, else the session is busy", () =>
    managed(
      async (bridge) => {
        const session = await begin(bridge)
        const send = (body: object) => ask(bridge.server, "POST", "/sessions/t/message", entering, JSON.stringify(body))
        assert.strictEqual((await send({ message: "To the left" })).status, 409)
        const { body, status } = await send({ message: "To the left", steer: true })
        assert.deepInclude(JSON.parse(body), { steered: true })
        assert.strictEqual(status, 202)
        await idle(session)
        assert.deepStrictEqual(await saidIn(bridge), story)
      },
      { behave: steered }
    ))

  it("are a run's prompt where a busy thread is steered, and the run is the rest of the turn", () =>
    managed(
      async (bridge) => {
        const session = await begin(bridge)
        const events = await Effect.runPromise(aguiClient(session).run("r2", { prompt: "To the left" }))
        assert.deepInclude(events[0], { type: "RUN_STARTED", runId: "r2" })
        assert.deepInclude(events.at(-1), { type: "RUN_FINISHED", runId: "r2" })
        assert.deepStrictEqual(await saidIn(bridge), story)
        assert.strictEqual(session.log.situation().turns, 1)
      },
      { behave: steered, session: { busy: "steer" } }
    ))
})
