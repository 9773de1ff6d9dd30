/**
 * What opening a long thread costs, as clients see it over HTTP: joining it, which gives the newest 8 MB, and pages of the
 * management API. In processor time, so that other programs do not count, and beside the least that sending the same
 * messages could take.
 */
import { rmSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { Model } from "@agentwire/protocol"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { layerBridge } from "../../packages/bridge/src/embed/BridgeLayer.ts"
import { AgentLauncher, LaunchFailed } from "../../packages/bridge/src/runtime/claude/Agent.ts"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { HttpServer } from "../../packages/bridge/src/server/HttpServer.ts"
import { trunk } from "../../packages/bridge/src/store/Checkpoint.ts"
import { layerSqliteStore, makeSqliteStore } from "../../packages/bridge/src/store/sqlite/SqliteStore.ts"
import { quantile } from "./Appends.ts"
import { freshFolder, threadOf } from "./Contenders.ts"
import { entries } from "./Reading.ts"

/** Processor time of this process so far, in milliseconds. */
const processorTime = (): number => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/** What was measured of one answer. */
interface Figures {
  readonly body: string
  /** Until the first byte of what is asked for, and until the last, in processor time. */
  readonly first: number
  readonly whole: number
  /** The longest that nobody else had a turn. */
  readonly longest: number
}

/** Asks, and reads the answer as a client would that does nothing with it. */
const measured = (url: string, path: string, body?: string): Promise<Figures> =>
  new Promise((resolve, reject) => {
    const begun = processorTime()
    let [last, longest, first, done] = [begun, 0, 0, false]
    const turn = (): void => {
      const now = processorTime()
      longest = Math.max(longest, now - last)
      last = now
      if (!done) setImmediate(turn)
    }
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body ?? "") }
    const read = (answer: IncomingMessage): void => {
      const chunks: Array<Buffer> = []
      answer.on("data", (chunk: Buffer) => {
        if (chunks.length === 0) first = processorTime() - begun
        chunks.push(chunk)
      })
      answer.on("error", reject)
      answer.on("end", () => {
        done = true
        const whole = processorTime() - begun
        resolve({ body: Buffer.concat(chunks).toString(), first, whole, longest })
      })
    }
    request(`${url}${path}`, { method: body === undefined ? "GET" : "POST", headers, agent: false }, read)
      .on("error", reject)
      .end(body)
    turn()
  })

/** The median of some runs, after one that does not count, each in a figure of its own. */
const medians = async (run: () => Promise<Figures>, times = 7): Promise<Figures> => {
  const all: Array<Figures> = []
  await run()
  for (let n = 0; n < times; n++) all.push(await run())
  const of = (figure: "first" | "whole" | "longest"): number =>
    quantile(
      all.map((each) => each[figure]),
      0.5
    )
  return { body: all[0]?.body ?? "", first: of("first"), whole: of("whole"), longest: of("longest") }
}

const row = (name: string, ...columns: ReadonlyArray<string>): void =>
  console.log(`  ${name.padEnd(44)}${columns.map((column) => column.padStart(12)).join("")}`)

const reported = (name: string, { body, first, longest, whole }: Figures, floor: number): void =>
  row(
    name,
    (Buffer.byteLength(body) / 1e6).toFixed(2),
    ...[first, whole, longest, floor].map((ms) => ms.toFixed(1)),
    floor === 0 ? "" : (whole / floor).toFixed(1)
  )

const nobody = Layer.succeed(AgentLauncher, {
  launch: () => Effect.fail(new LaunchFailed({ code: "SPAWN_FAILED", message: "Nobody is there." }))
})

const situation = Model.situationToJson(Model.emptySituation)

/** Threads of several lengths, joined and paged. */
export const measureConnecting = async (): Promise<void> => {
  const folder = freshFolder()
  console.log("\nopening a thread over HTTP, in milliseconds of processor time (server and reader)")
  row("", "MB", "first byte", "whole", "longest", "floor", "x floor")
  const lengths = [100, 10_000, 100_000]
  const put = Effect.gen(function* () {
    const store = yield* makeSqliteStore({ folder })
    for (const length of lengths)
      yield* store.create(
        { ...threadOf(`of ${length}`), cwd: "/" },
        { entries: entries(length), checkpoint: { seq: 0, situation, path: trunk, nextPosition: length } }
      )
  })
  await Effect.runPromise(Effect.scoped(put))
  const bridge = layerBridge({
    session: { cwd: "/" },
    store: layerSqliteStore({ folder }),
    http: { port: 0, access: { token: "none" } }
  }).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(nobody))
  const measuring = Effect.flatMap(HttpServer, ({ url }) =>
    Effect.promise(async () => {
      for (const length of lengths) {
        const threadId = `of ${length}`
        const input = JSON.stringify({ threadId, runId: "r", messages: [], tools: [], context: [] })
        const joined = await medians(() => measured(url, "/agent/default/connect", input))
        reported(`joining a thread of ${length} messages`, joined, await leastOf(snapshotIn(joined.body)))
        const path = `/api/sessions/${encodeURIComponent(threadId)}/messages?limit=100`
        const page = await medians(() => measured(url, path))
        reported("  newest 100 of them", page, await leastOf(JSON.parse(page.body)))
      }
    })
  )
  await Effect.runPromise(Effect.scoped(Effect.provide(measuring, bridge)))
  rmSync(folder, { recursive: true, force: true })
}

/** What was said, in an answer to somebody who joins. */
const snapshotIn = (body: string): unknown =>
  body
    .split("\n\n")
    .filter((frame) => frame.includes("MESSAGES_SNAPSHOT"))
    .map((frame) => JSON.parse(frame.slice("data: ".length)) as unknown)

/** The least that it takes: the same as JSON, as bytes. */
const leastOf = async (value: unknown): Promise<number> => {
  const { whole } = await medians(async () => {
    const begun = processorTime()
    const { length } = Buffer.from(JSON.stringify(value))
    return { body: "", first: length, whole: processorTime() - begun, longest: 0 }
  })
  return whole
}
