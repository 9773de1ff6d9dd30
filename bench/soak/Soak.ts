/**
 * The soak: warms a bridge up, looks at what it holds, lets people loose on it for a while, removes all threads, and
 * looks again. Says what happened, and what its judges object to.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Agents, cliVersion, threadVariable } from "./Agents.ts"
import { BridgeHandle } from "./BridgeHandle.ts"
import { Person, type World } from "./Person.ts"
import { descriptorsOf, judgeResources, margins, megabytes, processesWith, type Resources, rssOf } from "./Resources.ts"
import { Tally } from "./Tally.ts"

/** What a soak is told. */
export interface SoakOptions {
  readonly minutes: number
  readonly sessions: number
  readonly seed: number
  /** Use the real CLI where it is cached. */
  readonly withCli: boolean
  /** This program's file, which is also the bridge process. */
  readonly program: string
  /** The file of the command `agentwire`. */
  readonly agentwire: string
  /** The folder of recorded tapes. */
  readonly tapes: string
  /** The file for events that a judge objects to; it is only made when there are some. */
  readonly evidence: string
  /** Ends it early, in order. */
  readonly stop: AbortSignal
  readonly print: (line: string) => void
}

/** How long the bridge may take to let go of what it held for threads that are gone. */
const settleMs = 15_000

/** Soaks a bridge. What the judges object to. */
export const soak = async (options: SoakOptions): Promise<ReadonlyArray<string>> => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-soak-")))
  const token = `soak-${crypto.randomUUID()}`
  const project = join(root, "project")
  mkdirSync(project)
  const agents = await Agents.find({ ...options, root })
  const bridge = await BridgeHandle.start(options.program, { project, token, data: join(root, "data") })
  try {
    return await onBridge(options, agents, bridge, token)
  } finally {
    await bridge.end()
    await agents.close()
    rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}

const onBridge = async (
  { evidence, minutes, print, seed, sessions, stop }: SoakOptions,
  agents: Agents,
  bridge: BridgeHandle,
  token: string
): Promise<ReadonlyArray<string>> => {
  const place = { url: bridge.url, token }
  let threads = 0
  const world = (tally: Tally, of: number): World => ({
    bridge,
    place,
    agents,
    tally,
    seed: of,
    threadNumber: () => threads++
  })
  const wholeMs = minutes * 60_000
  const warmUpMs = Math.min(45_000, Math.max(3_000, wholeMs * 0.15))
  print(
    `soak: ${sessions} sessions, ${minutes} minutes after ${(warmUpMs / 1000).toFixed(0)} s to warm up, seed ${seed}; ` +
      (agents.cli === undefined
        ? `no real CLI (${cliVersion} is not cached, or not wanted): processes that replay stand in for it`
        : `real CLI ${cliVersion}`)
  )

  const warm = new Tally(evidence)
  await letLoose(world(warm, seed + 1), sessions, warmUpMs, stop)
  const before = await settled(bridge, undefined)
  print(`begin: ${described(before)}`)

  const tally = new Tally(evidence)
  const watch = watching(bridge, tally, print)
  await letLoose(world(tally, seed), sessions, stop.aborted ? 0 : wholeMs, stop)
  const most = watch.end()
  const after = await settled(bridge, before)
  tally.object(...warm.objections, ...before.errors, ...after.errors, ...judgeResources(before, after))
  const left = processesWith(`${threadVariable}=soak-${process.pid}-`)
  if (left.length > 0) tally.object(`processes of removed threads are left: ${left.map(({ name }) => name).join(", ")}`)
  if (bridge.ended !== undefined) tally.object(bridge.ended)
  if (tally.total("asked") > 20 && tally.total("marks") === 0) tally.object("no mark was seen: nothing was judged")

  for (const line of summary(tally)) print(line)
  print(`begin: ${described(before)}`)
  print(`most:  rss ${megabytes(most.rss)}, ${most.descriptors} descriptors`)
  print(`end:   ${described(after)}`)
  print(`margins: descriptors and processes 0, heap ${megabytes(margins.heapUsed)}, rss ${megabytes(margins.rss)}`)
  return tally.objections
}

/** People at work, one for each session, for a time; then until all they asked for is over. */
const letLoose = async (world: World, sessions: number, ms: number, stop: AbortSignal): Promise<void> => {
  const until = Date.now() + ms
  const isOver = (): boolean => Date.now() >= until || stop.aborted || world.bridge.ended !== undefined
  const people = Array.from({ length: sessions }, (_, session) => new Person(world, session))
  const lives = people.map((person) =>
    person.live(isOver).catch((cause: unknown) => {
      world.tally.object(`a person gave up: ${cause instanceof Error ? cause.message : String(cause)}`)
    })
  )
  await Promise.all(lives)
}

/** What the bridge holds once it let go of all it will. */
const settled = async (bridge: BridgeHandle, before: Resources | undefined) => {
  const errors: Array<string> = []
  const until = Date.now() + settleMs
  for (;;) {
    const now = await bridge.measure()
    errors.push(...now.errors)
    const isQuiet = before === undefined ? now.processes === 0 : judgeResources(before, now).length === 0
    if (Date.now() > until || (isQuiet && Date.now() > until - settleMs + 1000)) return { ...now, errors }
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

interface Watch {
  /** Stops watching, and says what was the most. */
  readonly end: () => { readonly rss: number; readonly descriptors: number }
}

/** Prints how it goes, and keeps what was the most. */
const watching = (bridge: BridgeHandle, tally: Tally, print: (line: string) => void): Watch => {
  const begun = Date.now()
  let rss = 0
  let most = 0
  const look = (): void => {
    const descriptors = Object.values(descriptorsOf(bridge.pid)).reduce((sum, n) => sum + n, 0)
    const now = rssOf(bridge.pid)
    rss = Math.max(rss, now)
    most = Math.max(most, descriptors)
    print(
      `${String(Math.round((Date.now() - begun) / 1000)).padStart(4)} s: ${tally.total("asked")} runs, ` +
        `${tally.total("received")} events, ${tally.total("kills")} kills, ${tally.total("streams", "left")} left, ` +
        `rss ${megabytes(now)}, ${descriptors} descriptors, ${tally.objections.length} objections`
    )
  }
  const timer = setInterval(look, 5000)
  return {
    end: () => {
      clearInterval(timer)
      look()
      return { rss, descriptors: most }
    }
  }
}

const described = ({ descriptors, heapUsed, processes, rss }: Resources): string =>
  `heap ${megabytes(heapUsed)}, rss ${megabytes(rss)}, ${processes} processes; descriptors: ` +
  Object.entries(descriptors)
    .map(([kind, n]) => `${kind} ${n}`)
    .join(", ")

/** The groups of a tally and what they are called. */
const groups: Readonly<Record<string, string>> = {
  threads: "threads",
  asked: "runs asked for",
  ends: "runs by their end in the log",
  streams: "streams by their end",
  received: "received by clients",
  logged: "in the logs",
  done: "disturbances",
  kills: "kills",
  answers: "questions",
  connects: "connects by their last event",
  "second runs": "second runs by status",
  marks: "own marks seen"
}

const summary = (tally: Tally): ReadonlyArray<string> =>
  Object.entries(groups).map(([group, title]) => `${title.padEnd(30)} ${tally.total(group)}: ${tally.line(group)}`)
