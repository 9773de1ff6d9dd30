/** What several kinds of agents have kept, as one list. */
import * as Effect from "effect/Effect"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { mergedConversations } from "../../src/session/MergedConversations.ts"
import {
  ConversationUnreadable,
  type ListedConversation,
  type ProviderConversations
} from "../../src/session/ProviderConversations.ts"

const conversation = (kind: string, nth: number, writtenAt: number): ListedConversation => ({
  kind,
  providerSessionId: `${kind} ${nth}`,
  cwd: "/",
  createdAt: 0,
  activeAt: 0,
  writtenAt
})

/** A kind that leaves out what is hidden, as those do that nothing could resume: a part may have nothing, and be followed. */
const kept = (all: ReadonlyArray<ListedConversation>, isHidden: (id: string) => boolean): ProviderConversations => ({
  list: ({ after, limit }) => {
    const from = after === undefined ? 0 : all.findIndex(({ providerSessionId }) => providerSessionId === after) + 1
    if (after !== undefined && from === 0)
      return Effect.fail(new ConversationUnreadable({ code: "BAD_CURSOR", message: "" }))
    const part = all.slice(from, from + limit)
    return Effect.succeed({
      conversations: part.filter(({ providerSessionId }) => !isHidden(providerSessionId)),
      next: from + limit < all.length ? part.at(-1)?.providerSessionId : undefined
    })
  },
  read: (id) => {
    const found = all.find(({ providerSessionId }) => providerSessionId === id)
    return Effect.succeed(found && { ...found, events: [] })
  }
})

const listOf = (kind: string) =>
  fc
    .array(fc.integer({ min: 0, max: 9 }), { maxLength: 12 })
    .map((times) => times.sort((a, b) => b - a).map((at, nth) => conversation(kind, nth, at)))

describe("what several kinds have kept", () => {
  it("is one list, newest first, whatever the size of its pages", async () => {
    await fc.assert(
      fc.asyncProperty(
        listOf("a"),
        listOf("b"),
        fc.integer({ min: 1, max: 5 }),
        fc.nat(3),
        async (a, b, limit, hides) => {
          const isHidden = (id: string): boolean => hides > 0 && Number(id.slice(2)) % (hides + 1) === 0
          const merged = mergedConversations(
            new Map([
              ["a", kept(a, isHidden)],
              ["b", kept(b, isHidden)]
            ])
          )
          const told: Array<ListedConversation> = []
          for (let after: string | undefined; ; ) {
            const page = await Effect.runPromise(merged.list({ after, limit }))
            expect(page.conversations.length).toBeLessThanOrEqual(limit)
            told.push(...page.conversations)
            after = page.next
            if (after === undefined) break
            expect(page.conversations.length).toBe(limit)
          }
          const seen = [...a, ...b].filter(({ providerSessionId }) => !isHidden(providerSessionId))
          expect(told).toEqual(seen.sort((one, other) => other.writtenAt - one.writtenAt))
        }
      ),
      { numRuns: 200 }
    )
  })

  it("is read where it is kept, and refuses a place of another list", async () => {
    const a = conversation("a", 0, 1)
    const b = conversation("b", 0, 2)
    const merged = mergedConversations(
      new Map([
        ["a", kept([a], () => false)],
        ["b", kept([b], () => false)]
      ])
    )
    expect(await Effect.runPromise(merged.read("b 0"))).toMatchObject({ kind: "b" })
    expect(await Effect.runPromise(merged.read("c 0"))).toBeUndefined()
    const gone = Buffer.from(JSON.stringify({ a: "a 7" })).toString("base64url")
    for (const after of ["x", "", Buffer.from("[1]").toString("base64url"), gone])
      expect(await Effect.runPromise(Effect.flip(merged.list({ after, limit: 1 })))).toMatchObject({
        code: "BAD_CURSOR"
      })
  })
})
