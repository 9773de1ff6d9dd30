/**
 * How the two processes meet: each says its version and what it can do, proves that it knows the secret, and says in words what
 * the other lacks.
 */
import * as Schema from "effect/Schema"
import { AgentKind } from "../session/Capabilities.ts"

/** The version of what is said here. It grows when something is said in another way; what is new is a feature. */
export const linkVersion = 1
/** The oldest version that is understood. */
export const oldestLink = 1

const versions = {
  /** The newest version that the side speaks, and the oldest. */
  link: Schema.Natural,
  oldest: Schema.Natural,
  /** The program, for people. */
  program: Schema.String
}

/** A gateway comes. */
export const Hello = Schema.Struct({
  protocol: Schema.Literal("agentwire-link"),
  ...versions,
  nonce: Schema.String.check(Schema.isMinLength(16), Schema.isMaxLength(200))
})

/** The runtime answers, and proves itself first. */
export const HelloBack = Schema.Struct({ ...versions, nonce: Schema.String, proof: Schema.String })

/** The gateway proves itself, and says who it is. */
export const Enter = Schema.Struct({
  proof: Schema.String,
  /** One for each process. What it has asked is known by it, over any number of connections. */
  id: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(100)),
  pid: Schema.Natural,
  /** Whether it serves clients: who only asks how things are does not. */
  serves: Schema.Boolean
})
/** The gateway proves itself. */
export type Enter = typeof Enter.Type

/** The gateway is in. */
export const Welcome = Schema.Struct({
  /** One for each start of the runtime. */
  boot: Schema.String,
  pid: Schema.Natural,
  program: Schema.String,
  link: Schema.Natural,
  /** What it can be asked, in words. */
  features: Schema.Record(Schema.String, Schema.String),
  agentName: Schema.String,
  agents: Schema.Array(AgentKind),
  /** What the runtime serves, for people. */
  agent: Schema.String,
  /** The folder of sessions that name none. */
  cwd: Schema.String,
  /** Whether people are asked what agents may do. */
  asks: Schema.Boolean
})
/** The gateway is in. */
export type Welcome = typeof Welcome.Type

/** A side, as the other sees it. */
export interface Versions {
  readonly link: number
  readonly oldest: number
  readonly program: string
}

/** This side's versions. `program`: what people know it by. */
export const versionsOf = (program: string): Versions => ({ link: linkVersion, oldest: oldestLink, program })

/** Why a gateway and a runtime have nothing in common; undefined: they do. */
export const versionProblem = (gateway: Versions, runtime: Versions): string | undefined => {
  if (gateway.link < runtime.oldest)
    return `The gateway (${gateway.program}) is too old for its runtime (${runtime.program}): it speaks version ${gateway.link} of the link, and the runtime none before ${runtime.oldest}. Update the gateway.`
  if (runtime.link < gateway.oldest)
    return `The runtime (${runtime.program}) is too old for its gateway (${gateway.program}): it speaks version ${runtime.link} of the link, and the gateway none before ${gateway.oldest}. Update the runtime.`
  return undefined
}

type Features = Readonly<Record<string, string>>

/** What one side can do and the other has nothing for, in words. Empty: they are of one age. */
export const lacks = (
  own: Features,
  { features, program }: Pick<Welcome, "features" | "program">
): ReadonlyArray<string> => {
  const words = (has: Features, other: Features): ReadonlyArray<string> =>
    Object.entries(has).flatMap(([name, what]) => (Object.hasOwn(other, name) ? [] : [what]))
  const [older, newer] = [words(own, features), words(features, own)]
  return [
    ...(older.length === 0
      ? []
      : [`The runtime (${program}) is older than this gateway. Until it is updated, nobody can: ${older.join("; ")}.`]),
    ...(newer.length === 0
      ? []
      : [`This gateway is older than its runtime (${program}). Until it is updated, it cannot: ${newer.join("; ")}.`])
  ]
}
