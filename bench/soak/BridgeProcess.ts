/**
 * The bridge under soak, in a process of its own: `layerBridge` with agents of three kinds, and a judge that reads
 * the log of every thread. It takes orders from the process that started it and ends with it.
 */
import { createHash } from "node:crypto"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { layerBridge } from "@agentwire/bridge"
import { aguiFeed } from "@agentwire/bridge/agui"
import { AgentLauncher, cliLauncher, LaunchFailed, layerClaudeRuntime } from "@agentwire/bridge/claude"
import { HttpServer } from "@agentwire/bridge/http"
import { startReplayAgent } from "@agentwire/bridge/replay"
import { Sessions } from "@agentwire/bridge/session"
import { layerSqliteStore } from "@agentwire/bridge/store"
import { readTapeFile } from "@agentwire/fixtures"
import { Agui } from "@agentwire/protocol"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Redacted from "effect/Redacted"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { EventJudge } from "./EventJudge.ts"
import { markedTape } from "./Mark.ts"
import type { Answered, BridgeSetting, LogReport, OrderName, Orders, Plan, Sent } from "./Orders.ts"
import type { LoggedRun } from "./RunLedger.ts"

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

/** A thread as its plan and its judge know it. */
class Thread {
  readonly plan: Plan
  readonly runs: Array<{ runId: string; ended: string | null }> = []
  readonly judge: EventJudge
  starts = 0
  /** Ends the agent that is a tape. */
  endAgent: Effect.Effect<void> | undefined

  constructor(plan: Plan) {
    this.plan = plan
    this.judge = new EventJudge(`${plan.threadId}: its log`, plan.mark, { dialect: "1.0" })
  }

  read(event: Agui.AguiEvent): void {
    this.judge.push(event)
    if (event.type === "RUN_STARTED") this.runs.push({ runId: event.runId, ended: null })
    const open = this.runs.at(-1)
    if (Agui.endsRun(event) && open !== undefined)
      open.ended = event.type === "RUN_ERROR" ? `${event.type} ${event.code ?? ""}` : event.type
  }

  get report(): LogReport {
    const { events, evidence, objections, own } = this.judge
    const runs: ReadonlyArray<LoggedRun> = this.runs
    return { runs, objections, events, own, evidence }
  }
}

/** The name a session has for launchers; `Bridge.ts` makes it so. */
const keyOf = (threadId: string): string => createHash("sha256").update(threadId).digest("base64url").slice(0, 22)

const layerAgents = (threads: ReadonlyMap<string, Thread>): Layer.Layer<AgentLauncher> =>
  Layer.succeed(AgentLauncher, {
    launch: (request) =>
      Effect.gen(function* () {
        const thread = threads.get(request.sessionKey)
        if (thread === undefined)
          return yield* new LaunchFailed({ code: "NO_TAPE", message: "The soak does not know this thread." })
        const { env, kind, mark, program, tapes } = thread.plan
        if (kind !== "tape") {
          const launchers = yield* Layer.build(
            cliLauncher({ cliPath: program, inherit: { PATH: process.env["PATH"] ?? "" }, env })
          )
          return yield* Context.get(launchers, AgentLauncher).launch(request)
        }
        const start = thread.starts++
        const file = tapes[start % tapes.length] ?? ""
        const { tape } = yield* Effect.promise(() => readTapeFile(file))
        if (tape === undefined) return yield* new LaunchFailed({ code: "NO_TAPE", message: `${file} is no tape.` })
        const scope = yield* Scope.fork(yield* Effect.scope)
        thread.endAgent = Scope.close(scope, Exit.void)
        return yield* Scope.provide(startReplayAgent(markedTape(tape, mark, start), 1), scope)
      })
  })

type Carrying = { readonly [N in OrderName]: (order: Orders[N]["order"]) => Effect.Effect<Orders[N]["answer"]> }

const serve = ({ data, project, token }: BridgeSetting): Effect.Effect<void> => {
  const threads = new Map<string, Thread>()
  const errors: Array<string> = []
  const logger = Logger.make(({ cause, logLevel, message }) => {
    if (logLevel === "Error" || logLevel === "Fatal") errors.push(`${logLevel}: ${String(message)} ${String(cause)}`)
  })
  const reportOf = (threadId: string): LogReport =>
    threads.get(keyOf(threadId))?.report ?? { runs: [], objections: [], events: 0, own: 0, evidence: [] }

  return Effect.gen(function* () {
    const { url } = yield* HttpServer
    const sessions = yield* Sessions
    const carrying: Carrying = {
      open: (plan) =>
        Effect.gen(function* () {
          const thread = new Thread(plan)
          threads.set(keyOf(plan.threadId), thread)
          const session = yield* Effect.orDie(sessions.open(plan.threadId))
          yield* Effect.forkDetach(
            Stream.runForEach(aguiFeed(session, 0), ({ events }) =>
              Effect.sync(() => events.forEach((event) => void thread.read(event)))
            ).pipe(Effect.catch((gap) => Effect.sync(() => thread.judge.object(`was lost: ${gap.message}`))))
          )
          return null
        }),
      endAgent: (threadId) =>
        Effect.gen(function* () {
          const thread = threads.get(keyOf(threadId))
          if (thread?.endAgent === undefined) return false
          yield* thread.endAgent
          thread.endAgent = undefined
          return true
        }),
      report: (threadId) => Effect.sync(() => reportOf(threadId)),
      remove: (threadId) =>
        Effect.gen(function* () {
          yield* Effect.orDie(sessions.remove(threadId))
          const report = reportOf(threadId)
          threads.delete(keyOf(threadId))
          return report
        }),
      collect: () =>
        Effect.sync(() => {
          collect()
          collect()
          return { heapUsed: process.memoryUsage().heapUsed, errors: errors.splice(0) }
        })
    }
    const carryOut = <N extends OrderName>({ id, name, order }: Sent<N>): Effect.Effect<void> =>
      carrying[name](order).pipe(
        Effect.map((value): Answered => ({ id, value })),
        Effect.catchCause((cause) => Effect.succeed<Answered>({ id, failure: String(cause) })),
        Effect.flatMap((answer) => Effect.sync(() => process.send?.(answer))),
        Effect.asVoid
      )
    const run = Effect.runForkWith(yield* Effect.context<never>())
    process.on("message", (sent: Sent) => void run(carryOut(sent)))
    process.send?.({ id: 0, value: url } satisfies Answered)
    // The process that started this one may be gone without a word.
    yield* Effect.callback<void>((resume) => void process.once("disconnect", () => resume(Effect.void)))
  }).pipe(
    Effect.provide(
      layerBridge({
        session: {
          cwd: project,
          approvals: "interrupt",
          approvalTimeout: "8 seconds",
          frontendTimeout: "8 seconds",
          stopTimeout: "2 seconds"
        },
        store: layerSqliteStore({ folder: data }),
        http: { port: 0, basePath: "/kit", access: { token: Redacted.make(token) } }
      }).pipe(Layer.provide(layerClaudeRuntime), Layer.provide(layerAgents(threads)))
    ),
    Effect.orDie,
    Effect.provide(Logger.layer([logger]))
  )
}

/** Serves until the process that started this one lets go. */
export const runBridgeProcess = async (setting: string): Promise<void> => {
  await Effect.runPromise(serve(JSON.parse(setting) as BridgeSetting))
  process.exit(0)
}
