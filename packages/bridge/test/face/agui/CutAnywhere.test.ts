/**
 * A client that is cut off at any event and comes back, with its next run or by CopilotKit's connect, has in the end
 * what one has that was never cut off.
 */
import { Agui, type Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { answerRun } from "../../../src/face/agui/AguiHttp.ts"
import type { EventAnswer } from "../../../src/face/agui/EventAnswer.ts"
import { answerConnect } from "../../../src/face/copilotkit/CopilotKitHttp.ts"
import { turns } from "../../Conversation.ts"
import { type FakeSessions, fakeSessions, permission } from "../../FakeSessions.ts"

/** What a client asks for, and what the agent does then. A step that asks is followed by one that answers. */
interface Step {
  readonly events: ReadonlyArray<Model.Event>
  /** What the person is asked then; undefined: the turn ends. */
  readonly asks: string | undefined
  /** The question that it answers; undefined: it is a prompt. */
  readonly answers: string | undefined
}

/** How a client is cut off in a step, and comes back. Shares of what there is. */
interface Cut {
  /** How much of the step has happened when it is cut off. */
  readonly happened: number
  /** How much of that it was sent, and of how much of it the server knows that it was. */
  readonly sent: number
  readonly known: number
  /** How much of the step has happened when it comes back. */
  readonly back: number
  readonly by: "reload" | "connect" | "run"
}

const share = fc.integer({ min: 0, max: 100 })
const cut: fc.Arbitrary<Cut> = fc.record({
  happened: share,
  sent: share,
  known: share,
  back: share,
  by: fc.constantFrom("reload", "connect", "run")
})

const steps: fc.Arbitrary<ReadonlyArray<Step>> = fc.tuple(turns, fc.array(fc.boolean())).map(([found, asking]) =>
  found.flatMap((events, turn): ReadonlyArray<Step> => {
    if (asking[turn] !== true) return [{ events, asks: undefined, answers: undefined }]
    // A question is asked when nothing grows.
    const after: Model.Event = { type: "noticed", lane: null, name: "after", value: turn }
    return [
      { events, asks: `q-${turn}`, answers: undefined },
      { events: [after], asks: undefined, answers: `q-${turn}` }
    ]
  })
)

const part = <A>(all: ReadonlyArray<A>, percent: number): number => Math.round((all.length * percent) / 100)

/** A client with its own copy of the conversation. */
class Client {
  readonly fakes: FakeSessions = fakeSessions()
  history = Agui.emptyHistory

  private readonly say = (events: ReadonlyArray<Model.Event>): void => this.fakes.get("t").say(...events)

  private input(step: Step, index: number): Agui.RunAgentInput {
    const { messages } = this.history
    const resume = [{ interruptId: step.answers ?? "", status: "resolved" as const, payload: { approved: true } }]
    const own: Agui.Message = { id: `user-${index}`, role: "user", content: `Prompt ${index}` }
    return {
      threadId: "t",
      runId: `run-${index}`,
      messages: step.answers === undefined ? [...messages, own] : messages,
      ...(step.answers !== undefined && { resume })
    }
  }

  /** Reads an answer to its end. A client that is cut off has a share of what there is, and a share of that is known. */
  private async read({ onDelivered, events }: EventAnswer, cut?: Cut) {
    const next = this.fakes.get("t").log.next()
    const there = Stream.takeUntil(events, ({ place }) => place === undefined || place.seq >= next)
    const outgoing = await Effect.runPromise(Stream.runCollect(cut === undefined ? events : there))
    const sent = cut === undefined ? outgoing : outgoing.slice(0, part(outgoing, cut.sent))
    const known = cut === undefined ? sent.length : part(sent, cut.known)
    for (const [index, each] of sent.entries()) {
      if (index < known) await Effect.runPromise(onDelivered(each))
      this.history = Agui.foldEvents(each.events, this.history)
    }
  }

  private run(step: Step, index: number): Promise<EventAnswer> {
    const input = this.input(step, index)
    this.history = { ...this.history, messages: input.messages }
    return answerRun({ input, dialect: "1.0" }, "copilotkit", "interrupt").pipe(
      Effect.provide(this.fakes.layer),
      Effect.runPromise
    )
  }

  private connect(): Promise<EventAnswer> {
    const input = { threadId: "t", runId: "connect", messages: this.history.messages }
    return answerConnect({ input, dialect: "1.0" }, "interrupt").pipe(
      Effect.provide(this.fakes.layer),
      Effect.runPromise
    )
  }

  private end({ asks }: Step): void {
    if (asks === undefined) this.fakes.get("t").finish()
    else this.fakes.get("t").ask(permission(asks))
  }

  async step(step: Step, index: number, cut: Cut | undefined): Promise<void> {
    const answer = await this.run(step, index)
    if (cut === undefined) {
      this.say(step.events)
      this.end(step)
      return this.read(answer)
    }
    const { events } = step
    const first = part(events, cut.happened)
    this.say(events.slice(0, first))
    await this.read(answer, cut)
    if (cut.by === "run" && step.asks === undefined) {
      this.say(events.slice(first))
      this.end(step)
      return
    }
    const second = first + part(events.slice(first), cut.back)
    this.say(events.slice(first, second))
    if (cut.by === "reload") this.history = Agui.emptyHistory
    const joined = await this.connect()
    this.say(events.slice(second))
    this.end(step)
    await this.read(joined)
  }

  async last(): Promise<void> {
    await this.read(await this.connect())
  }
}

const both = async (all: ReadonlyArray<Step>, cuts: ReadonlyArray<Cut | undefined>) => {
  const [whole, broken] = [new Client(), new Client()]
  for (const [index, step] of all.entries()) {
    await whole.step(step, index, undefined)
    await broken.step(step, index, cuts[index])
  }
  // Nothing comes after the last step that it could come back with.
  if (cuts[all.length - 1]?.by === "run") await broken.last()
  return { whole: whole.history.messages, broken: broken.history.messages }
}

const cases = fc.tuple(steps, fc.array(fc.option(cut, { nil: undefined }), { minLength: 6, maxLength: 6 }))

const sorted = (messages: ReadonlyArray<Agui.Message>) => [...messages].sort((a, b) => (a.id < b.id ? -1 : 1))

describe("a client that is cut off", () => {
  it("and is loaded again has in the end what one has that was not", () =>
    fc.assert(
      fc.asyncProperty(cases, async ([all, cuts]) => {
        const { broken, whole } = await both(
          all,
          cuts.map((each) => each && { ...each, by: "reload" })
        )
        expect(broken).toEqual(whole)
      }),
      { numRuns: 100 }
    ))

  // Clients put what they did not have after what they have: a result after the next text, an answer after a prompt.
  it("and goes on with what it has comes to the same messages", () =>
    fc.assert(
      fc.asyncProperty(cases, async ([all, cuts]) => {
        const { broken, whole } = await both(all, cuts)
        expect(sorted(broken)).toEqual(sorted(whole))
      }),
      { numRuns: 100 }
    ))
})
