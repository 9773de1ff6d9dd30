/**
 * What a session file says about its session: title, folder, times, who wrote it. Enough of it is in the first and the
 * last lines of a file, so that a list of sessions needs no more: the CLI writes titles again whenever it exits.
 */
import { isSlashCommand } from "../../model/Command.ts"
import type { Content } from "../../model/Content.ts"
import { Framer } from "../../wire/Framer.ts"
import { timeOf } from "./Node.ts"
import { type DecodedLine, transcriptCodec } from "./TranscriptCodec.ts"
import { queuedWordsOf, type UserWords, wordsOf } from "./UserWords.ts"

/** Who gave a session its title. */
export type TitleSource = "person" | "provider" | "prompt"

/** What is known about a session. */
export interface TranscriptFacts {
  readonly sessionId: string | undefined
  /** The folder it was started in. */
  readonly cwd: string | undefined
  readonly gitBranch: string | undefined
  /** The version of the CLI that wrote to it last. */
  readonly version: string | undefined
  /** How the CLI was started last: `cli` in a terminal, `sdk-cli` by a host. */
  readonly entrypoint: string | undefined
  /** The model that answered last. */
  readonly model: string | undefined
  /** How much the agent might do without asking, last. */
  readonly mode: string | undefined
  readonly title: string | undefined
  readonly titleBy: TitleSource | undefined
  readonly firstPrompt: string | undefined
  /** When the first line was written, in milliseconds since 1970. */
  readonly createdAt: number | undefined
  /** When the last message was said. */
  readonly activeAt: number | undefined
  /** The session that continues this one. */
  readonly continuedIn: string | undefined
  /** It is the file of a sub-agent. */
  readonly isSidechain: boolean
}

/** Collects what lines say about their session. */
export interface FactsBuilder {
  /** Notes what a line says. */
  readonly add: (decoded: DecodedLine) => void
  /** What is known by now. */
  readonly facts: () => TranscriptFacts
}

/**
 * What the first and the last bytes of a session file say about its session. `tail` is left out where `head` is the
 * whole file. Lines that either of them cuts are left out.
 */
export const factsOfEnds = (head: Uint8Array, tail?: Uint8Array): TranscriptFacts => {
  const { add, facts } = makeFacts()
  const decode = (bytes: Uint8Array): void => {
    for (const line of new Framer().push(bytes)) {
      const decoded = transcriptCodec.decodeFramed(line)
      if (decoded !== undefined) add(decoded)
    }
  }
  decode(tail === undefined ? withLineEnd(head) : head)
  if (tail !== undefined) decode(withLineEnd(tail.subarray(tail.indexOf(lineFeed) + 1)))
  return facts()
}

const lineFeed = 10

/** The last line of a file need not have its end. */
const withLineEnd = (bytes: Uint8Array): Uint8Array => {
  if (bytes.at(-1) === lineFeed) return bytes
  const ended = new Uint8Array(bytes.length + 1)
  ended.set(bytes)
  ended[bytes.length] = lineFeed
  return ended
}

/** The most of a prompt that is kept as a title. */
const titleLength = 200

type Draft = { -readonly [K in keyof TranscriptFacts]: TranscriptFacts[K] }

/** Begins to collect what lines say about their session. */
export const makeFacts = (): FactsBuilder => {
  const draft: Draft = {
    sessionId: undefined,
    cwd: undefined,
    gitBranch: undefined,
    version: undefined,
    entrypoint: undefined,
    model: undefined,
    mode: undefined,
    title: undefined,
    titleBy: undefined,
    firstPrompt: undefined,
    createdAt: undefined,
    activeAt: undefined,
    continuedIn: undefined,
    isSidechain: false
  }
  const titles: Partial<Record<TitleSource, string>> = {}
  let begun = false
  let command: string | undefined
  const note = (words: UserWords): void => {
    if (draft.firstPrompt !== undefined || words.kind !== "prompt") return
    const text = lineOf(words.said.content)
    // What a session is about is rather said in words.
    if (isSlashCommand([words.said])) command ??= text
    else draft.firstPrompt = text
  }
  return {
    add: (decoded) => {
      if (decoded._tag !== "Known") return
      const { message } = decoded
      draft.sessionId ??= text(message.sessionId)
      const at = timeOf(message.timestamp)
      draft.createdAt ??= at
      switch (decoded.name) {
        case "user":
        case "assistant": {
          const { cwd, entrypoint, gitBranch, isSidechain, version } = decoded.message
          draft.cwd ??= text(cwd)
          draft.version = text(version) ?? draft.version
          draft.gitBranch = text(gitBranch) ?? draft.gitBranch
          draft.entrypoint = text(entrypoint) ?? draft.entrypoint
          draft.activeAt = at ?? draft.activeAt
          if (!begun) draft.isSidechain = isSidechain === true
          begun = true
          if (decoded.name === "assistant") {
            const model = text(decoded.message.message.model)
            if (model !== undefined && model !== "<synthetic>") draft.model = model
          } else {
            draft.mode = text(decoded.message.permissionMode) ?? draft.mode
            if (isSidechain !== true) note(wordsOf(decoded.message))
          }
          return
        }
        case "attachment/queued_command":
          note(queuedWordsOf(decoded.message))
          return
        case "custom-title":
          titles.person = text(decoded.message.customTitle) ?? titles.person ?? ""
          return
        case "ai-title":
          titles.provider = text(decoded.message.aiTitle) ?? titles.provider ?? ""
          return
        case "summary":
          titles.provider ??= text(decoded.message.summary) ?? ""
          return
        case "continued-in":
          draft.continuedIn = text(decoded.message.continuedInSessionId)
          return
      }
    },
    facts: () => {
      const by = (["person", "provider"] as const).find((source) => (titles[source] ?? "") !== "")
      const firstPrompt = draft.firstPrompt ?? command
      const title = by === undefined ? firstPrompt : titles[by]
      return {
        ...draft,
        firstPrompt,
        title,
        titleBy: by ?? (title === undefined ? undefined : "prompt")
      }
    }
  }
}

const text = (value: unknown): string | undefined => (typeof value === "string" && value !== "" ? value : undefined)

const lineOf = (content: Content): string | undefined => {
  const whole =
    typeof content === "string" ? content : content.map((part) => (part.type === "text" ? part.text : "")).join(" ")
  const line = whole
    .slice(0, 8 * titleLength)
    .replaceAll(/\s+/g, " ")
    .trim()
  return line === "" ? undefined : Array.from(line).slice(0, titleLength).join("")
}
