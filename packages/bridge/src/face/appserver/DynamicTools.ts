/**
 * The tools that a client brings when it begins a thread (`dynamicTools`): tools of the application, which the client runs.
 *
 * The client that brought them is asked for their results (`item/tool/call`); once it is gone, whoever follows the thread
 * is, as with Codex. Tools of other faces are theirs, and no client of this one is asked for them.
 */
import type { FunctionDynamicToolSpec, NamespaceDynamicToolSpec, ParamsOf } from "@agentwire/protocol/codex"
import type { Refusal } from "@agentwire/protocol/jsonrpc"
import type * as Model from "@agentwire/protocol/model"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import { refuse } from "./Refusals.ts"

type Specs = ParamsOf<"thread/start">["dynamicTools"]

/** A tool by the names of its client. */
export interface OwnName {
  readonly namespace: string | null
  readonly tool: string
}

/** The connection of a client. */
type Owner = object

/** The tools of a thread. */
export interface DynamicTools {
  /** Who brought them. */
  readonly owner: Owner
  readonly tools: ReadonlyArray<Model.PageTool>
  /** Their own names, by those that the agent knows. */
  readonly names: ReadonlyMap<string, OwnName>
}

/** The tools of threads, by the names of the threads. */
export interface ThreadTools {
  readonly of: (threadId: string) => DynamicTools | undefined
  readonly keep: (threadId: string, tools: DynamicTools | undefined) => void
  /** What a client is asked for a tool by; undefined where it is not asked for it. */
  readonly askedOf: (threadId: string, tool: string, client: Owner) => OwnName | undefined
}

/** The threads whose tools are known: a server may run for long, and nobody says that a thread is over. */
const maxThreads = 1000

/** No tools yet. `isHere`: whether a client is connected. */
export const makeThreadTools = (isHere: (client: Owner) => boolean): ThreadTools => {
  const kept = new Map<string, DynamicTools>()
  return {
    of: (threadId) => kept.get(threadId),
    keep: (threadId, tools) => {
      kept.delete(threadId)
      if (tools !== undefined && tools.tools.length > 0) kept.set(threadId, tools)
      for (const oldest of kept.keys()) {
        if (kept.size <= maxThreads) break
        kept.delete(oldest)
      }
    },
    askedOf: (threadId, tool, client) => {
      const known = kept.get(threadId)
      return known === undefined || (known.owner !== client && isHere(known.owner)) ? undefined : known.names.get(tool)
    }
  }
}

/** What models take as the name of a tool. */
const named = /^[A-Za-z0-9_-]{1,64}$/

/** A tool of a group, as the agent knows it. */
const nameIn = (namespace: string | null, tool: string): string => (namespace === null ? tool : `${namespace}__${tool}`)

/** What a client brings, as tools of the application. Two of one name, and names that no model takes, are refused. */
export const readDynamicTools = (specs: Specs, owner: Owner): Effect.Effect<DynamicTools, Refusal> =>
  Effect.gen(function* () {
    const tools: Array<Model.PageTool> = []
    const names = new Map<string, OwnName>()
    for (const { description, inputSchema, namespace, tool } of (specs ?? []).flatMap(functionsIn)) {
      const name = nameIn(namespace, tool)
      if (!named.test(name))
        return yield* refuse(`Invalid request: dynamic tool name must be 1 to 64 of A-Z a-z 0-9 _ -: ${name}`)
      if (names.has(name)) return yield* refuse(`Invalid request: duplicate dynamic tool name: ${name}`)
      if (!isRecord(inputSchema))
        return yield* refuse(`Invalid request: dynamic tool input schema is not supported for ${name}: not an object`)
      names.set(name, { namespace, tool })
      tools.push({ name, description, parameters: inputSchema })
    }
    return { owner, tools, names }
  })

interface Brought extends OwnName {
  readonly description: string
  readonly inputSchema: unknown
}

/** A function, or those of a group. Kinds that are not known bring nothing. */
const functionsIn = (spec: NonNullable<Specs>[number]): ReadonlyArray<Brought> => {
  switch (spec.type) {
    case "function": {
      const { description, inputSchema, name } = spec as FunctionDynamicToolSpec
      return [{ namespace: null, tool: name, description, inputSchema }]
    }
    case "namespace": {
      const { name: namespace, tools } = spec as NamespaceDynamicToolSpec
      return tools.map(({ description, inputSchema, name: tool }) => ({ namespace, tool, description, inputSchema }))
    }
    default:
      return []
  }
}
