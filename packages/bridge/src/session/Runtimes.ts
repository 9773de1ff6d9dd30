/**
 * Several kinds of agents side by side in one bridge: a table of runtimes that is a runtime itself.
 *
 * A session is with the kind that its option `runtime` names, else with the first. What a session needs of its agent is
 * the same for all of them, so nobody but this table knows that there are several.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mergedConversations } from "./MergedConversations.ts"
import { Runtime } from "./Runtime.ts"

type AnyRuntime = Runtime["Service"]

/** Runtimes side by side; the first is for sessions that name none. */
export const layerRuntimes = <E, R>(
  first: Layer.Layer<Runtime, E, R>,
  ...others: ReadonlyArray<Layer.Layer<Runtime, E, R>>
): Layer.Layer<Runtime, E, R> =>
  Layer.effect(
    Runtime,
    Effect.map(
      Effect.forEach([first, ...others], (layer) =>
        // Each builds the same service: in one memo they would be taken for each other's.
        Effect.map(Layer.build(Layer.fresh(layer)), Context.get(Runtime))
      ),
      tableOf
    )
  )

const tableOf = (runtimes: ReadonlyArray<AnyRuntime>): AnyRuntime => {
  const [first] = runtimes
  if (first === undefined) throw new Error("A table of runtimes has at least one.")
  const byKind = new Map(runtimes.map((runtime) => [runtime.kind, runtime]))
  return {
    kind: first.kind,
    kinds: [...byKind.keys()],
    name: first.name,
    agents: [...byKind.values()].flatMap(({ agents }) => agents),
    conversations: conversationsOf(runtimes),
    open: (options, host) => (byKind.get(options.agent.runtime ?? first.kind) ?? first).open(options, host)
  }
}

const conversationsOf = (runtimes: ReadonlyArray<AnyRuntime>): AnyRuntime["conversations"] => {
  const kept = runtimes.flatMap(({ conversations, kind }) =>
    conversations === undefined ? [] : [[kind, conversations] as const]
  )
  return kept.length > 1 ? mergedConversations(new Map(kept)) : kept[0]?.[1]
}

/** The kinds that a session may choose from. */
export const kindsOf = ({ kind, kinds = [kind] }: Pick<AnyRuntime, "kind" | "kinds">): ReadonlyArray<string> => kinds

/** Why a session cannot be with a kind of agent; undefined when it can. */
export const kindProblem = (
  runtime: Pick<AnyRuntime, "kind" | "kinds">,
  chosen: string | undefined
): { readonly code: "BAD_OPTION"; readonly message: string } | undefined =>
  chosen === undefined || kindsOf(runtime).includes(chosen)
    ? undefined
    : {
        code: "BAD_OPTION",
        message: `The option runtime does not fit: this bridge has no ${JSON.stringify(chosen)}. It has: ${kindsOf(runtime).join(", ")}.`
      }
