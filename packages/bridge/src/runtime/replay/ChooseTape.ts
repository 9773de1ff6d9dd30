/** Which tape a session gets: the one of its name, else the next in turn, of those that are of its kind of agent. */
import type * as Tape from "@agentwire/protocol/tape"
import * as Effect from "effect/Effect"
import { LaunchFailed } from "../../process/AgentLife.ts"
import { type NamedTape, readTapes, tapeRuntime } from "./TapeFolder.ts"
import type { ReplayOptions } from "./TapePlayer.ts"

/** Chooses tapes of a runtime. What is on disk is read once, at the first launch. */
export const chooseTape = (
  tapes: ReplayOptions["tapes"],
  runtime: Tape.TapeHeader["runtime"]["name"]
): Effect.Effect<(sessionKey: string) => Effect.Effect<Tape.Tape, LaunchFailed>> =>
  Effect.gen(function* () {
    const all: Effect.Effect<ReadonlyArray<NamedTape>, LaunchFailed> = yield* Effect.cached(
      typeof tapes === "string" ? readTapes(tapes) : Effect.succeed(tapes)
    )
    let turn = 0
    return (sessionKey) =>
      Effect.flatMap(all, (loaded) => {
        const own = loaded.filter(({ tape }) => tapeRuntime(tape) === runtime)
        const chosen = own.find(({ name }) => name === sessionKey) ?? own[turn++ % own.length]
        return chosen === undefined
          ? Effect.fail(new LaunchFailed({ code: "NO_TAPE", message: `There is no tape of ${runtime} to replay.` }))
          : Effect.succeed(chosen.tape)
      })
  })
