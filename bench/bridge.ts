/**
 * What the bridge adds to the way of an event from the CLI's stdout to the client, and how many events a second it
 * carries, with threads in memory and in a database, beside a bare pipe in the same run: `npm run bench:bridge`, or only for some numbers of sessions:
 * `npm run bench:bridge -- 200`.
 *
 * Every session has an agent process of its own, which stamps each delta with the time it writes it. For latency the
 * agents speak as fast as a model does; for events a second as fast as they can. They take turns on the same
 * machine with the same agents, so other programs slow them alike; the pipe parses, keeps and translates nothing.
 * The processor's time is that of the server alone, without agents and client.
 */
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Contender, contenders, serve } from "./bridge/Contender.ts"
import { Server, serverFlag } from "./bridge/Server.ts"
import type { Pace } from "./bridge/Stamp.ts"

const program = fileURLToPath(import.meta.url)
const agent = join(dirname(program), "agent.mjs")

/** How many sessions, how fast each speaks, and how much they say in all when they are in a hurry. */
const settings = [
  { sessions: 1, pace: { events: 300, everyMs: 10 }, hurried: 20_000 },
  { sessions: 50, pace: { events: 75, everyMs: 40 }, hurried: 40_000 },
  { sessions: 200, pace: { events: 75, everyMs: 40 }, hurried: 40_000 }
] as const

const rounds = 2

/** What was measured of a contender. */
class Figures {
  readonly latencies: Array<number> = []
  perSecond = 0
  processorMicros = Number.POSITIVE_INFINITY

  quantile(q: number): number {
    const sorted = this.latencies.sort((a, b) => a - b)
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? Number.NaN
  }
}

/** As a number of sessions at once. */
const together = async (server: Server, sessions: number, pace: Pace): Promise<ReadonlyArray<number>> => {
  const runs = await Promise.all(Array.from({ length: sessions }, (_, thread) => server.run(thread, pace)))
  return runs.flatMap(({ latencies }) => latencies)
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
    contenders.map((contender) => Server.start(contender, program, agent))
  )
  const figures: Readonly<Record<Contender, Figures>> = {
    bridge: new Figures(),
    kept: new Figures(),
    pipe: new Figures()
  }
  for (const server of servers) await warmUp(server, sessions)
  for (let round = 0; round < rounds; round++)
    for (const server of servers)
      for (const latency of await together(server, sessions, pace)) figures[server.contender].latencies.push(latency)
  for (let round = 0; round < rounds; round++)
    for (const server of servers) {
      const own = figures[server.contender]
      const [begun, used] = [performance.now(), server.processorMs]
      const { length } = await together(server, sessions, { events: hurried / sessions, everyMs: 0 })
      own.perSecond = Math.max(own.perSecond, length / ((performance.now() - begun) / 1000))
      own.processorMicros = Math.min(own.processorMicros, ((server.processorMs - used) * 1000) / length)
    }
  await Promise.all(servers.map((server) => server.end()))
  report(sessions, pace, figures)
}

const report = (sessions: number, pace: Pace, figures: Readonly<Record<Contender, Figures>>): void => {
  const { bridge, kept, pipe } = figures
  console.log(
    `\n${sessions} ${sessions === 1 ? "session" : "sessions"}, an agent process each: ` +
      `${bridge.latencies.length} deltas, ${((sessions * 1000) / pace.everyMs).toFixed(0)} a second`
  )
  row("", "in memory", "kept", "pipe", "added by the bridge, and by keeping")
  for (const [name, q] of [
    ["median", 0.5],
    ["p99", 0.99]
  ] as const) {
    const [ours, safe, floor] = [bridge.quantile(q), kept.quantile(q), pipe.quantile(q)]
    row(`latency, ${name}`, ms(ours), ms(safe), ms(floor), `${ms(ours - floor)}, ${ms(safe - ours)}`)
  }
  row(
    "deltas a second, at most",
    bridge.perSecond.toFixed(0),
    kept.perSecond.toFixed(0),
    pipe.perSecond.toFixed(0),
    `(${(bridge.perSecond / pipe.perSecond).toFixed(2)} x, ${(kept.perSecond / bridge.perSecond).toFixed(2)} x)`
  )
  row(
    "processor, a delta",
    micros(bridge.processorMicros),
    micros(kept.processorMicros),
    micros(pipe.processorMicros),
    ""
  )
}

const ms = (value: number): string => `${value.toFixed(2)} ms`
const micros = (value: number): string => `${value.toFixed(1)} us`

const row = (name: string, bridge: string, kept: string, pipe: string, added: string): void =>
  console.log(`  ${name.padEnd(25)} ${bridge.padStart(10)} ${kept.padStart(10)} ${pipe.padStart(10)}  ${added}`)

const isContender = (text: string | undefined): text is Contender => contenders.some((known) => known === text)

const [, , flag, contender, command = agent] = process.argv
if (flag === serverFlag && isContender(contender)) await serve(contender, command)
else {
  console.log("from the CLI's stdout to the client: the bridge beside a bare pipe")
  const wanted = process.argv.slice(2).map(Number)
  for (const setting of settings) if (wanted.length === 0 || wanted.includes(setting.sessions)) await measure(setting)
}
