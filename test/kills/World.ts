/**
 * A folder in which one bridge after the other is killed, and the clients that all of them have: pages on several threads,
 * and readers of the management API. Whoever comes back is held to the laws.
 */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { ManagementError } from "@agentwire/bridge/client"
import type { SseFrame } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import type { Random } from "../../fuzz/policy/Random.ts"
import { randomFrom } from "../../fuzz/policy/Random.ts"
import { eventually, livingIn } from "../../packages/bridge/test/FakeCli.ts"
import { makeServeRoot } from "../bridge/ServeProcess.ts"
import { Follower } from "./Follower.ts"
import * as Laws from "./Laws.ts"
import { Life, within } from "./Life.ts"
import type { Mind } from "./Minds.ts"
import { type Ended, numberIn, Page, type Way } from "./Page.ts"
import { Runtime } from "./Runtime.ts"
import { ThreadLedger } from "./ThreadLedger.ts"
import { chooseMoment } from "./Trigger.ts"

/** What was done and seen in a world. */
export interface Figures {
  kills: number
  /** Kills before all had rejoined. */
  early: number
  verified: number
  prompts: number
  events: number
  /** Turns that a kill has cut, by how they were closed. */
  readonly ends: Record<string, number>
  readonly ways: Record<string, number>
}

/** Nothing yet. */
export const noFigures = (): Figures => ({
  kills: 0,
  early: 0,
  verified: 0,
  prompts: 0,
  events: 0,
  ends: {},
  ways: {}
})

const count = (table: Record<string, number>, key: string): void => {
  table[key] = (table[key] ?? 0) + 1
}

/** What a world is made of. */
export interface WorldOptions {
  readonly seed: number
  readonly mind: Mind
  readonly threads: number
  /** How many prompts a page has for a life, at most. */
  readonly prompts: number
  readonly print: (line: string) => void
  readonly figures: Figures
  /** There is a runtime of its own, and only the gateways before it are killed. */
  readonly tiers?: boolean
}

/** A thread with its clients. */
interface Room {
  readonly ledger: ThreadLedger
  readonly pages: ReadonlyArray<Page>
  readonly follower: Follower
  /** The log as it was read last. */
  log: ReadonlyArray<SseFrame>
}

/** A law does not hold. */
export class LawBroken extends Error {
  override readonly name = "LawBroken"
}

/** Lives in a folder. */
export class World {
  readonly root = makeServeRoot()
  readonly #random: Random
  readonly #options: WorldOptions
  readonly #rooms: ReadonlyArray<Room>
  #lives = 0
  #runtime: Runtime | undefined

  constructor(options: WorldOptions) {
    this.#options = options
    this.#random = randomFrom(options.seed)
    this.#rooms = Array.from({ length: options.threads }, (_, n) => {
      const ledger = new ThreadLedger(`t${n + 1}`, options.print)
      const names = [`page ${n + 1}`, `second page ${n + 1}`]
      const pages = names.map((name) => new Page(ledger, name, this.#random))
      return { ledger, pages, follower: new Follower(ledger.threadId), log: [] }
    })
  }

  /** One bridge: all rejoin, go on, and it is killed. `isLast`: it is not killed before all was looked at. */
  async live(isLast = false): Promise<void> {
    const { figures, mind, print } = this.#options
    const moment = { ...chooseMoment(this.#random, this.#lives++ === 0), ...(isLast && { atOnce: false }) }
    print(`life ${this.#lives}: to be killed at ${moment.what} ${moment.times}${moment.atOnce ? " at once" : ""}`)
    const data = ["--data", join(this.root, "data")]
    const agents = ["--cli", mind.program, "--approvals", "interrupt", "--busy", "queue"]
    if (this.#options.tiers === true)
      this.#runtime ??= await Runtime.start({
        root: this.root,
        args: () => [...data, ...agents],
        env: mind.env(this.root)
      })
    const life = await Life.start(
      this.#runtime === undefined
        ? { root: this.root, args: () => [...data, ...agents], env: mind.env(this.root) }
        : { root: this.root, args: () => data, command: "gateway" },
      moment
    )
    print(`life ${this.#lives}: listens at ${life.url}`)
    const following: Array<Promise<void>> = []
    try {
      for (const { pages } of this.#rooms) for (const page of pages) page.join(life)
      await this.#unlessKilled(
        life,
        this.#rooms.map((room) => this.#rejoin(life, room, following))
      )
      if (life.isOver()) figures.early++
      else if (!isLast) {
        life.arm()
        await this.#unlessKilled(
          life,
          this.#rooms.map((room) => this.#goOn(life, room, following))
        )
      }
    } catch (error) {
      print(`the bridge said: ${life.log}`)
      if (this.#runtime !== undefined) print(`the runtime said: ${this.#runtime.log}`)
      throw error
    } finally {
      print(`life ${this.#lives}: killed ${life.isOver() ? "at its moment" : "at the end"}`)
      await life.end()
      await Promise.all(following)
    }
    figures.kills++
    for (const { ledger, pages } of this.#rooms)
      for (const page of pages) ledger.trace(`${page.name} has ${JSON.stringify(page.messages)}`)
    if (this.#runtime === undefined) await this.#nobodyIsLeft()
  }

  /** Ends the runtime, where there is one: what its agents were told is looked at, and none of them is left. */
  async endRuntime(): Promise<void> {
    if (this.#runtime === undefined) return
    const breaches = await this.#runtime.end()
    if (breaches.length > 0) throw new LawBroken(breaches.join("\n"))
    await this.#nobodyIsLeft()
  }

  async #nobodyIsLeft(): Promise<void> {
    const project = join(this.root, "project")
    await Effect.runPromise(eventually(() => livingIn(project).length === 0, 120)).catch(() => {
      throw new LawBroken(`processes of a killed bridge are left: ${livingIn(project).join(", ")}`)
    })
  }

  /** Removes the folder. */
  async close(): Promise<void> {
    await this.#runtime?.kill()
    rmSync(this.root, { recursive: true, force: true, maxRetries: 5 })
  }

  /** Waits for all of them; what fails because the bridge was killed has not failed. */
  async #unlessKilled(life: Life, work: ReadonlyArray<Promise<void>>): Promise<void> {
    const done = await within("all that the clients do", Promise.allSettled(work))
    const failed = done.find((each) => each.status === "rejected")
    if (failed === undefined) return
    if (failed.reason instanceof LawBroken || !life.isOver()) throw failed.reason
  }

  // --- after the start ---------------------------------------------------------------------

  async #rejoin(life: Life, room: Room, following: Array<Promise<void>>): Promise<void> {
    const { figures, mind } = this.#options
    const { follower, ledger, pages } = room
    if (!ledger.isThere) return
    const held = pages.map((page) => structuredClone(page.messages))
    if (follower.frames.length > 0) following.push(follower.follow(life))
    const told: Array<Ended | undefined> = []
    for (const page of pages) told.push(await this.#comeBack(page))
    if (this.#runtime !== undefined) await this.#untilQuiet(life, room)
    const [asking] = pages
    if (asking === undefined || life.isOver()) return
    const mark = ledger.nextMark()
    ledger.send(mark, "recall", 0)
    const recalled = await asking.say(mark, "recall")
    if (recalled === "cut") return
    if (recalled.error !== undefined)
      throw new LawBroken(
        `${ledger.threadId}: the next prompt is not answered: ${recalled.error.code} ${recalled.error.message}`
      )
    const said = asking.messages.findLast(({ role }) => role === "assistant")?.content
    const remembered = mind.remembered(mark, String(said))

    const reader = new Follower(ledger.threadId)
    const reading = reader.follow(life)
    following.push(reading)
    await Promise.race([reader.endOf(`r-${mark}`), life.killed])
    if (follower.frames.length > 0) await Promise.race([follower.endOf(`r-${mark}`), life.killed])
    if (life.isOver()) return
    const log = [...reader.frames]

    const fresh = new Page(ledger, "fresh", randomFrom(1))
    fresh.join(life)
    await fresh.connect()
    for (const page of pages) await page.connect()
    if (life.isOver()) return
    const session = await life.management.sessions.get(ledger.threadId)
    const { messages } = fresh
    const breaches = [
      ...Laws.numbersGrow(log),
      ...Laws.keepsFrames("who read the log before", room.log, log),
      ...Laws.keepsFrames("the follower", follower.frames.slice(0, log.length), log),
      ...Laws.runsEnd(log),
      ...(this.#runtime === undefined ? [] : Laws.nothingIsCut(log)),
      ...Laws.saysEverythingOnce(ledger, messages, log),
      ...pages.flatMap((page, n) => Laws.keepsMessages(page.name, ledger, held[n] ?? [], messages)),
      ...pages.flatMap((page) => Laws.showsTheSame(page.name, (each) => page.isOwn(each), page.messages, messages)),
      ...Laws.tellsReason(asking.name, told[0], log, `r-${mark}`),
      ...Laws.remembersAnswered(messages, remembered),
      ...Laws.keepsNewest("title", ledger.titles, Number(/^title (\d+)$/.exec(session.title ?? "")?.[1] ?? 0)),
      ...Laws.keepsState(ledger, numberIn(fresh.state))
    ]
    for (const page of breaches.length > 0 ? [fresh, ...pages] : [])
      ledger.trace(`${page.name} shows ${JSON.stringify(page.messages)}`)
    if (breaches.length > 0) throw new LawBroken(breaches.map((each) => `${ledger.threadId}: ${each}`).join("\n"))
    for (const { end } of Laws.runsIn(log.slice(room.log.length))) count(figures.ends, end.split(":")[0] ?? "")
    figures.events += log.length - room.log.length
    figures.verified++
    room.log = log
  }

  /**
   * The turns that went on meanwhile come to their end: what they ask is answered, by a page that has just come. The others
   * believe that they have answered what was cut on its way.
   */
  async #untilQuiet(life: Life, { ledger }: Room): Promise<void> {
    while (!life.isOver()) {
      const page = new Page(ledger, "helping page", randomFrom(2))
      page.join(life)
      const { approvals, status } = await life.management.sessions.get(ledger.threadId)
      if (status !== "active" && status !== "starting" && approvals === 0) return
      await this.#untilAnswered(page, page.connect())
    }
  }

  /** A page comes back the one way or the other. Gives what it was told of a turn that it had asked for. */
  async #comeBack(page: Page): Promise<Ended | undefined> {
    const { figures } = this.#options
    const ways: ReadonlyArray<Way> = page.isUnheard
      ? ["resend", "resend under another name"]
      : page.isCut
        ? page.isAsked
          ? ["connect", "answer", "prompt"]
          : ["resend", "resend under another name", "resend", "connect", "prompt"]
        : ["connect", "prompt"]
    const way = this.#random.pick(page.isAsked ? [...ways, "answer" as const] : ways)
    count(figures.ways, way)
    const { isUnheard } = page
    if (isUnheard && (page.knowsNothing || !page.endsUnheard)) {
      await this.#untilAnswered(page, page.sayAgain())
      return undefined
    }
    const connected = way === "connect" ? await page.connect() : undefined
    if (way === "answer") await page.answer(true)
    if (way !== "resend" && way !== "resend under another name") return connected
    const resent = page.resend(way)
    await this.#untilAnswered(page, resent)
    return isUnheard ? undefined : await resent
  }

  // --- until it is killed ------------------------------------------------------------------

  async #goOn(life: Life, room: Room, following: Array<Promise<void>>): Promise<void> {
    const { ledger } = room
    if (!ledger.isThere && this.#random.chance(0.5)) {
      await life.management.sessions.create({ threadId: ledger.threadId }).catch((error: unknown) => {
        // A bridge before has made it, and was killed before it could say so.
        if (!(error instanceof ManagementError) || error.code !== "THREAD_EXISTS") throw error
      })
      ledger.isThere = true
    }
    if (ledger.isThere && room.follower.frames.length === 0) following.push(room.follower.follow(life))
    await Promise.all([
      ...room.pages.map((page, n) => this.#chat(life, ledger, page, n === 0)),
      this.#meddle(life, ledger)
    ])
  }

  async #chat(life: Life, ledger: ThreadLedger, page: Page, isFirst: boolean): Promise<void> {
    const { figures, mind, prompts } = this.#options
    // Who was not there from the beginning asks for the conversation first.
    if (!isFirst) await Promise.race([ledger.begun, life.killed])
    if (!isFirst && page.knowsNothing && !life.isOver()) await page.connect()
    const times = 1 + this.#random.below(prompts)
    for (let n = 0; n < times && !life.isOver(); n++) {
      const mark = ledger.nextMark()
      const words = 2 + this.#random.below(14)
      const chosen = this.#random.pick(mind.orders)
      const order = ledger.isBegun ? chosen : (mind.first ?? chosen)
      ledger.send(mark, order, mind.wordsOf(order, words))
      const state = this.#random.chance(0.3) ? { number: ++ledger.states } : undefined
      figures.prompts++
      await this.#untilAnswered(page, page.say(mark, `${order} ${words}.`, state))
    }
  }

  /** Answers what is asked until the turn is over. */
  async #untilAnswered(page: Page, first: Promise<Ended>): Promise<void> {
    let ended: Ended | undefined = await first
    while (ended !== undefined && ended !== "cut" && ended.error === undefined)
      ended = page.isAsked ? await page.answer(this.#random.chance(this.#options.mind.approves)) : await page.runTool()
  }

  /** Gives titles, and stops turns. */
  async #meddle(life: Life, ledger: ThreadLedger): Promise<void> {
    const times = this.#random.below(4)
    for (let n = 0; n < times && ledger.isThere && !life.isOver(); n++) {
      const { sessions } = life.management
      if (this.#random.chance(0.6)) {
        const number = ++ledger.titles.given
        await sessions.change(ledger.threadId, { title: `title ${number}` })
        ledger.titles.kept = number
      } else {
        for (const prompt of ledger.prompts.values()) prompt.isStopped = true
        await sessions.interrupt(ledger.threadId)
      }
    }
  }
}
