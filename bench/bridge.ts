/**
 * What the bridge adds to the way of an event from the CLI's stdout to the client, and how many events a second it
 * carries, with threads in memory and in a database, beside a bare pipe in the same run: `npm run bench:bridge`, or only
 * for some numbers of sessions: `npm run bench:bridge -- 200`. `--profile FOLDER` writes what each server spent its time
 * on.
 *
 * Every session has an agent process of its own, which stamps each delta with the time it writes it. For latency the
 * agents speak as fast as a model does, and begin one after the other; for events a second they begin together and speak
 * as fast as they can. The servers take turns on the same machine with the same agents, so other programs slow them
 * alike, and of a few rounds the best counts; the pipe parses, keeps and translates nothing. The processor's time is that
 * of the server alone, without agents and client.
 *
 * What a server waits for a core is no work of its own: it had something to do, and other processes had the cores, agents
 * and client among them. With that a latency can be told from a slow machine's.
 */
import { cpus, loadavg } from "node:os"
import { dirname, join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { type Contender, contenders, serve } from "./bridge/Contender.ts"
import { Server } from "./bridge/Server.ts"
import type { Pace } from "./bridge/Stamp.ts"

const program = fileURLToPath(import.meta.url)
const agent = join(dirname(program), "agent.mjs")

/** How many sessions, how fast each speaks, and how much they say in all when they are in a hurry. */
const settings = [
  { sessions: 1, pace: { events: 300, everyMs: 10 }, hurried: 20_000 },
  { sessions: 50, pace: { events: 75, everyMs: 40 }, hurried: 40_000 },
  { sessions: 200, pace: { events: 75, everyMs: 40 }, hurried: 40_000 }
] as const

const rounds = 3

/** Over how many milliseconds the sessions of a round begin, when they speak as fast as a model does. */
const spreadMs = 1000

/** What was measured of a contender: the best of its rounds. */
class Figures {
  median = Number.POSITIVE_INFINITY
  p99 = Number.POSITIVE_INFINITY
  deltas = 0
  perSecond = 0
  /** The processor's time for a delta, in microseconds. */
  readonly micros = { paced: Number.POSITIVE_INFINITY, hurried: Number.POSITIVE_INFINITY }
  /** How long it waited for a core for each delta, in microseconds, at the pace of a model. */
  waited = Number.POSITIVE_INFINITY
  /** How much of all cores was in use meanwhile, by whomever. */
  coresInUse = Number.POSITIVE_INFINITY

  /** Adds the latencies of a round. */
  add(latencies: ReadonlyArray<number>): void {
    const sorted = [...latencies].sort((a, b) => a - b)
    this.median = Math.min(this.median, quantile(sorted, 0.5))
    this.p99 = Math.min(this.p99, quantile(sorted, 0.99))
    this.deltas += sorted.length
  }
}

const quantile = (sorted: ReadonlyArray<number>, q: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN

/** As a number of sessions at once, which begin within some time. */
const together = async (
  server: Server,
  sessions: number,
  pace: Pace,
  withinMs: number
): Promise<ReadonlyArray<number>> => {
  const runs = await Promise.all(
    Array.from({ length: sessions }, async (_, thread) => {
      await sleep((thread / sessions) * withinMs)
      return server.run(thread, pace)
    })
  )
  return runs.flatMap(({ latencies }) => latencies)
}

/** What something took. */
interface Timed {
  readonly latencies: ReadonlyArray<number>
  /** The processor's time that the server used for each delta, in microseconds. */
  readonly micros: number
  /** What it waited for a core, likewise. */
  readonly waited: number
  /** The part of all cores that was in use. */
  readonly coresInUse: number
}

/** How long all cores together have worked, and have existed. */
const coreTimes = (): { readonly used: number; readonly all: number } => {
  const times = cpus().map((cpu) => cpu.times)
  const all = times.reduce((sum, { idle, irq, nice, sys, user }) => sum + idle + irq + nice + sys + user, 0)
  return { all, used: all - times.reduce((sum, { idle }) => sum + idle, 0) }
}

/** Does something, and tells what it took. */
const timed = async (server: Server, work: () => Promise<ReadonlyArray<number>>): Promise<Timed> => {
  const before = { cores: coreTimes(), processorMs: server.processorMs, waitedMs: server.waitedMs }
  const latencies = await work()
  const cores = coreTimes()
  return {
    latencies,
    micros: ((server.processorMs - before.processorMs) * 1000) / latencies.length,
    waited: ((server.waitedMs - before.waitedMs) * 1000) / latencies.length,
    coresInUse: (cores.used - before.cores.used) / (cores.all - before.cores.all)
  }
}

/** Starts the agents, a few at a time, and lets the server's code get warm. */
const warmUp = async (server: Server, sessions: number): Promise<void> => {
  for (let first = 0; first < sessions; first += 10) {
    const threads = Array.from({ length: Math.min(10, sessions - first) }, (_, i) => first + i)
    await Promise.all(threads.map((thread) => server.run(thread, { events: 3, everyMs: 0 })))
  }
  await server.run(0, { events: 3000, everyMs: 0 })
}

const measure = async ({ hurried, pace, sessions }: (typeof settings)[number]): Promise<void> => {
  const servers: ReadonlyArray<Server> = await Promise.all(
    contenders.map((contender) => Server.start(contender, program, agent, values.profile))
  )
  const figures: Readonly<Record<Contender, Figures>> = {
    bridge: new Figures(),
    kept: new Figures(),
    pipe: new Figures()
  }
  for (const server of servers) await warmUp(server, sessions)
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      const own = figures[server.contender]
      const { coresInUse, latencies, micros, waited } = await timed(server, () =>
        together(server, sessions, pace, spreadMs)
      )
      own.add(latencies)
      own.micros.paced = Math.min(own.micros.paced, micros)
      own.waited = Math.min(own.waited, waited)
      own.coresInUse = Math.min(own.coresInUse, coresInUse)
    }
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      const own = figures[server.contender]
      const begun = performance.now()
      const fast: Pace = { events: hurried / sessions, everyMs: 0 }
      const { latencies, micros } = await timed(server, () => together(server, sessions, fast, 0))
      own.perSecond = Math.max(own.perSecond, latencies.length / ((performance.now() - begun) / 1000))
      own.micros.hurried = Math.min(own.micros.hurried, micros)
    }
  await Promise.all(servers.map((server) => server.end()))
  report(sessions, pace, figures)
}

const report = (sessions: number, pace: Pace, { bridge, kept, pipe }: Readonly<Record<Contender, Figures>>): void => {
  console.log(
    `\n${sessions} ${sessions === 1 ? "session" : "sessions"}, an agent process each: ` +
      `${bridge.deltas} deltas, ${((sessions * 1000) / pace.everyMs).toFixed(0)} a second; ` +
      `load ${loadavg()[0]?.toFixed(1)}`
  )
  row("", "in memory", "kept", "pipe", "added by the bridge, and by keeping")
  const added = (name: string, pick: (figures: Figures) => number, write: (value: number) => string): void => {
    const [ours, safe, floor] = [pick(bridge), pick(kept), pick(pipe)]
    row(name, write(ours), write(safe), write(floor), `${write(ours - floor)}, ${write(safe - ours)}`)
  }
  added("latency, median", ({ median }) => median, ms)
  added("latency, p99", ({ p99 }) => p99, ms)
  added("processor, a delta", ({ micros: { paced } }) => paced, micros)
  added("waits for a core, a delta", ({ waited }) => waited, micros)
  added("cores in use", ({ coresInUse }) => coresInUse, percent)
  row(
    "deltas a second, at most",
    bridge.perSecond.toFixed(0),
    kept.perSecond.toFixed(0),
    pipe.perSecond.toFixed(0),
    `${(bridge.perSecond / pipe.perSecond).toFixed(2)} x, ${(kept.perSecond / bridge.perSecond).toFixed(2)} x`
  )
  added("processor, a delta then", ({ micros: { hurried } }) => hurried, micros)
}

const ms = (value: number): string => `${value.toFixed(2)} ms`
const percent = (value: number): string => `${(value * 100).toFixed(0)} %`
const micros = (value: number): string => `${value.toFixed(1)} us`

const row = (name: string, bridge: string, kept: string, pipe: string, added: string): void =>
  console.log(`  ${name.padEnd(25)} ${bridge.padStart(10)} ${kept.padStart(10)} ${pipe.padStart(10)}  ${added}`)

const isContender = (text: string | undefined): text is Contender => contenders.some((known) => known === text)

const { positionals, values } = parseArgs({
  options: { profile: { type: "string" }, server: { type: "string" } },
  allowPositionals: true
})
if (isContender(values.server)) await serve(values.server, positionals[0] ?? agent)
else {
  console.log("from the CLI's stdout to the client: the bridge beside a bare pipe")
  const wanted = positionals.map(Number)
  for (const setting of settings) if (wanted.length === 0 || wanted.includes(setting.sessions)) await measure(setting)
}
