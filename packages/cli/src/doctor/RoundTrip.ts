/**
 * One prompt through the bridge's own launcher and session to a real CLI, with a scripted model behind it.
 *
 * The CLI gets a home of its own, a key that is worth nothing and none of the person's settings, so that nothing is
 * sent anywhere but to loopback, nothing is paid, and nothing is left behind.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { aguiFeed } from "@agentwire/bridge/agui"
import { type AgentTap, cliLauncher, type FoundCli, layerClaudeRuntime } from "@agentwire/bridge/claude"
import { makeSession, openThread, type SessionStatus, type Submission } from "@agentwire/bridge/session"
import { layerMemoryStore, Store } from "@agentwire/bridge/store"
import { type Model, type ModelScript, startModel } from "@agentwire/fixtures"
import { says, text } from "@agentwire/fixtures/scenario"
import * as Agui from "@agentwire/protocol/agui"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"

/** How a CLI is spoken to. */
export type Transport = "stdio" | "ws"

/** What became of the prompt. */
export interface RoundTrip {
  readonly input: Agui.RunAgentInput
  readonly events: ReadonlyArray<Agui.AguiEvent>
  /** Whether the run came to its end in time. */
  readonly ended: boolean
  /** How far the session was when it was given up. */
  readonly status: SessionStatus
  /** How often the CLI asked the model. */
  readonly asked: number
  readonly process: ProcessLook
  readonly milliseconds: number
}

/** What was seen of the CLI's process. */
export interface ProcessLook {
  /** How it ended, by itself or when it was not needed any more. */
  readonly exit?: { readonly code: number | null; readonly signal: string | null }
  /** The beginning of what it wrote to its standard output, and of its standard error. */
  readonly stdout: string
  readonly stderr: string
}

/** It could not even be tried. */
export class RoundTripFailed extends Schema.TaggedError<RoundTripFailed>()("RoundTripFailed", {
  message: Schema.String
}) {}

/** What is tried, and for how long. */
export interface RoundTripOptions {
  readonly cli: FoundCli
  readonly transport: Transport
  readonly timeoutMs: number
  /** Where the CLI finds other programs. */
  readonly path: string
}

/** What the model says. */
export const modelAnswer = "The round trip works."

const script: ModelScript = { replies: [says(text(modelAnswer.slice(0, 9), modelAnswer.slice(9)))] }

const input: Agui.RunAgentInput = {
  threadId: "doctor",
  runId: "doctor-1",
  protocolVersion: Agui.PROTOCOL_VERSION,
  // Whoever only reads along is told the prompt, too.
  messages: [],
  tools: [],
  context: [],
  state: {}
}

const thread = { threadId: input.threadId, options: {}, archived: false, createdAt: 0, activeAt: 0 }

const submission: Submission = {
  ticket: input.runId,
  answers: [],
  results: [],
  tools: [],
  prompt: { type: "prompt", said: [{ id: "prompt", content: "Does the round trip work?" }] }
}

/** Tries it. All that was started and made is gone afterwards, also when it is interrupted. */
export const roundTrip = (options: RoundTripOptions): Effect.Effect<RoundTrip, RoundTripFailed> =>
  Effect.gen(function* () {
    const folders = yield* makeFolders
    let asked = 0
    const model = yield* startScript((path) => {
      if (path === "/v1/messages") asked++
    })
    const { cli, timeoutMs, transport } = options
    const watch = watchProcess()
    const launcher = cliLauncher({
      tap: () => watch.tap,
      cliPath: cli.args[0] ?? cli.program,
      transport,
      inherit: { PATH: options.path },
      env: environment(folders, model),
      graceMs: 500,
      connectLimitMs: 2 * timeoutMs
    })
    const seen = yield* Effect.scoped(onePrompt(folders.project, timeoutMs)).pipe(
      Effect.provide(Layer.merge(Layer.provide(layerClaudeRuntime, launcher), layerMemoryStore()))
    )
    // How it ended is known only now: a write that fails is noticed before the end of the process is.
    return { ...seen, asked, process: watch.seen() }
  }).pipe(Effect.scoped)

const onePrompt = (cwd: string, timeoutMs: number) =>
  Effect.gen(function* () {
    // The limit here is the shorter one, so that it is known how far it came.
    const startTimeout = 2 * timeoutMs
    const session = yield* Store.pipe(
      Effect.flatMap((store) => openThread(store, { ...thread, cwd })),
      Effect.flatMap((claim) => makeSession({ claim, sessionKey: "doctor", cwd, startTimeout })),
      Effect.mapError(({ message }) => new RoundTripFailed({ message }))
    )
    const began = performance.now()
    const events: Array<Agui.AguiEvent> = []
    const ended = yield* session
      .submit(() => Result.succeed(submission))
      .pipe(
        Effect.flatMap(({ at }) =>
          aguiFeed(session, at).pipe(
            Stream.tap((entry) => Effect.sync(() => events.push(...entry.events))),
            Stream.takeUntil((entry) => entry.events.some(Agui.endsRun)),
            Stream.runDrain
          )
        ),
        Effect.timeoutOption(timeoutMs),
        Effect.map(Option.isSome),
        Effect.mapError(({ message }) => new RoundTripFailed({ message }))
      )
    const milliseconds = Math.round(performance.now() - began)
    return { input, events, ended, status: yield* session.status, milliseconds }
  })

/** Enough to see what kind of program it is. */
const maxSeen = 2000

const watchProcess = (): { readonly tap: AgentTap; readonly seen: () => ProcessLook } => {
  let seen: ProcessLook = { stdout: "", stderr: "" }
  return {
    seen: () => seen,
    tap: {
      data: (from, channel, chunk) => {
        if (from !== "agent" || (channel !== "stdout" && channel !== "stderr")) return
        seen = { ...seen, [channel]: `${seen[channel]}${Buffer.from(chunk)}`.slice(0, maxSeen) }
      },
      exit: ({ code, signal }) => {
        seen = { ...seen, exit: { code, signal } }
      }
    }
  }
}

interface Folders {
  readonly home: string
  readonly project: string
  readonly tmp: string
}

const makeFolders: Effect.Effect<Folders, RoundTripFailed, Scope.Scope> = Effect.gen(function* () {
  const root = yield* Effect.acquireRelease(
    orFail("A folder for it cannot be made", async () =>
      realpathSync(mkdtempSync(join(tmpdir(), "agentwire-doctor-")))
    ),
    // A CLI that ends may still be writing.
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }))
  )
  const folders = { home: join(root, "home"), project: join(root, "project"), tmp: join(root, "tmp") }
  for (const folder of Object.values(folders)) mkdirSync(folder)
  return folders
})

const startScript = (onRequest: (path: string) => void): Effect.Effect<Model, RoundTripFailed, Scope.Scope> =>
  Effect.acquireRelease(
    orFail("The scripted model cannot listen on 127.0.0.1", () => startModel({ script, onRequest })),
    ({ close }) => Effect.promise(close)
  )

const orFail = <A>(what: string, attempt: () => Promise<A>): Effect.Effect<A, RoundTripFailed> =>
  Effect.tryPromise({
    try: attempt,
    catch: (cause) =>
      new RoundTripFailed({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}` })
  })

const environment = ({ home, tmp }: Folders, { url }: Model): Readonly<Record<string, string>> => ({
  HOME: home,
  TMPDIR: tmp,
  ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
  ANTHROPIC_BASE_URL: url,
  DISABLE_TELEMETRY: "1",
  DISABLE_AUTOUPDATER: "1",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
})
