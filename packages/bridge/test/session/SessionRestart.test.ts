/** What a thread and its clients are after the bridge was killed in the middle of a turn. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { bridgeEnded } from "../../src/log/CutTurns.ts"
import { echo, init, isPrompt, text } from "../AgentLines.ts"
import { aguiClient, contents, types } from "../AguiClient.ts"
import type { Behaviour } from "../FakeAgent.ts"
import { inStoreOf, openAgain, send } from "../Reopened.ts"
import { until } from "../WithSession.ts"

/** Begins to answer what is called `cut`, and no more; answers everything else. */
const cutting: Behaviour = (line, say) =>
  isPrompt(line) && JSON.stringify(line).includes("cut") ? say(init(), text("I am")) : echo(line, say)

const inStore = inStoreOf(cutting)
const { code, message } = bridgeEnded
const failed = { code, message }

describe("why the newest turn failed", () => {
  it.effect("is known after the restart, and after another one", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* openAgain
        expect(first.log.situation().failure).toBeUndefined()
        yield* send(first, "r1", "cut")
        yield* until(first, "item_ended")
        expect((yield* openAgain).log.situation().failure).toEqual(failed)
        expect((yield* openAgain).log.situation().failure).toEqual(failed)
      })
    )
  )

  it.effect("is told to who sends its request again, until a turn has ended well", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* openAgain
        const page = aguiClient(first)
        yield* page.submit("r1", { prompt: "cut" })
        yield* until(first, "item_ended")
        const next = yield* openAgain
        const back = aguiClient(next, "deny", page.messages())
        expect((yield* back.run("r1")).at(-1)).toMatchObject({ type: "RUN_ERROR", ...failed })
        yield* back.run("r2", { prompt: "Well" })
        expect(next.log.situation().failure).toBeUndefined()
        expect((yield* back.run("r3")).at(-1)).toMatchObject({ type: "RUN_FINISHED", runId: "r3" })
      })
    )
  )
})

describe("a page from before the restart", () => {
  it.effect("misses nothing of what others said since, also when it says something first", () =>
    inStore(() =>
      Effect.gen(function* () {
        const page = aguiClient(yield* openAgain)
        yield* page.run("r1", { prompt: "One" })
        const next = yield* openAgain
        yield* aguiClient(next).run("r2", { prompt: "Two" })
        const back = aguiClient(next, "deny", page.messages())
        const events = yield* back.run("r3", { prompt: "Three" })
        expect(types(events).filter((type) => type.startsWith("RUN_"))).toEqual([
          ...["RUN_STARTED", "RUN_FINISHED"],
          ...["RUN_STARTED", "RUN_FINISHED"]
        ])
        expect(contents(back)).toEqual(["One", "You said: One", "Three", "Two", "You said: Two", "You said: Three"])
      })
    )
  )

  it.effect("and whose own words were the last is sent what others had said before them", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* openAgain
        const page = aguiClient(first)
        yield* page.run("r1", { prompt: "One" })
        const { at } = yield* send(first, "r2", "Two")
        yield* until(first, "turn_ended", at)
        yield* send(first, "r3", "cut")
        yield* first.log.settled
        const own = { id: "m-r3", role: "user", content: "cut" } as const
        const back = aguiClient(yield* openAgain, "deny", [...page.messages(), own])
        expect((yield* back.run("r3")).at(-1)).toMatchObject({ type: "RUN_ERROR", ...failed })
        expect(contents(back)).toContain("You said: Two")
      })
    )
  )

  it.effect("and that shows its own words before an older answer is sent what others said since, in order", () =>
    inStore(() =>
      Effect.gen(function* () {
        const first = yield* openAgain
        const page = aguiClient(first)
        yield* page.run("r1", { prompt: "One" })
        yield* send(first, "r3", "cut")
        yield* first.log.settled
        const own = { id: "m-r3", role: "user", content: "cut" } as const
        const [prompt, ...answer] = page.messages()
        const next = yield* openAgain
        yield* aguiClient(next).run("r2", { prompt: "Two" })
        const back = aguiClient(next, "deny", [...(prompt === undefined ? [] : [prompt]), own, ...answer])
        yield* back.run("r4", { prompt: "Four" })
        expect(contents(back).slice(-4)).toEqual(["Four", "Two", "You said: Two", "You said: Four"])
      })
    )
  )

  it.effect("and that has only a part of the last answer is sent the whole conversation", () =>
    inStore(() =>
      Effect.gen(function* () {
        const page = aguiClient(yield* openAgain)
        yield* page.run("r1", { prompt: "One" })
        const part = page.messages().map((each) => (each.role === "assistant" ? { ...each, content: "You" } : each))
        const next = yield* openAgain
        yield* send(next, "r2", "Two")
        yield* until(next, "turn_ended", next.log.opened.seq)
        const back = aguiClient(next, "deny", part)
        expect(types(yield* back.run("r3", { prompt: "Three" }))).toContain("MESSAGES_SNAPSHOT")
        expect(new Set(contents(back))).toEqual(
          new Set(["One", "You said: One", "Two", "You said: Two", "Three", "You said: Three"])
        )
      })
    )
  )
})
