/**
 * What the store costs, beside plain files in the same run: `npm run bench:store`, or only parts of it:
 * `npm run bench:store -- appends`, `reading`, `opening`, `connecting`.
 *
 * Plain files are the floor: a line for each event in a file for each session, which is never read again. `nothing`
 * writes nothing and waits for one turn of the event loop, as whoever commits together must. Contenders take turns on
 * the same machine, so other programs slow them alike; compare the ratios, not the times.
 */
import { quantile, Speakers } from "./store/Appends.ts"
import { measureConnecting } from "./store/Connecting.ts"
import { type Contender, files, type MakeContender, memory, nothing, sqlite } from "./store/Contenders.ts"
import { measureOpening, measureReading } from "./store/Reading.ts"

/** How many sessions, how fast each speaks, and how much they say in all when they are in a hurry. */
const settings = [
  { sessions: 1, events: 600, everyMs: 10, hurried: 40_000 },
  { sessions: 50, events: 120, everyMs: 40, hurried: 60_000 },
  { sessions: 200, events: 120, everyMs: 40, hurried: 60_000 }
] as const

const rounds = 3

const contenders: ReadonlyArray<MakeContender> = [
  nothing,
  files("normal"),
  sqlite("normal"),
  memory,
  files("full"),
  sqlite("full")
]

/** What was measured of a contender. */
class Figures {
  readonly contender: Contender
  readonly speakers: Speakers
  readonly latencies: Array<number> = []
  perSecond = 0

  constructor(contender: Contender, sessions: number) {
    this.contender = contender
    this.speakers = new Speakers(contender, sessions)
  }

  /** Waiting for a disk is slow: fewer events tell as much. */
  get patience(): number {
    return this.contender.name.endsWith("full") ? 20 : 1
  }

  get bytesPerEvent(): number {
    return this.contender.bytes() / this.speakers.written
  }
}

const measureAppends = async ({ events, everyMs, hurried, sessions }: (typeof settings)[number]): Promise<void> => {
  const all: Array<Figures> = []
  for (const make of contenders) all.push(new Figures(await make(sessions), sessions))
  for (const { speakers } of all) await speakers.hurried(2000)
  // In turns, so that whatever else the machine does slows all of them alike.
  for (let round = 0; round < rounds; round++)
    for (const { latencies, speakers } of all) latencies.push(...(await speakers.paced(events / rounds, everyMs)))
  for (let round = 0; round < rounds; round++)
    for (const each of all)
      each.perSecond = Math.max(each.perSecond, await each.speakers.hurried(hurried / each.patience))
  for (const { contender } of all) await contender.close()
  report(sessions, everyMs, all)
  for (const { contender } of all) contender.remove()
}

const report = (sessions: number, everyMs: number, all: ReadonlyArray<Figures>): void => {
  console.log(
    `\n${sessions} ${sessions === 1 ? "session" : "sessions"}, ${(sessions * 1000) / everyMs} events a second`
  )
  row("", "p50 ms", "p99 ms", "added p99", "events/s", "x files", "bytes/event", "x files")
  const named = (name: string) => all.find(({ contender }) => contender.name === name)
  const floor = quantile(named("nothing")?.latencies ?? [], 0.99)
  for (const figures of all) {
    const { bytesPerEvent, contender, latencies, patience, perSecond } = figures
    const files = named(patience > 1 ? "files, full" : "files, normal") ?? figures
    const [p50, p99] = [quantile(latencies, 0.5), quantile(latencies, 0.99)]
    row(
      contender.name,
      ...[p50, p99, p99 - floor].map((ms) => ms.toFixed(2)),
      perSecond.toFixed(0),
      (perSecond / files.perSecond).toFixed(2),
      bytesPerEvent.toFixed(0),
      (bytesPerEvent / files.bytesPerEvent).toFixed(2)
    )
  }
}

const row = (name: string, ...columns: ReadonlyArray<string>): void =>
  console.log(`  ${name.padEnd(16)}${columns.map((column) => column.padStart(12)).join("")}`)

const wanted = process.argv.slice(2)
const isWanted = (part: string): boolean => wanted.length === 0 || wanted.includes(part)

if (isWanted("appends")) for (const setting of settings) await measureAppends(setting)
if (isWanted("reading")) await measureReading()
if (isWanted("opening")) await measureOpening()
if (isWanted("connecting")) await measureConnecting()
