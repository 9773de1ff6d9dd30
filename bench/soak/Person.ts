/**
 * A person with an application: opens a thread, asks, answers questions, leaves, comes back, stops, and now and then
 * kills the agent; then takes another thread. Whatever happens, every run has to end, in the stream of who still
 * listens and in the log.
 */
import { Agui } from "@agentwire/protocol"
import { type Agents, threadVariable } from "./Agents.ts"
import type { BridgeHandle } from "./BridgeHandle.ts"
import { Chance } from "./Chance.ts"
import { type Answer, type Asked, type Place, post } from "./Client.ts"
import { type Decision, decide } from "./Decision.ts"
import { EventJudge, type SeenEvent } from "./EventJudge.ts"
import { marked, markOf } from "./Mark.ts"
import type { LogReport, Plan } from "./Orders.ts"
import { processesWith } from "./Resources.ts"
import { type Fate, judgeRuns } from "./RunLedger.ts"
import type { Tally } from "./Tally.ts"

/** What a person is given. */
export interface World {
  readonly bridge: BridgeHandle
  readonly place: Place
  readonly agents: Agents
  readonly tally: Tally
  readonly seed: number
  /** A number nobody else has. */
  readonly threadNumber: () => number
}

/**
 * How long a person listens to silence before asking to stop, and how long to nothing after that before giving up. A
 * run that goes on without its client is stopped when it is in the way for so long.
 */
const patienceMs = { stop: 8_000, never: 30_000, unheard: 6_000 }

/** The log of a thread that was removed, and how many of its runs had begun before. */
interface Removed {
  readonly report: LogReport
  readonly ended: number
}

/** A thread as its person knows it. */
interface Conversation {
  readonly plan: Plan
  readonly asked: Map<string, Fate>
  readonly messages: Array<object>
  /** What the last run asked. */
  interrupts: ReadonlyArray<string>
  removed: Removed | undefined
}

/** One person. */
export class Person {
  readonly #world: World
  readonly #session: number
  readonly #chance: Chance

  constructor(world: World, session: number) {
    this.#world = world
    this.#session = session
    this.#chance = new Chance(world.seed * 7919 + session)
  }

  /** Goes on with one thread after the other until it is told that it is over. */
  async live(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const conversation = await this.#begin()
      const runs = this.#chance.between(3, 10)
      for (let run = 0; run < runs && !isOver() && conversation.removed === undefined; run++) {
        const decision = decide(this.#chance)
        await sleep(decision.pauseMs)
        await this.#run(conversation, run, decision)
      }
      await this.#end(conversation)
    }
  }

  async #begin(): Promise<Conversation> {
    const { agents, bridge, tally, threadNumber } = this.#world
    const number = threadNumber()
    const name = `soak-${process.pid}-${this.#world.seed}-${number}`
    const plan = agents.plan(this.#session, name, markOf(number), this.#chance)
    await bridge.tell("open", plan)
    tally.count("threads", plan.kind)
    return { plan, asked: new Map(), messages: [], interrupts: [], removed: undefined }
  }

  /** Waits until all runs of the thread have ended in its log, judges the log, and removes the thread. */
  async #end({ asked, plan, removed }: Conversation): Promise<void> {
    const { tally } = this.#world
    const { ended, report } = removed ?? (await this.#remove(plan.threadId))
    tally.objectTo([...report.objections, ...judgeRuns(plan.threadId, asked, report.runs, ended)], report.evidence)
    tally.count("marks", "log", report.own)
    tally.count("logged", "events", report.events)
    for (const { ended } of report.runs) tally.count("ends", ended ?? "cut by the removal of the thread")
  }

  async #remove(threadId: string): Promise<Removed> {
    const { bridge } = this.#world
    for (let waited = 0; ; waited += 200) {
      const { runs } = await bridge.tell("report", threadId)
      if (waited > patienceMs.never || !runs.some(({ ended }) => ended === null))
        return { ended: runs.length, report: await bridge.tell("remove", threadId) }
      // Nobody listens to a run that hangs.
      if (waited === patienceMs.unheard) await this.#stop(threadId)
      await sleep(200)
    }
  }

  async #run(conversation: Conversation, number: number, decision: Decision): Promise<void> {
    const { plan } = conversation
    const resume =
      decision.answer === "ignore" ? [] : conversation.interrupts.map((id) => answerTo(id, decision.answer))
    if (conversation.interrupts.length > 0) this.#world.tally.count("answers", decision.answer)
    if (resume.length === 0)
      conversation.messages.push({ id: `u-${number}`, role: "user", content: marked("Please go on here.", plan.mark) })
    const before = conversation.interrupts
    conversation.interrupts = []
    // A run whose client left is stopped, which takes its time; the thread is busy until then.
    for (let attempt = 0; attempt < patienceMs.never / 200; attempt++) {
      const runId = `${plan.threadId}-${number}-${attempt}`
      const fate = await this.#ask(conversation, runId, decision, resume)
      conversation.asked.set(runId, fate)
      this.#world.tally.count("asked", fate)
      if (fate !== "refused") return
      if (attempt === patienceMs.unheard / 200) await this.#stop(plan.threadId)
      await sleep(200)
    }
    conversation.interrupts = before
    this.#world.tally.object(`${plan.threadId}: the thread is busy for ever`)
  }

  /** Asks for a run, and does with it what was decided. */
  async #ask(
    conversation: Conversation,
    runId: string,
    decision: Decision,
    resume: ReadonlyArray<object>
  ): Promise<Fate> {
    const { place, tally } = this.#world
    const { plan } = conversation
    const isKit = decision.face === "copilotkit"
    const dialect: Agui.Dialect = isKit ? "0.0" : "1.0"
    const input = inputOf(conversation, runId, dialect, resume)
    const judge = new EventJudge(`${plan.threadId}: the stream of run ${runId} (${dialect})`, plan.mark, {
      dialect,
      input
    })
    let seen = 0
    let disturbed = false
    let side: Promise<unknown> = Promise.resolve()
    let heardAt = Date.now()
    const onEvent = (event: SeenEvent): void => {
      heardAt = Date.now()
      seen++
      if (event.type === "RUN_FINISHED" && event.outcome?.type === "interrupt")
        conversation.interrupts = (event.outcome.interrupts ?? []).map(({ id }) => id)
      if (seen < decision.atEvent || disturbed || Agui.endsRun(event)) return
      disturbed = true
      side = this.#disturb(conversation, decision, asked)
    }
    const asked = post(place, isKit ? "/kit/agent/default/run" : "/", input, { judge, dialect, onEvent })
    if (decision.disturbance === "leaveAtOnce") setTimeout(asked.leave, 3)
    const answer = await this.#waitFor(conversation, asked, () => heardAt)
    await side
    tally.count("received", "events", judge.events)
    tally.count("marks", "streams", judge.own)
    tally.objectTo(judge.objections, judge.evidence)
    tally.count("streams", answer.end)
    if (disturbed || decision.disturbance === "leaveAtOnce") tally.count("done", decision.disturbance)
    if (answer.end === "left" && decision.disturbance === "reconnect") await this.#reconnect(conversation, runId)
    return this.#fateOf(conversation, runId, answer, judge)
  }

  #fateOf(
    { plan, removed }: Conversation,
    runId: string,
    { end, status, text }: Answer,
    { events, last }: EventJudge
  ): Fate {
    const { tally } = this.#world
    if (removed !== undefined) return "removed"
    if (end === "left") return status === 0 ? "unsure" : "accepted"
    if (end === "cut") {
      tally.object(`${plan.threadId}: the connection of run ${runId} broke (${status})`)
      return "unsure"
    }
    if (status === 409) return "refused"
    if (status !== 200) {
      tally.object(`${plan.threadId}: run ${runId} was answered with ${status}: ${text.slice(0, 300)}`)
      return "refused"
    }
    if (events === 0) tally.object(`${plan.threadId}: the stream of run ${runId} has no events`)
    return last?.code === "THREAD_BUSY" && events === 1 ? "refused" : "accepted"
  }

  /** Waits for an answer; when nothing comes for long, asks to stop, and at last gives up. */
  async #waitFor({ plan }: Conversation, asked: Asked, heardAt: () => number): Promise<Answer> {
    const { tally } = this.#world
    let stopped = false
    for (;;) {
      const answer = await Promise.race([asked.over, sleep(500)])
      if (answer !== undefined) return answer
      const silence = Date.now() - heardAt()
      if (silence > patienceMs.stop && !stopped) {
        stopped = true
        tally.count("done", "stop after silence")
        void this.#stop(plan.threadId)
      }
      if (silence < patienceMs.stop + patienceMs.never) continue
      tally.object(`${plan.threadId}: a run did not end, though it was stopped`)
      asked.leave()
    }
  }

  async #disturb(conversation: Conversation, { disturbance, stallMs }: Decision, asked: Asked): Promise<void> {
    const { plan } = conversation
    switch (disturbance) {
      case "none":
      case "leaveAtOnce":
        return
      case "leave":
      case "reconnect":
        return asked.leave()
      case "stall":
        return asked.stall(stallMs)
      case "stop":
        return this.#stop(plan.threadId)
      case "SIGKILL":
      case "SIGTERM":
        return this.#kill(plan, disturbance)
      case "busy":
        return this.#intrude(conversation)
      case "remove":
        conversation.removed = await this.#removeAtOnce(plan.threadId)
    }
  }

  async #removeAtOnce(threadId: string): Promise<Removed> {
    const report = await this.#world.bridge.tell("remove", threadId)
    return { ended: Math.max(0, report.runs.length - 1), report }
  }

  /** Kills the agent: its process, or what plays its tape. */
  async #kill({ kind, threadId }: Plan, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const { bridge, tally } = this.#world
    if (kind === "tape") {
      if (await bridge.tell("endAgent", threadId)) tally.count("kills", "tape ended")
      return
    }
    for (const { name, pid } of processesWith(`${threadVariable}=${threadId};`)) {
      if (!agentNames.has(name)) continue
      try {
        process.kill(pid, signal)
        tally.count("kills", `${kind} ${signal}`)
      } catch {
        tally.count("kills", "too late")
      }
      return
    }
    tally.count("kills", "too late")
  }

  async #stop(threadId: string): Promise<void> {
    const { place, tally } = this.#world
    const { status, text } = await post(place, `/kit/agent/default/stop/${threadId}`, {}).over
    if (status !== 200) tally.object(`${threadId}: a stop was answered with ${status}: ${text.slice(0, 300)}`)
  }

  /** Asks for another run meanwhile, which has to be refused, unless the first has just ended. */
  async #intrude(conversation: Conversation): Promise<void> {
    const { place, tally } = this.#world
    const { asked, plan } = conversation
    const runId = `${plan.threadId}-intruder-${asked.size}`
    const input = inputOf(conversation, runId, "1.0", [])
    const judge = new EventJudge(`${plan.threadId}: the stream of the second run ${runId}`, plan.mark, { input })
    const { end, status } = await post(place, "/", input, { judge, dialect: "1.0", onEvent: () => {} }).over
    asked.set(runId, end !== "whole" ? "unsure" : status === 409 ? "refused" : "accepted")
    tally.count("second runs", String(status))
    tally.objectTo(judge.objections, judge.evidence)
  }

  /** Comes back to a run that went on without its client, and reads it to its end. */
  async #reconnect(conversation: Conversation, runId: string): Promise<void> {
    const { place, tally } = this.#world
    const { plan } = conversation
    const input = inputOf(conversation, `${runId}-connect`, "0.0", [])
    const judge = new EventJudge(`${plan.threadId}: the connect after ${runId}`, plan.mark, { dialect: "0.0" })
    let heardAt = Date.now()
    const asked = post(place, "/kit/agent/default/connect", input, {
      judge,
      dialect: "0.0",
      onEvent: (event) => {
        heardAt = Date.now()
        if (event.type === "RUN_FINISHED" && event.outcome?.type === "interrupt")
          conversation.interrupts = (event.outcome.interrupts ?? []).map(({ id }) => id)
      }
    })
    const { end, status } = await this.#waitFor(conversation, asked, () => heardAt)
    if (end !== "whole" || status !== 200) tally.object(`${plan.threadId}: a connect ended ${end} (${status})`)
    tally.count("connects", judge.hasEnded ? (judge.last?.type ?? "") : "empty")
    tally.count("received", "events", judge.events)
    tally.count("marks", "streams", judge.own)
    tally.objectTo(judge.objections, judge.evidence)
  }
}

/** The names of an agent's own process, not of what it started. */
const agentNames = new Set(["node", "MainThread", "claude"])

const answerTo = (interruptId: string, answer: Decision["answer"]): object => ({
  interruptId,
  status: "resolved",
  payload: { approved: answer === "approve" }
})

const inputOf = (
  { messages, plan }: Conversation,
  runId: string,
  dialect: Agui.Dialect,
  resume: ReadonlyArray<object>
): object => ({
  ...(dialect === "1.0" && { protocolVersion: "1.0" }),
  threadId: plan.threadId,
  runId,
  messages,
  state: {},
  tools: [],
  context: [],
  forwardedProps: {},
  ...(resume.length > 0 && { resume })
})

const sleep = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
