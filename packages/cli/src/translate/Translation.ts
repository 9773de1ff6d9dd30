/**
 * One file on its way through the translator: bytes of NDJSON or of a tape in, text of AG-UI out.
 *
 * Of a tape of Claude Code the agent's side is translated. Only where the messages are asked for are the host's prompts
 * read, too: they are part of the conversation, and no event reports them. Codex's answers are read as what they answer,
 * so that both sides are heard where they are there.
 */
import { Agui, Model, type Tape, Translate } from "@agentwire/protocol"
import * as CodexWire from "@agentwire/protocol/codex"
import { Failure } from "../Failure.ts"
import { hearCodex } from "../runtime/Wires.ts"
import { type WireItem, type WireOptions, WireSource } from "../WireSource.ts"

/** What is written for each event, or at the end. */
export type Format = "ndjson" | "sse" | "messages"

/** What there was to say about the lines of a file. */
export interface Findings {
  /** Lines of the agent that are not empty, and lines that are none of a tape. */
  lines: number
  /** Messages there is no schema for. */
  unknown: number
  /** Lines that are not messages. */
  invalid: number
  /** The first of them. */
  example: { readonly line: number; readonly error: string } | undefined
}

/** Bytes in, text out. */
export interface Translation {
  readonly findings: Readonly<Findings>
  /** What the lines that end in this chunk give. */
  readonly push: (chunk: Uint8Array) => string
  /** What ends the last run, and with it the output. */
  readonly end: () => string
}

/** A translation that writes in a format. */
export const translation = (
  format: Format,
  options: Translate.TranslateOptions,
  limits: WireOptions = {}
): Translation => {
  const source = new WireSource(limits)
  const findings: Findings = { lines: 0, unknown: 0, invalid: 0, example: undefined }
  let fold: Fold | undefined
  const begin = (): Fold => {
    fold ??= folds[source.wire.fold](format, options, () => source.notes().header)
    return fold
  }
  const taken = (items: ReadonlyArray<WireItem>): string => {
    const said = items.filter((one) => isMessage(one, findings))
    return said.length === 0 ? "" : begin().addMessages(said)
  }
  const reason = (): Translate.FinishReason => {
    const { exit } = source.notes()
    return exit === undefined ? { type: "end" } : { type: "exit", code: exit.code, signal: exit.signal }
  }
  return {
    findings,
    push: (chunk) => taken(source.push(chunk)),
    end: () => taken(source.end()) + begin().finish(reason())
  }
}

/** Counts a line; tells whether it is one of somebody's messages. */
const isMessage = (one: WireItem, findings: Findings): one is Message => {
  if (one._tag === "Wrong") {
    findings.lines++
    invalid(findings, one.line, `not a line of a tape: ${one.message}`)
    return false
  }
  if (one.from === "host") return true
  findings.lines++
  if (one._tag === "Unknown") findings.unknown++
  if (one._tag === "Invalid") invalid(findings, one.line, one.error.message)
  return true
}

const invalid = (findings: Findings, line: number, error: string): void => {
  findings.invalid++
  findings.example ??= { line, error }
}

type Message = Exclude<WireItem, { readonly _tag: "Wrong" }>

interface Fold {
  readonly addMessages: (said: ReadonlyArray<Message>) => string
  readonly finish: (reason: Translate.FinishReason) => string
}

type MakeFold = (format: Format, options: Translate.TranslateOptions, header: () => Tape.TapeHeader | undefined) => Fold

/** The folds of files by whose messages they have. */
const folds: Readonly<Record<Translate.RuntimeName, MakeFold>> = {
  claude: (format, options, header) => {
    // What is said of a wire is of its codec.
    const given = (said: ReadonlyArray<Message>) => said as ReadonlyArray<Translate.Said>
    const fold =
      format === "messages"
        ? messages(options, header)
        : events(options, encoders[format], (one: Translate.Said) => one)
    return {
      ...fold,
      addMessages: (said) =>
        fold.addMessages(format === "messages" ? given(said) : given(said).filter(({ from }) => from !== "host"))
    }
  },
  codex: (format, { runtime: _, ...options }) => {
    const listener = codexHearing()
    return format === "messages"
      ? transcript(CodexWire.initialFold({}), CodexWire.endFold, (state, one) =>
          CodexWire.foldMessage(state, listener(one))
        )
      : events({ ...options, runtime: "codex" }, encoders[format], listener)
  },
  "codex-exec": (format, { runtime: _, ...options }, header) => {
    // What is said of a wire is of its codec.
    const given = (one: Message) => one as CodexWire.ExecDecoded
    const isResumed = header()?.argv.includes("resume") ?? false
    const fold: Fold =
      format === "messages"
        ? transcript(CodexWire.initialExecFold({ isResumed }), CodexWire.endExecFold, (state, one) =>
            CodexWire.foldExec(state, given(one))
          )
        : events({ ...options, runtime: "codex-exec", codexIsResumed: isResumed }, encoders[format], given)
    // The other side says nothing but a prompt, which is not a line of the wire.
    return { ...fold, addMessages: (said) => fold.addMessages(said.filter(({ from }) => from !== "host")) }
  }
}

const encoders: Readonly<Record<Exclude<Format, "messages">, (event: Agui.AguiEvent) => string>> = {
  ndjson: (event) => `${JSON.stringify(event)}\n`,
  sse: Agui.encodeSse
}

const events = <R extends Translate.RuntimeName, M extends { readonly line: number }>(
  options: Translate.TranslateOptions<R>,
  encode: (event: Agui.AguiEvent) => string,
  hear: (message: M) => Translate.RuntimeMessages[R]
) => {
  let state = Translate.initialState(options)
  const encoded = (given: ReadonlyArray<Agui.AguiEvent>): string =>
    given.reduce((text, event) => text + encode(event), "")
  const take = (message: M): string => {
    const [next, given] = Translate.step(state, hear(message))
    state = next
    checkOpen(state, message.line)
    return encoded(given)
  }
  return {
    addMessages: (said: ReadonlyArray<M>): string => said.reduce((text, one) => text + take(one), ""),
    finish: (reason: Translate.FinishReason): string => encoded(Translate.finish(state, reason))
  }
}

/** What Codex says is told with the other side's words: an answer is read as what it answers. */
const codexHearing = (): ((message: Message) => CodexWire.Heard) => {
  const dialogue = new CodexWire.Dialogue()
  return (message) => hearCodex(dialogue, message, message.from)
}

type Folded<F> = readonly [state: F, events: ReadonlyArray<Model.Event>]

/** The messages of a session whose prompts, where they are told, are items of it like all others. */
const transcript = <F>(
  initial: F,
  end: (state: F, reason: Translate.FinishReason) => Folded<F>,
  foldOne: (state: F, one: Message) => Folded<F>
): Fold => {
  const builder = new Model.TranscriptBuilder()
  let state = initial
  const heard = ([next, given]: Folded<F>): void => {
    state = next
    for (const event of given) builder.apply(event)
  }
  return {
    addMessages: (said) => {
      for (const one of said) heard(foldOne(state, one))
      return ""
    },
    finish: (reason) => {
      heard(end(state, reason))
      return Agui.messagesOf(builder.snapshot())
        .map((message) => `${JSON.stringify(message)}\n`)
        .join("")
    }
  }
}

/** How much may be open at a time. What comes next costs as much as is open, and no session has a hundredth of it. */
const maxOpen = 4000

const checkOpen = (
  { fold, writer }: Pick<Translate.State<Translate.RuntimeName>, "fold" | "writer">,
  line: number
): void => {
  const open = sizeOf(fold) + sizeOf(writer)
  if (open <= maxOpen) return
  throw new Failure(
    `line ${line}: more than ${maxOpen} calls, tasks and sub-agents are open. No session of the CLI has that: the file is not one, or damaged.`
  )
}

const sizeOf = (state: object): number =>
  Object.values(state).reduce((sum: number, each: unknown) => sum + (each instanceof Map ? each.size : 0), 0)

const messages = (options: Translate.TranslateOptions, header: () => Tape.TapeHeader | undefined) => {
  let dialogue: Translate.Dialogue | undefined
  const begin = (): Translate.Dialogue => {
    const known = header()
    const argument = known === undefined ? undefined : Translate.argumentPrompt(known)
    const fresh = Translate.emptyDialogue(options)
    return argument === undefined ? fresh : Translate.withPrompt(fresh, argument)
  }
  return {
    addMessages: (said: ReadonlyArray<Translate.Said>): string => {
      if (said.length === 0) return ""
      dialogue = Translate.withMessages(dialogue ?? begin(), said)
      checkOpen(dialogue.translation, said.at(-1)?.line ?? 0)
      return ""
    },
    finish: (reason: Translate.FinishReason): string =>
      Translate.historyOf(dialogue ?? begin(), reason)
        .messages.map((message) => `${JSON.stringify(message)}\n`)
        .join("")
  }
}
