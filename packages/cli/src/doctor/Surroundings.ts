/** What the checks of `agentwire doctor` look at, so that tests can stand in for a machine. */
import type { FoundCli, LaunchFailed } from "@agentwire/bridge/claude"
import type * as Effect from "effect/Effect"
import type { RuntimeKind } from "../runtime/Runtimes.ts"
import type { CodexTrip } from "./CodexTrip.ts"
import type { RoundTrip, RoundTripFailed, Transport } from "./RoundTrip.ts"
import type { SandboxTrip } from "./SandboxTrip.ts"
import type { StateLook } from "./StateFolder.ts"

/** What the command was told. */
export interface DoctorOptions {
  /** The agent that is to work: what is amiss with another one is no problem. */
  readonly runtime: RuntimeKind
  /** The program of that agent, where it was named. */
  readonly cli: string | undefined
  readonly transport: Transport | "auto"
  /** Whether the CLI is to be run. */
  readonly run: boolean
  /** How long the CLI may take for one thing. */
  readonly timeoutMs: number
}

/** Whether one can listen on a port; if not, the code of the system. */
export type PortLook = { readonly free: true } | { readonly free: false; readonly code: string }

/** A machine, as far as the checks see it. */
export interface Surroundings {
  readonly options: DoctorOptions
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: string
  /** The version of Node that runs. */
  readonly node: string
  /** The manifest of this package. */
  readonly agentwire: { readonly version: string; readonly node: string }
  /** Claude Code. Asks once, however often it is run. */
  readonly findCli: Effect.Effect<FoundCli, LaunchFailed>
  /** Codex. Asks once, however often it is run. */
  readonly findCodex: Effect.Effect<FoundCli, LaunchFailed>
  readonly roundTrip: (cli: FoundCli, transport: Transport) => Effect.Effect<RoundTrip, RoundTripFailed>
  /** The index of `serve`. */
  readonly state: Effect.Effect<StateLook>
  readonly port: (port: number) => Effect.Effect<PortLook>
  /** Whether Claude Code left a login in a file. */
  readonly hasLogin: Effect.Effect<boolean>
  /** The version of a package that is installed beside this one. */
  readonly packageVersion: (name: string) => Effect.Effect<string | undefined>
  /** A scripted prompt to a Codex. */
  readonly codexTrip: (cli: FoundCli) => Effect.Effect<CodexTrip, RoundTripFailed>
  /** A scripted command to a `codex exec` that may write nothing. */
  readonly sandboxTrip: (cli: FoundCli) => Effect.Effect<SandboxTrip, RoundTripFailed>
  /** Whether Codex left a login in a file. */
  readonly hasCodexLogin: Effect.Effect<boolean>
  /** Codex's settings: where they are, and what is there; undefined where there is nothing. */
  readonly codexConfig: Effect.Effect<{ readonly path: string; readonly text: string | undefined }>
  /** The rules that Codex keeps of commands, by their files. */
  readonly codexRules: Effect.Effect<ReadonlyArray<{ readonly path: string; readonly text: string }>>
}
