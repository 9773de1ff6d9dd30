/**
 * One prompt to a real `codex exec` whose scripted model wants a file written where nothing may be: whether the sandbox
 * holds on this machine, on which all depends where nobody is asked.
 */
import type { FoundCli } from "@agentwire/bridge/claude"
import { type CodexScenario, playCodex } from "@agentwire/fixtures"
import { execCodec, foldExec, initialExecFold } from "@agentwire/protocol/codex"
import * as Model from "@agentwire/protocol/model"
import * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { RoundTripFailed } from "./RoundTrip.ts"

/** What became of the prompt. */
export interface SandboxTrip {
  /** How the command ended that would write; undefined: it did not run. */
  readonly exitCode: number | undefined
  /** The last that the model said. */
  readonly said: string | undefined
  /** The last that Codex wrote to its standard error. */
  readonly stderr: string
  readonly milliseconds: number
}

/** What the scripted model says in the end. */
export const sandboxAnswer = "I have tried."

const scenario: CodexScenario = {
  name: "sandbox",
  about: "a command that would write, in a sandbox that is read-only",
  model: {
    replies: [
      { kind: "command", command: "touch agentwire-doctor" },
      { kind: "text", deltas: [sandboxAnswer] }
    ]
  },
  args: ["exec", "--json", "--skip-git-repo-check", "--ignore-rules", "--sandbox", "read-only", "Go."],
  client: [{ do: "close" }, { do: "exited", timeoutMs: 60_000 }]
}

/** Tries it. */
export const sandboxTrip = (
  { args, program, version }: FoundCli,
  timeoutMs: number
): Effect.Effect<SandboxTrip, RoundTripFailed> =>
  Effect.gen(function* () {
    const began = performance.now()
    const played = yield* Effect.tryPromise({
      try: (signal) =>
        playCodex({
          cli: { program, args },
          scenario,
          version,
          signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
        }),
      catch: (cause) => new RoundTripFailed({ message: cause instanceof Error ? cause.message : String(cause) })
    })
    const { entries } = Model.transcriptOf(played.tapes.flatMap(eventsOf))
    const result = entries.find((entry) => entry.kind === "result")
    const text = entries.findLast((entry) => entry.kind === "text")
    return {
      exitCode: result?.kind === "result" ? result.exitCode : undefined,
      said: text?.kind === "text" ? text.text : undefined,
      stderr: played.stderr.trim().split("\n").at(-1) ?? "",
      milliseconds: Math.round(performance.now() - began)
    }
  })

const eventsOf = ({ frames }: Tape.Tape): ReadonlyArray<Model.Event> => {
  let state = initialExecFold()
  return Tape.tapeLines(frames).flatMap(({ from, line }) => {
    if (from !== "agent" || line._tag !== "Text") return []
    const [next, events] = foldExec(state, execCodec.decodeLine(line.text))
    state = next
    return events
  })
}
