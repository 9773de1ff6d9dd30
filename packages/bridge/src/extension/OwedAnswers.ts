/**
 * Prompts with a source, and the answers that are owed for them.
 *
 * What is owed is kept before the prompt is given, and forgotten once its extension has taken the answer. The answer
 * itself is in the log of the session: after a restart it is read there, so that nothing else has to be kept. It may be
 * given twice when the bridge ends between the two, never not at all; the id of the prompt tells that it is the same.
 */
import { createHash, randomUUID } from "node:crypto"
import { decodePayload } from "@agentwire/protocol/codec"
import * as Effect from "effect/Effect"
import * as FiberMap from "effect/FiberMap"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { Session, Submission } from "../session/Session.ts"
import type { SessionChoices, Sessions } from "../session/Sessions.ts"
import type { Documents } from "./Documents.ts"
import type { PromptAccepted, SourceResponse } from "./Extension.ts"
import { type ExtensionFailed, extensionFailed } from "./ExtensionFailed.ts"
import type { ExtensionLife } from "./ExtensionLife.ts"
import { Key, type PromptRequest } from "./Schemas.ts"
import { type AskedPrompt, hearTurn, nothingHeard, type TurnAnswer } from "./TurnAnswer.ts"

/** The owner of what is owed, among the documents. */
export const owedOwner = "owed"

/** An answer that is owed. */
const Owed = Schema.Struct({
  id: Schema.String,
  extension: Schema.String,
  source: Schema.String,
  threadId: Schema.String,
  ticket: Schema.String,
  messageId: Schema.String,
  /** The number of the event of the thread's log from which on the turn is to be found. */
  from: Schema.Natural,
  /** Whether it is known that the session has accepted it. */
  accepted: Schema.Boolean
})

/** An answer that is owed. */
export type Owed = typeof Owed.Type

/** A prompt that somebody else gives. */
export interface NotedPrompt {
  readonly threadId: string
  /** What its turn is known by, and its answer. */
  readonly ticket: string
  /** What is said is known by it: it may be said into a turn that is open, which has another ticket. */
  readonly messageId?: string
  readonly source: string
}

/** Gives prompts, and their answers. */
export interface OwedAnswers {
  /** Gives a prompt to a session, in the name of the extension that its source belongs to, if it has one. */
  readonly prompt: (
    request: PromptRequest,
    owner: ExtensionLife | undefined
  ) => Effect.Effect<PromptAccepted, ExtensionFailed>
  /** Notes a prompt that somebody else is about to give: its answer is owed to the extension, if it is accepted. */
  readonly note: (prompt: NotedPrompt, owner: ExtensionLife) => Effect.Effect<void, ExtensionFailed>
  /** How many answers are owed to an extension. */
  readonly owedTo: (extension: string) => number
  /** Continues with what was owed to an extension when the bridge ended. */
  readonly continueOwed: (extension: string, life: ExtensionLife) => Effect.Effect<void, ExtensionFailed>
}

/** How long a session is looked at in which a prompt is nowhere to be seen, in milliseconds. */
const missingMs = 15_000

/** The longest pause between two tries, in milliseconds. */
const maxRetryMs = 300_000

/** What was owed. Answers are given as long as the scope lives. */
export const makeOwedAnswers = (
  sessions: Sessions["Service"],
  documents: Documents
): Effect.Effect<OwedAnswers, never, Scope.Scope> =>
  Effect.gen(function* () {
    const deliveries = yield* FiberMap.make<string>()
    const owed = new Map<string, Owed>()

    const keep = (one: Owed): Effect.Effect<void, ExtensionFailed> =>
      Effect.andThen(
        Effect.sync(() => void owed.set(one.id, one)),
        documents.put(owedOwner, keyOf(one.id), one)
      )
    const forget = (one: Owed): Effect.Effect<void> =>
      Effect.andThen(
        Effect.sync(() => void owed.delete(one.id)),
        Effect.catch(documents.remove(owedOwner, keyOf(one.id)), ({ message }) =>
          Effect.annotateLogs(Effect.logWarning("an answer that was taken is still noted as owed"), { reason: message })
        )
      )

    const deliver = (one: Owed, life: ExtensionLife): Effect.Effect<void> =>
      Effect.gen(function* () {
        const answer = yield* answerTo(sessions, one)
        if (answer === undefined) return yield* forget(one)
        const { maxAttempts, retryMs, sourceMs } = life.limits
        for (let attempt = 0; attempt < maxAttempts; ) {
          yield* life.running
          const { id, source, threadId } = one
          const response: SourceResponse = {
            type: "source_response",
            id,
            source,
            threadId,
            outcome: answer.outcome,
            text: answer.text,
            ...(answer.code !== undefined && { code: answer.code }),
            ...(answer.message !== undefined && { message: answer.message }),
            attempt
          }
          const taken = yield* Effect.result(life.ask("source", response, sourceMs))
          if (Result.isSuccess(taken)) return yield* forget(one)
          yield* Effect.sleep(Math.min(retryMs * 2 ** attempt, maxRetryMs))
          // One that does not run, or has too much to do, has not seen it.
          if (!isUnseen(taken.failure)) attempt++
        }
        life.tally.count("undelivered")
        yield* Effect.annotateLogs(Effect.logError("an answer was given up"), { extension: one.extension, id: one.id })
        yield* forget(one)
      })

    const follow = (one: Owed, life: ExtensionLife): Effect.Effect<void> =>
      Effect.asVoid(FiberMap.run(deliveries, one.id, deliver(one, life)))
    const owedTo = (extension: string): number =>
      [...owed.values()].filter((each) => each.extension === extension).length

    const checkRoom = (
      extension: string,
      { limits: { maxOwed } }: ExtensionLife
    ): Effect.Effect<void, ExtensionFailed> =>
      Effect.suspend(() =>
        owedTo(extension) < maxOwed
          ? Effect.void
          : Effect.fail(
              extensionFailed(
                "EXTENSION_BUSY",
                `${maxOwed} answers are owed to the extension already. Wait until some of them have come.`
              )
            )
      )

    const note: OwedAnswers["note"] = ({ messageId, source, threadId, ticket }, owner) =>
      Effect.gen(function* () {
        const extension = owner.manifest()?.id ?? ""
        const known = owed.get(ticket)
        if (known?.threadId === threadId) return
        if (known !== undefined)
          return yield* extensionFailed("EXTENSION_BAD_REQUEST", "A prompt of this id was given to another session.")
        yield* checkRoom(extension, owner)
        const session = yield* Effect.mapError(sessions.find(threadId), refused)
        const from = session?.log.next() ?? 0
        const said = { source, threadId, ticket, messageId: messageId ?? ticket }
        const one: Owed = { id: ticket, extension, ...said, from, accepted: false }
        yield* keep(one)
        yield* follow(one, owner)
      })

    const giveOwed = (request: PromptRequest & { readonly source: string }, owner: ExtensionLife) =>
      Effect.gen(function* () {
        const extension = owner.manifest()?.id ?? ""
        const id = request.id ?? randomUUID()
        const known = owed.get(id)
        if (known !== undefined) {
          if (known.extension !== extension)
            return yield* extensionFailed("EXTENSION_BAD_REQUEST", "Another extension has a prompt of this id.")
          return { id, threadId: known.threadId }
        }
        yield* checkRoom(extension, owner)
        const session = yield* openSession(sessions, request)
        const { threadId } = session
        const one: Owed = {
          id,
          extension,
          source: request.source,
          threadId,
          ticket: `extension:${extension}:${id}`,
          messageId: randomUUID(),
          from: session.log.next(),
          accepted: false
        }
        yield* keep(one)
        yield* Effect.tapError(submit(session, one, request.content), () => forget(one))
        const accepted = { ...one, accepted: true }
        // It is the log that says so. What is kept says it too, for the case that the turn has not begun yet.
        yield* Effect.ignore(keep(accepted))
        yield* follow(accepted, owner)
        return { id, threadId }
      })

    return {
      note,
      owedTo,
      prompt: (request, owner) => {
        const { source } = request
        if (owner !== undefined && source !== undefined) return giveOwed({ ...request, source }, owner)
        return Effect.gen(function* () {
          const id = request.id ?? randomUUID()
          const session = yield* openSession(sessions, request)
          yield* submit(session, { ticket: `extension:${id}`, messageId: randomUUID() }, request.content)
          return { id, threadId: session.threadId }
        })
      },
      continueOwed: (extension, life) =>
        Effect.gen(function* () {
          for (const { key, value } of yield* documents.list(owedOwner)) {
            if (decodePayload(Owed as Schema.Codec<Owed>, value)._tag === "Invalid") {
              yield* Effect.annotateLogs(Effect.logWarning("something that is owed cannot be read"), { id: key })
              continue
            }
            const one = value as Owed
            if (one.extension !== extension || owed.has(one.id)) continue
            owed.set(one.id, one)
            yield* follow(one, life)
          }
        })
    }
  })

const isKey = Schema.is(Key)

/** The name under which something owed is kept: it is that of a file. */
const keyOf = (id: string): string => (isKey(id) ? id : createHash("sha256").update(id).digest("hex"))

const isUnseen = ({ code }: ExtensionFailed): boolean => code === "EXTENSION_UNAVAILABLE" || code === "EXTENSION_BUSY"

const refused = ({ code, message }: { readonly code?: string; readonly message: string }): ExtensionFailed =>
  extensionFailed(
    "EXTENSION_PROMPT_REFUSED",
    `The session did not take the prompt${code === undefined ? "" : ` (${code})`}: ${message}`
  )

const openSession = (
  sessions: Sessions["Service"],
  { agent, cwd, mode, threadId = randomUUID() }: PromptRequest
): Effect.Effect<Session, ExtensionFailed> => {
  const chosen = {
    ...(cwd !== undefined && { cwd }),
    ...(mode !== undefined && { mode }),
    ...(agent !== undefined && { agent })
  }
  // Checked by the sessions, as what every other caller chooses.
  const choices = Object.keys(chosen).length === 0 ? undefined : (chosen as SessionChoices)
  return Effect.mapError(sessions.open(threadId, choices), refused)
}

const submit = (session: Session, { messageId, ticket }: AskedPrompt, content: PromptRequest["content"]) => {
  const submission: Submission = {
    ticket,
    answers: [],
    results: [],
    tools: [],
    prompt: { type: "prompt", said: [{ id: messageId, content }] }
  }
  return Effect.mapError(
    session.submit(() => Result.succeed(submission)),
    (failure) => refused(failure._tag === "ThreadBusy" ? { code: "THREAD_BUSY", message: failure.message } : failure)
  )
}

/** Waits for the answer to a prompt. Undefined: it was never accepted, and nobody was told that it was. */
const answerTo = (sessions: Sessions["Service"], owed: Owed): Effect.Effect<TurnAnswer | undefined> =>
  Effect.gen(function* () {
    for (let tries = 0; ; tries++) {
      const found = yield* Effect.result(sessions.find(owed.threadId))
      if (Result.isFailure(found)) {
        // Another bridge may have it, or the store may be busy.
        yield* Effect.sleep(Math.min(1000 * 2 ** tries, maxRetryMs))
        continue
      }
      if (found.success === undefined && !owed.accepted && tries < 10) {
        // It is made with the prompt.
        yield* Effect.sleep("1 second")
        continue
      }
      if (found.success === undefined)
        return owed.accepted
          ? {
              outcome: "failed",
              text: "",
              code: "SESSION_NOT_FOUND",
              message: "The session was removed before it had answered."
            }
          : undefined
      const read = yield* readAnswer(found.success, owed)
      if (read._tag === "Answer") return read.answer
      yield* Effect.sleep("1 second")
    }
  })

type Read = { readonly _tag: "Answer"; readonly answer: TurnAnswer | undefined } | { readonly _tag: "Closed" }

/** Reads the log of a session until the prompt is answered, or cannot be any more, or the session is closed. */
const readAnswer = (session: Session, owed: Owed): Effect.Effect<Read> =>
  Effect.suspend(() => {
    let heard = nothingHeard
    const reading = session.log.read(owed.from).pipe(
      Stream.takeUntil(({ event }) => {
        heard = hearTurn(owed, heard, event)
        return heard.answer !== undefined
      }),
      Stream.runDrain,
      Effect.map(
        (): Read => (heard.answer === undefined ? { _tag: "Closed" } : { _tag: "Answer", answer: heard.answer })
      ),
      Effect.catchTags({
        LogGap: () =>
          Effect.succeed<Read>({
            _tag: "Answer",
            answer: { outcome: "failed", text: "", code: "EVENTS_LOST", message: "What was said is no longer kept." }
          }),
        LogFailed: () => Effect.succeed<Read>({ _tag: "Closed" })
      })
    )
    /** A prompt that waits for its turn may be taken back, which no event tells. */
    const missing: Effect.Effect<Read> = Effect.gen(function* () {
      for (let quiet = 0; quiet < 2; ) {
        yield* Effect.sleep(missingMs / 2)
        quiet = heard.isOpen || session.log.situation().turn !== undefined ? 0 : quiet + 1
      }
      return {
        _tag: "Answer",
        answer: owed.accepted ? { outcome: "cancelled", text: "" } : undefined
      }
    })
    return Effect.raceFirst(reading, missing)
  })
