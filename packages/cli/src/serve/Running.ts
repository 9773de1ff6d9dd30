/** What the commands have in common that serve sessions: their log, their sessions, their tapes, and until when. */
import { layerBridgeSessions } from "@agentwire/bridge"
import type { AppServerOptions } from "@agentwire/bridge/appserver"
import { type ExtensionOptions, extensionFolder, folderDocuments } from "@agentwire/bridge/extension"
import { layerLog, layerOtlpSpans } from "@agentwire/bridge/observe"
import { prepareWorkspace, readTemplates } from "@agentwire/bridge/workspace"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import type * as Scope from "effect/Scope"
import type { ExitCode } from "../Command.ts"
import type { Console } from "../Console.ts"
import { Failure } from "../Failure.ts"
import { isColoured, withMarks } from "../Paint.ts"
import { exitLike } from "../record/Recorder.ts"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import { version } from "../Version.ts"
import { adviceOn, type ServeFailed } from "./Advice.ts"
import { layerData } from "./Data.ts"
import { tokenVariable } from "./OptionWords.ts"
import type { SessionPolicy } from "./Policy.ts"
import type { AgentSource, ServeOptions } from "./ServeOptions.ts"
import { stopSignal } from "./StopSignal.ts"
import { type BridgeTapes, bridgeTapes } from "./Tapes.ts"

/** The log, on standard error, and the spans. */
export const layerDiary = ({ jsonLogs, logLevel, otlp }: ServeOptions, console: Console) => {
  const log = layerLog({
    // The log takes care of what others said; its own colours are to be seen.
    write: (line) => console.err(withMarks(line)),
    json: jsonLogs || process.stderr.isTTY !== true,
    color: isColoured(process.stderr, process.env),
    level: logLevel
  })
  const spans = otlp === undefined ? Layer.empty : layerOtlpSpans({ url: otlp, serviceVersion: version() })
  return Layer.provideMerge(spans, log)
}

/** The sessions. */
export const layerSessions = (
  { agent, approvals, busy, cwd, data, maxSessions, roots, templates }: ServeOptions,
  policy: SessionPolicy
) =>
  layerBridgeSessions({
    session: {
      ...{ cwd, agent, approvals, busy, ...policy },
      // Read anew each time: whoever changes a template need not start the bridge again.
      ...(templates !== undefined && {
        prepare: ({ folder }) => Effect.flatMap(readTemplates(templates), (files) => prepareWorkspace(folder, files))
      })
    },
    roots,
    sessions: maxSessions === undefined ? {} : { maxSessions },
    ...(data !== undefined && { store: layerData(data, cwd) })
  })

/** What a command does until it is stopped, with its log: 0, or a failure in words. `after`: what is done then in any case. */
export const runUntilStopped = async (
  options: ServeOptions,
  console: Console,
  work: (stop: AbortSignal) => Effect.Effect<void, ServeFailed, Scope.Scope>,
  after: () => Promise<void> = async () => undefined
): Promise<ExitCode> => {
  // What is left of the agents then is ended by their guards.
  const stop = stopSignal((code) => process.exit(code))
  // A terminal that was closed takes no more lines; what runs is to end in order all the same.
  process.stderr.on("error", ignored)
  try {
    const ended = await Effect.runPromise(
      work(stop.signal).pipe(Effect.scoped, Effect.provide(layerDiary(options, console)), Effect.result)
    )
    if (Result.isSuccess(ended)) return 0
    throw new Failure(adviceOn(ended.failure, options), { cause: ended.failure })
  } finally {
    await after()
    stop.forget()
    process.stderr.off("error", ignored)
  }
}

const ignored = (): void => undefined

/** Where extensions keep things, where anything is kept. */
export const documentsOf = ({ data }: ServeOptions): Pick<ExtensionOptions, "documents"> =>
  data === undefined ? {} : { documents: folderDocuments(extensionFolder(data.folder)) }

/** The agents that can be asked about what they do; `codex exec` cannot, and clients of the app-server count on it. */
export const askingRuntime = (source: AgentSource): RuntimeKind | undefined => {
  const runtime = source.runtime ?? "claude"
  return runtime === "codex-exec" ? undefined : runtime
}

/** The app-server in front of them. */
export const appServerOf = (
  { agent, cwd, data, sessionOptions }: ServeOptions,
  runtime: RuntimeKind
): AppServerOptions => ({
  runtime,
  agent,
  cwd,
  sessionOptions,
  version: version(),
  ...(data !== undefined && { home: data.folder })
})

/** Ends the tapes. One that takes nothing more must not keep this process. */
export const endTapes = async (tapes: BridgeTapes | undefined): Promise<void> => {
  const { stuck } = (await tapes?.end()) ?? { stuck: false }
  if (stuck) await exitLike({ code: 0, signal: null }, stuck)
}

/** The tapes, where agents are recorded. */
export const tapesOf = ({ source, token }: ServeOptions, console: Console): BridgeTapes | undefined =>
  source._tag !== "Cli" || source.record === undefined
    ? undefined
    : bridgeTapes({
        folder: source.record,
        redaction: { off: false, patterns: [], variables: [tokenVariable], values: token === undefined ? [] : [token] },
        onStop: console.err
      })

/** Waits until somebody stops the command. */
export const whenAborted = (signal: AbortSignal): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const done = () => resume(Effect.void)
    if (signal.aborted) return done()
    signal.addEventListener("abort", done)
    return Effect.sync(() => signal.removeEventListener("abort", done))
  })
