/** `agentwire history export`: a session as a tape, as Markdown or as JSON. */
import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { gzipSync } from "node:zlib"
import * as Tape from "@agentwire/protocol/tape"
import type { ExitCode, Input } from "../../Command.ts"
import type { Console } from "../../Console.ts"
import { UsageFailure, writeFailure } from "../../Failure.ts"
import { oneOf } from "../../OptionValue.ts"
import { privateMode, replaceFile } from "../../ReplaceFile.ts"
import { redactorFor } from "../../record/Redaction.ts"
import { version } from "../../Version.ts"
import { markdownOf } from "./Markdown.ts"
import { type Conversation, conversationOf } from "./Session.ts"
import { aboutOf } from "./show.ts"
import { formats } from "./Words.ts"

/** Writes a session in another form. */
export const exportSession = async (name: string, input: Input, console: Console): Promise<ExitCode> => {
  const { branch, json, output } = input.values
  const format = oneOf("format", formats, input.values["format"]) ?? "markdown"
  if (format !== "tape" && input.values["no-redact"] === true)
    throw new UsageFailure("--no-redact is for tapes: nothing is replaced in Markdown and JSON.")
  if (json === true && output === undefined)
    throw new UsageFailure(
      "--json says what was written to a file: name one with -o. The session as JSON is --format json."
    )
  const conversation = await conversationOf(name, input)
  const text = textOf(conversation, format, {
    ...(typeof branch === "string" && { branch }),
    redacts: input.values["no-redact"] !== true
  })
  if (typeof output !== "string") {
    await console.out(text.trimEnd())
    return 0
  }
  try {
    replaceFile(output, privateMode, (path) => writeFileSync(path, path.endsWith(".gz") ? gzipSync(text) : text))
  } catch (error) {
    throw writeFailure(output, error)
  }
  const entries = conversation.entries.length
  await console.out(
    json === true ? JSON.stringify({ output, format, entries }) : `${output}: ${entries} entries as ${format}`
  )
  return 0
}

interface TextOptions {
  readonly branch?: string
  readonly redacts: boolean
}

const textOf = (conversation: Conversation, format: (typeof formats)[number], options: TextOptions): string => {
  switch (format) {
    case "tape":
      return tapeText(conversation, options)
    case "markdown":
      return markdownOf(conversation)
    case "json":
      return `${JSON.stringify({
        ...aboutOf(conversation),
        entries: conversation.entries.map(({ at, entry, position }) => ({ position, at, ...entry }))
      })}\n`
  }
}

/** The text of a tape, with the line that says that it is whole. */
const tapeText = ({ taped: session }: Conversation, { branch, redacts }: TextOptions): string => {
  if (session === undefined)
    throw new UsageFailure("A tape is made of sessions of Claude Code. A thread of Codex is --format markdown or json.")
  const leaf = branch === undefined ? undefined : session.tree.nodes.find(({ uuid }) => uuid.startsWith(branch))?.uuid
  const tape = Tape.transcriptTape(session, { agentwire: version(), ...(leaf !== undefined && { leaf }) })
  const redactor = redactorFor({ off: !redacts, patterns: [], variables: [] })
  const header = redactor.header(tape.header)
  const frames = [...tape.frames.flatMap((frame) => redactor.push(frame)), ...redactor.end()]
  const text = Tape.encodeTape({ header, frames })
  return text + Tape.encodeEnd(frames.length, createHash("sha256").update(text).digest("hex"))
}
