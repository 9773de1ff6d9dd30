/** `@agentwire/bridge/codex`: Codex as the agent, and what it asks for, to policies. */
import {
  CodexLauncher,
  type CodexLauncherOptions,
  type CodexServer,
  codexLauncher,
  codexToolInputs,
  ExecLauncher,
  type ExecProcess,
  type ExecTurnRequest,
  execLauncher,
  findCodex,
  findRollout,
  layerCodexExecRuntime,
  layerCodexRuntime,
  listRollouts,
  readRolloutOf,
  rolloutsFolder,
  type ServerRequest,
  TranscriptFailed
} from "@agentwire/bridge/codex"
import { explainDecision, readPolicy } from "@agentwire/bridge/policy"
import { layerRuntimes } from "@agentwire/bridge/session"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"

// Where it is, which version, and the runtime that a bridge is given: `layerBridge(...).pipe(Layer.provide(runtime))`.
const options: CodexLauncherOptions = { codexPath: "codex" }
const found = await Effect.runPromise(Effect.result(findCodex(options)))
console.log(Result.isSuccess(found) ? found.success.version : found.failure.code)
export const runtime = layerRuntimes(Layer.provide(layerCodexRuntime, codexLauncher(options)))

// App-servers from elsewhere take the place of those of this machine.
export const elsewhere = (start: (request: ServerRequest) => CodexServer) =>
  Layer.provide(
    layerCodexRuntime,
    Layer.succeed(CodexLauncher, { launch: (request) => Effect.sync(() => start(request)) })
  )

// The lesser runtime: one `codex exec` for each prompt, which asks nobody. Sessions name it: `runtime: "codex-exec"`.
export const both = layerRuntimes(runtime, Layer.provide(layerCodexExecRuntime, execLauncher(options)))
export const turnsElsewhere = (start: (request: ExecTurnRequest) => ExecProcess) =>
  Layer.provide(
    layerCodexExecRuntime,
    Layer.succeed(ExecLauncher, { check: () => Effect.void, launch: (request) => Effect.sync(() => start(request)) })
  )

// Commands are texts or lists of words; changes of files are patches with several paths.
const rules = Result.getOrThrow(
  readPolicy(
    JSON.stringify({
      version: 1,
      allow: [
        { tool: "commandExecution", command: "cat *" },
        { tool: "fileChange", path: "**" }
      ],
      deny: [{ tool: ["read", "fileChange"], path: ".env" }]
    }),
    codexToolInputs
  )
)
const decide = (toolName: string, input: Readonly<Record<string, unknown>>) =>
  Effect.runPromise(explainDecision(rules, { toolName, input, cwd: process.cwd(), mode: undefined }))
console.log((await decide("commandExecution", { command: ["bash", "-lc", "cat .env"] })).decision) // deny
console.log((await decide("fileChange", { changes: [{ path: "a.ts", kind: { type: "add" } }] })).decision) // allow

// The threads that Codex kept itself: which there are, and all of one.
console.log(rolloutsFolder({ HOME: "/home/ada" })) // /home/ada/.codex/sessions
const nowhere = await Effect.runPromise(Effect.flip(listRollouts({ rollouts: "/nowhere" })))
console.log(nowhere instanceof TranscriptFailed, nowhere.code) // true TRANSCRIPT_NOT_FOUND
export const wholeThread = findRollout(rolloutsFolder(), "01a1").pipe(
  Effect.flatMap((place) => readRolloutOf(place, rolloutsFolder()))
)
