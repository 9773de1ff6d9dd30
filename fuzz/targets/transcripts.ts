/** Session files that Claude Code keeps, to what was said in them, whatever is in the files. */
import { Transcript } from "@agentwire/protocol/claude"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Model from "@agentwire/protocol/model"
import { transcriptTape } from "@agentwire/protocol/tape"
import type * as Schema from "effect/Schema"
import { holds, linesOf, same, type Target } from "../Target.ts"

const sessionOf = (input: Uint8Array): Transcript.TranscriptSession =>
  Transcript.sessionOf({ sessionId: "s", main: Transcript.readTranscriptFile(input) })

const saidIn = (session: Transcript.TranscriptSession, leaf?: string): ReadonlyArray<Model.TranscriptEntry> =>
  Transcript.sessionTranscript(session, leaf === undefined ? {} : { leaf }).entries

/** The session files. */
export const transcripts: Target = {
  name: "transcripts",
  law: "any session file tells a conversation that leaves nothing open; lines that are written again, and lines that nobody knows, change nothing; every line that says something is in the live conversation or in a branch",
  shape: "lines",
  words: [
    ...Object.keys(Transcript.transcriptLines).flatMap((name) => name.split("/")),
    ...["uuid", "parentUuid", "logicalParentUuid", "isSidechain", "isMeta", "isCompactSummary", "agentId", "leafUuid"],
    ...["preservedMessages", "anchorUuid", "uuids", "rewound", "cutUuid", "tool_use", "tool_result", "tool_use_id"]
  ],
  check: (input) => {
    const session = sessionOf(input)
    const events = Transcript.sessionEvents(session)
    let situation = Model.emptySituation
    let before = Number.NEGATIVE_INFINITY
    for (const { at, event } of events) {
      const read = decodePayload(Model.Event as Schema.Codec<Model.Event>, JSON.parse(JSON.stringify(event)))
      holds(read._tag === "Known", "an event fits its schema", read._tag === "Known" ? event : read.error.message)
      holds(at >= before, "time does not go back", at)
      before = at
      situation = Model.applyToSituation(situation, event)
    }
    holds(situation.turn === undefined, "at the end no turn is open", situation.turn)
    holds(situation.items.size === 0, "at the end no item is open", [...situation.items.keys()])
    holds(situation.lanes.size === 0, "at the end no sub-agent is at work", [...situation.lanes.keys()])

    const lines = linesOf(input)
    const again = sessionOf(new TextEncoder().encode([...lines, ...lines].map((line) => `${line}\n`).join("")))
    same(
      "what is written again is said once",
      saidIn(again),
      saidIn(sessionOf(new TextEncoder().encode(lines.map((line) => `${line}\n`).join(""))))
    )

    // Every message is in some conversation.
    const { families, tree } = session
    const branches = Transcript.sessionBranches(session)
    const told = new Set<number>()
    for (const leaf of [tree.leaf, ...branches.map((branch) => branch.leaf)])
      for (const index of Transcript.threadOf(tree, families, leaf)) told.add(index)
    const lost = tree.nodes.filter(
      ({ index, isSidechain, said }) => !isSidechain && said !== undefined && !told.has(index)
    )
    holds(lost.length === 0, "every line that says something is in some conversation", lost[0]?.uuid)
    for (const { leaf } of branches.slice(0, 3)) saidIn(session, tree.nodes[leaf]?.uuid)

    Transcript.sessionContext(session)
    transcriptTape(session, { agentwire: "0.0.0" })
    return [
      ...events.map(({ event }) => (event.type === "item_started" ? `${event.type} ${event.item.kind}` : event.type)),
      `${Math.min(3, branches.length)} branches`,
      `${Math.min(3, session.agents.length)} agents`
    ]
  }
}
