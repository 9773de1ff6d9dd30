/**
 * The names of now for those in a recording, so that a take can be played any number of times in one conversation.
 *
 * Everything the recorded CLI made up (uuids, messages, tool calls, tasks) gets a new name in every play; the session
 * and the prompt get those of now; the folder of the recording gets one that does not look like a real one.
 */
import { randomBytes, randomUUID } from "node:crypto"
import type { Cue } from "./Take.ts"

const hex = (digits: number): string =>
  randomBytes(Math.ceil(digits / 2))
    .toString("hex")
    .slice(0, digits)

interface Kind {
  readonly pattern: string
  readonly fresh: () => string
}

const kinds = {
  uuid: { pattern: "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", fresh: randomUUID },
  message: { pattern: "\\bmsg_\\w+", fresh: () => `msg_${hex(24)}` },
  tool: { pattern: "\\btoolu_\\w+", fresh: () => `toolu_${hex(24)}` },
  call: { pattern: "\\bcall_\\d\\w*", fresh: () => `call_${hex(24)}` },
  thought: { pattern: "\\brs_\\d\\w*", fresh: () => `rs_${hex(24)}` },
  request: { pattern: "\\breq_\\w+", fresh: () => `req_${hex(24)}` },
  task: { pattern: "\\ba[0-9a-f]{16}\\b", fresh: () => `a${hex(16)}` },
  run: { pattern: "\\b0[0-9a-z]{8}-[0-9a-f]{8}\\b", fresh: () => `0${hex(8)}-${hex(8)}` }
} satisfies Readonly<Record<string, Kind>>

const anyName = new RegExp(
  Object.entries(kinds)
    .map(([name, { pattern }]) => `(?<${name}>${pattern})`)
    .join("|"),
  "g"
)

const kindNames = Object.keys(kinds) as ReadonlyArray<keyof typeof kinds>

const kindOf = (groups: Readonly<Record<string, string | undefined>>): keyof typeof kinds =>
  kindNames.find((name) => groups[name] !== undefined) ?? "uuid"

/** Where recordings are made, and where they seem to be made. */
const folder = /\bagentwire-(?:codex|[A-Za-z0-9]{6})(?=[/-])/g
const noFolder = "agentwire-demo"

/** What is the same in a whole conversation. */
export interface Conversation {
  readonly sessionId: string
  /** The MCP server of the page's tools, which recordings call `frontend`. */
  readonly server: string
}

const recordedServer = /(?<="server_name":"|\bmcp__)frontend(?="|__)/g

/** The names of one play. */
export class Names {
  readonly #conversation: Conversation
  readonly #now: Map<string, string>

  constructor(conversation: Conversation, known: Iterable<readonly [recorded: string, now: string]>) {
    this.#conversation = conversation
    this.#now = new Map(known)
  }

  /** A recorded line with the names of now. */
  rename(line: string): string {
    return line
      .replace(anyName, (name, ...rest) => this.#nameOf(name, rest.at(-1)))
      .replace(folder, noFolder)
      .replace(recordedServer, this.#conversation.server)
  }

  #nameOf(name: string, groups: Readonly<Record<string, string | undefined>>): string {
    const known = this.#now.get(name)
    if (known !== undefined) return known
    const now = kinds[kindOf(groups)].fresh()
    this.#now.set(name, now)
    return now
  }

  /**
   * The names for another take that is the same as this one so far: the second message of the one is the second of
   * the other. Not so uuids, which name lines: what was said is said, and further lines need new ones.
   */
  carriedOver(
    from: ReadonlyArray<Cue>,
    to: ReadonlyArray<Cue>,
    known: Iterable<readonly [recorded: string, now: string]>
  ): Names {
    const before = namesIn(from)
    const after = namesIn(to)
    const pairs = kindNames
      .filter((kind) => kind !== "uuid")
      .flatMap((kind) =>
        (after.get(kind) ?? []).flatMap((name, index) => {
          const now = this.#now.get(before.get(kind)?.[index] ?? "")
          return now === undefined ? [] : [[name, now] as const]
        })
      )
    return new Names(this.#conversation, [...pairs, ...known])
  }
}

/** The names in what the CLI says, by kind, in the order in which they first come. */
const namesIn = (cues: ReadonlyArray<Cue>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const found = new Map<string, Set<string>>()
  for (const cue of cues) {
    if (cue._tag !== "Say") continue
    for (const { 0: name, groups = {} } of cue.line.matchAll(anyName)) {
      const kind = kindOf(groups)
      found.set(kind, (found.get(kind) ?? new Set()).add(name))
    }
  }
  return new Map([...found].map(([kind, all]) => [kind, [...all]]))
}
