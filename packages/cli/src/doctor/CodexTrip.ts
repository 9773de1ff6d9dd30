/**
 * One prompt to a real `codex app-server`, with a scripted Responses API behind it, and what our translation makes of the
 * answer. Codex gets a home of its own and a key that is worth nothing: nothing leaves the machine or is left behind.
 */
import type { FoundCli } from "@agentwire/bridge/claude"
import { codexScenarios, playCodex } from "@agentwire/fixtures"
import * as Agui from "@agentwire/protocol/agui"
import { Dialogue } from "@agentwire/protocol/codex"
import * as Conform from "@agentwire/protocol/conform"
import * as Tape from "@agentwire/protocol/tape"
import * as Translate from "@agentwire/protocol/translate"
import * as Effect from "effect/Effect"
import { RoundTripFailed } from "./RoundTrip.ts"

/** What became of the prompt. */
export interface CodexTrip {
  readonly events: ReadonlyArray<Agui.AguiEvent>
  /** What did not go as the scenario says. */
  readonly problems: ReadonlyArray<string>
  /** The last that Codex wrote to its standard error. */
  readonly stderr: string
  readonly milliseconds: number
}

/** What the scripted model says in the scenario that is played. */
export const codexAnswer = "Hello, world."

/** Tries it. */
export const codexTrip = (
  { args, program, version }: FoundCli,
  timeoutMs: number
): Effect.Effect<CodexTrip, RoundTripFailed> =>
  Effect.gen(function* () {
    const scenario = codexScenarios.find(({ name }) => name === "hello")
    if (scenario === undefined) return yield* new RoundTripFailed({ message: "there is no scenario to play" })
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
    return {
      events: played.tapes.flatMap(eventsOf),
      problems: played.problems,
      stderr: played.stderr.trim().split("\n").at(-1) ?? "",
      milliseconds: Math.round(performance.now() - began)
    }
  })

const eventsOf = ({ frames }: Tape.Tape): ReadonlyArray<Agui.AguiEvent> => {
  const dialogue = new Dialogue()
  const events: Array<Agui.AguiEvent> = []
  let state = Translate.initialState({ threadId: "doctor", runtime: "codex" })
  for (const { from, line } of Tape.tapeLines(frames)) {
    const [next, given] = Translate.step(state, dialogue.hear(from === "host" ? "client" : "server", line.text))
    state = next
    events.push(...given)
  }
  return [...events, ...Translate.finish(state)]
}

/** What Codex said in the end, and how the events keep the rules. */
export const judgeCodexTrip = ({
  events
}: CodexTrip): { readonly said: string | undefined; readonly broken: Conform.Finding | undefined } => {
  const said = Agui.foldEvents(events).messages.findLast(({ role }) => role === "assistant")?.content
  const { findings } = Conform.checkEvents(events)
  return {
    said: typeof said === "string" ? said : undefined,
    broken: findings.find(({ level }) => level === "error") ?? findings.find(({ level }) => level === "warning")
  }
}
