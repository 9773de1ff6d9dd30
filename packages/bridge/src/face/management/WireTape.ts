/**
 * The lines of a session that are kept, as a tape.
 *
 * The lines were written again from their messages, so the tape is equal to what was on the wire as JSON, not byte by
 * byte; and it begins with the oldest line that is kept.
 */
import { createHash } from "node:crypto"
import * as Tape from "@agentwire/protocol/tape"
import { isRecord } from "@agentwire/protocol/wire"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import type { WireEntry, WireLog } from "../../log/WireLog.ts"
import type { Session } from "../../session/Session.ts"
import { claudeFacts } from "./NativeClaude.ts"

/** What is written on a tape besides its lines. */
export interface TapeChoices {
  /** The version of this server. */
  readonly version: string
  readonly redact: boolean
}

/** The lines that are kept, as the text of a tape. */
export const tapeOf = (session: Session, { redact, version }: TapeChoices): Effect.Effect<string> =>
  Effect.gen(function* () {
    const entries = yield* entriesOf(session.wire)
    const header: Tape.TapeHeader = {
      tape: Tape.tapeVersion,
      agentwire: version,
      runtime: yield* runtimeOf(session),
      transport: "stdio",
      argv: [],
      startedAt: new Date(entries[0]?.at ?? session.openedAt).toISOString(),
      redacted: []
    }
    const redactor = redact ? Tape.makeRedactor() : undefined
    const frames: Array<Tape.Frame> = []
    let before = entries[0]?.at ?? 0
    for (const [index, entry] of entries.entries()) {
      // Looking for secrets takes time; let others run, too.
      if (index % 100 === 99) yield* Effect.yieldNow
      const frame = frameOf(entry, before)
      before = entry.at
      frames.push(...(redactor === undefined ? [frame] : redactor.push(frame)))
    }
    if (redactor !== undefined) frames.push(...redactor.end())
    const text = Tape.encodeTape({ header: redactor?.header(header) ?? header, frames })
    return text + Tape.encodeEnd(frames.length, createHash("sha256").update(text).digest("hex"))
  })

/** Which program spoke. Claude Code says so itself; other kinds of agents tell it among their facts. */
const runtimeOf = (session: Session): Effect.Effect<Tape.TapeHeader["runtime"]> =>
  Effect.gen(function* () {
    const { runtime: own } = yield* session.native.facts
    const { name, version } = isRecord(own) ? own : {}
    const said = typeof name === "string" ? version : (yield* claudeFacts(session)).init?.claude_code_version
    return {
      name: name === "codex" ? "codex" : "claude-code",
      ...(typeof said === "string" && { version: said })
    }
  })

const entriesOf = (wire: WireLog): Effect.Effect<ReadonlyArray<WireEntry>> =>
  Effect.gen(function* () {
    const oldest = yield* wire.oldest
    const count = (yield* wire.next) - oldest
    return count === 0 ? [] : yield* Stream.runCollect(Stream.take(wire.read(oldest), count))
  }).pipe(
    // Lines were dropped while it was read.
    Effect.catchTag("LogGap", () => entriesOf(wire))
  )

const frameOf = ({ at, from, line }: WireEntry, before: number): Tape.Frame => ({
  _tag: "Data",
  wait: Math.max(0, at - before),
  from,
  channel: from === "agent" ? "stdout" : "stdin",
  data: `${line}\n`
})
