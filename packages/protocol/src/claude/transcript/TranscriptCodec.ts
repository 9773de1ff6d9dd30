/**
 * The codec of session files: the same outcomes, tolerance and drift as the codec of the wire, for the lines that the
 * CLI keeps of a session (`~/.claude/projects/<folder>/<session>.jsonl`).
 */
import * as Codec from "../../wire/Codec.ts"
import type { EssentialPaths } from "../../wire/Essentials.ts"
import { blockPaths } from "../Essentials.ts"
import { attachmentLines } from "./AttachmentLine.ts"
import { AssistantLine, ProgressLine, UserLine } from "./Line.ts"
import { sessionLines } from "./SessionLine.ts"
import { systemLines } from "./SystemLine.ts"

type Named<Type extends string, T> = {
  readonly [Subtype in keyof T & string as `${Type}/${Subtype}`]: T[Subtype]
}

const named = <const Type extends string, const T extends object>(type: Type, subtypes: T): Named<Type, T> =>
  Object.fromEntries(Object.entries(subtypes).map(([subtype, schema]) => [`${type}/${subtype}`, schema])) as Named<
    Type,
    T
  >

/** The schemas of all lines by name. */
export interface TranscriptLines
  extends Named<"system", typeof systemLines>,
    Named<"attachment", typeof attachmentLines>,
    Readonly<typeof sessionLines> {
  readonly user: typeof UserLine
  readonly assistant: typeof AssistantLine
  readonly progress: typeof ProgressLine
}

/** Every line by name: its `type`, and behind a slash what kind of that it is. */
export const transcriptLines: TranscriptLines = {
  user: UserLine,
  assistant: AssistantLine,
  progress: ProgressLine,
  ...named("system", systemLines),
  ...named("attachment", attachmentLines),
  ...sessionLines
}

/** The names of all lines. */
export type TranscriptLineName = keyof TranscriptLines

/** The line of a name. */
export type TranscriptLineOf<Name extends TranscriptLineName> = TranscriptLines[Name]["Type"]

/** What a line of a session file turns out to be. */
export type DecodedLine = Codec.Decoded<TranscriptLines>

/** A line of a session file that can be read; `name` tells which. */
export type KnownLine = Codec.Known<TranscriptLines>

/** Where a line is in the conversation. A line whose `parentUuid` is odd is one whose parent is not known. */
const place: EssentialPaths = ["uuid", "parentUuid?", "isSidechain?", "agentId?", "timestamp?", "teamName?"]

/** What each line cannot be read without, as for the wire (`claude/Essentials.ts`). */
export const transcriptEssentials: { readonly [Name in TranscriptLineName]?: EssentialPaths } = {
  user: [
    ...place,
    ...blockPaths("message.content[]"),
    "message.content[].source",
    // Whose words they are.
    "isMeta?",
    "isCompactSummary?",
    "origin.kind?",
    "promptSource?",
    // Which call it answers, and which sub-agent that was.
    "toolUseResult.agentId?",
    "toolUseResult.status?",
    // How the turn ends.
    "toolEndsTurn?"
  ],
  assistant: [
    ...place,
    "message.id?",
    ...blockPaths("message.content[]"),
    "message.model?",
    "message.stop_reason?",
    "isApiErrorMessage?",
    "isAbortedMidStream?",
    "error?"
  ],
  progress: [...place, "parentToolUseID?"],
  "system/compact_boundary": [
    ...place,
    "logicalParentUuid?",
    "compactMetadata.preservedSegment?",
    "compactMetadata.preservedSegment.headUuid?",
    "compactMetadata.preservedSegment.anchorUuid?",
    "compactMetadata.preservedSegment.tailUuid?",
    "compactMetadata.preservedMessages?",
    "compactMetadata.preservedMessages.anchorUuid?",
    "compactMetadata.preservedMessages.uuids?"
  ],
  "system/local_command": [...place, "content"],
  "attachment/queued_command": [
    ...place,
    "attachment.prompt",
    "attachment.source_uuid?",
    "attachment.commandMode?",
    "attachment.origin.kind?",
    "attachment.isMeta?"
  ],
  // What a hook said in place of an answer.
  "system/informational": [...place, "content?", "preventContinuation?", "promptSubmitEnding.promptKept?"],
  // How the turn ends.
  "attachment/structured_output": [...place, "attachment.data?"],
  "custom-title": ["customTitle"],
  "ai-title": ["aiTitle"],
  summary: ["summary"],
  "last-prompt": ["leafUuid?", "rewound?", "cutUuid?"],
  "continued-in": ["continuedInSessionId"]
}

/** The codec of session files. */
export const transcriptCodec: Codec.Codec<TranscriptLines> = Codec.makeCodec(
  transcriptLines,
  { system: ["subtype"], attachment: ["attachment", "type"] },
  transcriptEssentials
)

/** Decodes one line of a session file. Never throws. */
export const decodeTranscriptLine = transcriptCodec.decodeLine
