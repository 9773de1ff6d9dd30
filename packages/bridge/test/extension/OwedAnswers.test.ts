/** What is owed is given, also after a restart, and not forgotten before it is taken. */
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { type Documents, memoryDocuments } from "../../src/extension/Documents.ts"
import type { Extension, SourceResponse } from "../../src/extension/Extension.ts"
import { extensionFailed } from "../../src/extension/ExtensionFailed.ts"
import { owedOwner } from "../../src/extension/OwedAnswers.ts"
import { fakeSessions, wholeText } from "../FakeSessions.ts"
import { hosting } from "./Hosting.ts"

const limits = { retryMs: 1, sourceMs: 500 }

/** An extension that keeps what it is given. `take` may refuse. */
const mail = (given: Array<SourceResponse>, take: (response: SourceResponse) => void = () => undefined): Extension => ({
  id: "mail",
  name: "Mail",
  sourceRoutes: ["mail"],
  handleSourceResponse: (_, response) => {
    given.push(response)
    take(response)
  }
})

const until = (holds: () => boolean): Effect.Effect<void> =>
  Effect.gen(function* () {
    while (!holds()) yield* Effect.sleep("5 millis")
  })

const owed = (documents: Documents) => Effect.map(documents.list(owedOwner), (all) => all.length)

describe("OwedAnswers", () => {
  it.live("gives an answer to the extension of its source, and forgets it", () =>
    Effect.gen(function* () {
      const [documents, given, fakes] = [memoryDocuments(), [] as Array<SourceResponse>, fakeSessions()]
      const { extensions } = yield* hosting([{ extension: mail(given), limits }], { documents, fakes })
      const accepted = yield* extensions.prompt({ content: "Hello", source: "mail/7", threadId: "t" })
      expect(yield* owed(documents)).toBe(1)
      const fake = fakes.get("t")
      fake.say(...wholeText("a", "Let me see."), ...wholeText("b", "It is ", "done."))
      expect(given).toEqual([])
      fake.finish()
      yield* until(() => given.length === 1)
      expect(given[0]).toEqual({
        type: "source_response",
        id: accepted.id,
        source: "mail/7",
        threadId: "t",
        outcome: "completed",
        text: "It is done.",
        attempt: 0
      })
      while ((yield* owed(documents)) > 0) yield* Effect.sleep("5 millis")
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["failed", { type: "failed", code: "E", message: "No." }, { outcome: "failed", code: "E", message: "No." }],
    ["limited", { type: "limited", code: "max_turns", message: "Enough." }, { outcome: "limited", code: "max_turns" }],
    ["cancelled", { type: "cancelled" }, { outcome: "cancelled", text: "So far" }],
    ["completed", { type: "completed", result: "A result" }, { outcome: "completed", text: "A result" }]
  ] as const)("tells of a turn that %s", ([, outcome, expected]) =>
    Effect.gen(function* () {
      const [given, fakes] = [[] as Array<SourceResponse>, fakeSessions()]
      const { extensions } = yield* hosting([{ extension: mail(given), limits }], { fakes })
      yield* extensions.prompt({ content: "Hello", source: "mail/7", threadId: "t" })
      fakes.get("t").say(...wholeText("a", "So far"))
      fakes.get("t").finish(outcome)
      yield* until(() => given.length === 1)
      expect(given[0]).toMatchObject(expected)
    }).pipe(Effect.scoped)
  )

  it.live.each(["while the agent works", "after it has answered"])("gives it after a restart %s", (when) =>
    Effect.gen(function* () {
      const [documents, given, fakes] = [memoryDocuments(), [] as Array<SourceResponse>, fakeSessions()]
      const finish = () => {
        fakes.get("t").say(...wholeText("a", "Here."))
        fakes.get("t").finish()
      }
      const { id } = yield* Effect.scoped(
        Effect.gen(function* () {
          // It runs, and takes nothing.
          const deaf = mail([], () => {
            throw new Error("not now")
          })
          const { extensions } = yield* hosting([{ extension: deaf, limits: { retryMs: 100_000 } }], {
            documents,
            fakes
          })
          const accepted = yield* extensions.prompt({ content: "Hello", source: "mail/7", threadId: "t" })
          if (when === "after it has answered") finish()
          return accepted
        })
      )
      expect(yield* owed(documents)).toBe(1)
      yield* hosting([{ extension: mail(given), limits }], { documents, fakes })
      if (when === "while the agent works") finish()
      yield* until(() => given.length === 1)
      expect(given).toMatchObject([{ id, source: "mail/7", text: "Here.", outcome: "completed" }])
    }).pipe(Effect.scoped)
  )

  it.live("gives it again, with the same id, when nobody could note that it was taken", () =>
    Effect.gen(function* () {
      const [inner, given, fakes] = [memoryDocuments(), [] as Array<SourceResponse>, fakeSessions()]
      const documents: Documents = {
        ...inner,
        remove: () => Effect.fail(extensionFailed("EXTENSION_STORE_FAILED", "The disk is full."))
      }
      const life = Effect.gen(function* () {
        const { extensions } = yield* hosting([{ extension: mail(given), limits }], { documents, fakes })
        if (given.length === 0) {
          yield* extensions.prompt({ content: "Hello", source: "mail/7", threadId: "t" })
          fakes.get("t").finish()
        }
        const before = given.length
        yield* until(() => given.length > before)
      })
      yield* Effect.scoped(life)
      yield* Effect.scoped(life)
      expect(given).toHaveLength(2)
      expect(given[1]?.id).toBe(given[0]?.id)
    })
  )

  it.live("drops what no session has accepted", () =>
    Effect.gen(function* () {
      const [documents, given] = [memoryDocuments(), [] as Array<SourceResponse>]
      const { extensions } = yield* hosting([{ extension: mail(given), limits }], { documents })
      expect(yield* Effect.flip(extensions.prompt({ content: "x", source: "mail/1", threadId: "full" }))).toMatchObject(
        {
          code: "EXTENSION_PROMPT_REFUSED"
        }
      )
      const busy = fakeSessions()
      const second = yield* hosting([{ extension: mail(given), limits }], { documents, fakes: busy })
      yield* second.extensions.prompt({ content: "first", source: "mail/1", threadId: "t" })
      expect(
        yield* Effect.flip(second.extensions.prompt({ content: "x", source: "mail/2", threadId: "t" }))
      ).toMatchObject({
        message: expect.stringContaining("THREAD_BUSY")
      })
      expect(yield* owed(documents)).toBe(1)
    }).pipe(Effect.scoped)
  )

  it.live("notes a prompt that somebody else gives, and gives its answer, also after a restart", () =>
    Effect.gen(function* () {
      const [documents, given, fakes] = [memoryDocuments(), [] as Array<SourceResponse>, fakeSessions()]
      const ticket = "a ticket / of somebody"
      const prompt = (text: string, name: string) =>
        fakes
          .get("t")
          .session()
          .submit(() =>
            Result.succeed({
              ticket: name,
              answers: [],
              results: [],
              tools: [],
              prompt: { type: "prompt", said: [{ id: `said-${name}`, content: text }] }
            })
          )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const { extensions } = yield* hosting([{ extension: mail(given), limits }], { documents, fakes })
          yield* prompt("before", "another")
          fakes.get("t").finish({ type: "completed", result: "Not this." })
          yield* extensions.note({ threadId: "t", ticket, source: "mail/9" })
          expect(yield* Effect.flip(extensions.note({ threadId: "t", ticket: "x", source: "none/1" }))).toMatchObject({
            code: "EXTENSION_BAD_REQUEST"
          })
          expect(yield* Effect.flip(extensions.note({ threadId: "other", ticket, source: "mail/9" }))).toMatchObject({
            code: "EXTENSION_BAD_REQUEST"
          })
          yield* prompt("now", ticket)
        })
      )
      yield* hosting([{ extension: mail(given), limits }], { documents, fakes })
      fakes.get("t").finish({ type: "completed", result: "This." })
      yield* until(() => given.length === 1)
      expect(given).toMatchObject([{ id: ticket, source: "mail/9", threadId: "t", text: "This." }])
      while ((yield* owed(documents)) > 0) yield* Effect.sleep("5 millis")
    }).pipe(Effect.scoped)
  )

  it.live("owes no more than it may", () =>
    Effect.gen(function* () {
      const { extensions } = yield* hosting([{ extension: mail([]), limits: { maxOwed: 2 } }], {
        fakes: fakeSessions()
      })
      for (const n of [1, 2]) yield* extensions.prompt({ content: "x", source: `mail/${n}` })
      expect(yield* Effect.flip(extensions.prompt({ content: "x", source: "mail/3" }))).toMatchObject({
        code: "EXTENSION_BUSY"
      })
    }).pipe(Effect.scoped)
  )

  it.live("tells of a session that was removed, and forgets what cannot be read", () =>
    Effect.gen(function* () {
      const [documents, given] = [memoryDocuments(), [] as Array<SourceResponse>]
      yield* documents.put(owedOwner, "gone", {
        id: "gone",
        extension: "mail",
        source: "mail/1",
        threadId: "removed",
        ticket: "x",
        messageId: "y",
        from: 0,
        accepted: true
      })
      yield* documents.put(owedOwner, "odd", { id: 12 })
      yield* hosting([{ extension: mail(given), limits }], { documents, fakes: fakeSessions() })
      yield* until(() => given.length === 1)
      expect(given).toMatchObject([{ id: "gone", outcome: "failed", code: "SESSION_NOT_FOUND" }])
    }).pipe(Effect.scoped)
  )
})
