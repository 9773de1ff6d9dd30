/** Where a request differs from a conversation: laws on generated conversations, and the requests that real clients send. */
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Message, UserMessage } from "../../../src/agui/Message.ts"
import {
  type Divergence,
  divergenceOf,
  entryIds,
  type KnownEntry,
  sendsAll
} from "../../../src/agui/read/Divergence.ts"
import { hasSeen, seenMarkIn } from "../../../src/agui/read/Seen.ts"
import { messagesOf } from "../../../src/agui/write/Messages.ts"
import { stateOf } from "../../../src/agui/write/SharedState.ts"
import { noBranches, type Origins } from "../../../src/model/Branch.ts"
import type { TranscriptEntry } from "../../../src/model/Transcript.ts"

// --- conversations ---------------------------------------------------------------------------

type Piece = "text" | "thought" | "call" | "calls" | "subagent" | "task"

interface Told {
  /** How many messages people say before the agent answers. */
  readonly prompts: number
  readonly pieces: ReadonlyArray<Piece>
}

const turn: fc.Arbitrary<Told> = fc.record({
  prompts: fc.integer({ min: 1, max: 2 }),
  // A turn ends with words: those that do not are below, by example.
  pieces: fc
    .array(fc.constantFrom<Piece>("text", "thought", "call", "calls", "subagent", "task"), { maxLength: 4 })
    .map((pieces) => [...pieces, "text" as const])
})

const turns = fc.array(turn, { minLength: 1, maxLength: 5 })

const prompt = (id: string, content = `words of ${id}`): TranscriptEntry => ({
  id,
  lane: null,
  kind: "prompt",
  content
})
const text = (id: string, lane: string | null = null): TranscriptEntry => ({
  id,
  lane,
  kind: "text",
  text: `said ${id}`
})
const call = (id: string, parent: string): TranscriptEntry => ({
  ...{ id, lane: null, kind: "call", tool: "Bash", action: "command", parent, arguments: "{}" }
})
const result = (id: string): TranscriptEntry => ({ id, lane: null, kind: "result", content: "ok", failed: false })

const entriesOf = (piece: Piece, id: string): ReadonlyArray<TranscriptEntry> => {
  switch (piece) {
    case "text":
      return [text(id)]
    case "thought":
      return [{ id, lane: null, kind: "thought", text: "hm" }]
    case "call":
      return [text(id), call(`${id}c`, id), result(`${id}c`)]
    case "calls":
      return [call(`${id}c`, `${id}m`), call(`${id}d`, `${id}m`), result(`${id}c`), result(`${id}d`)]
    case "subagent":
      return [call(`${id}c`, `${id}m`), text(`${id}s`, `${id}c`), result(`${id}c`)]
    case "task":
      return [{ id, lane: null, kind: "task", content: { status: "running" } }]
  }
}

interface Conversation {
  readonly path: ReadonlyArray<KnownEntry>
  /** What a client has that has had everything. */
  readonly messages: ReadonlyArray<Message>
  /** The ids of what people said, turn by turn. */
  readonly prompts: ReadonlyArray<ReadonlyArray<string>>
}

const place = (entries: ReadonlyArray<TranscriptEntry>): ReadonlyArray<KnownEntry> =>
  entries.map((entry, position) => ({ entry, branch: 0, position }))

const messagesIn = (path: ReadonlyArray<KnownEntry>): ReadonlyArray<Message> =>
  messagesOf({ entries: path.map(({ entry }) => entry), omitted: 0 })

const converse = (told: ReadonlyArray<Told>): Conversation => {
  const prompts = told.map(({ prompts }, at) => Array.from({ length: prompts }, (_, nth) => `u${at}.${nth}`))
  const path = place(
    told.flatMap(({ pieces }, at) => [
      ...(prompts[at] ?? []).map((id) => prompt(id)),
      ...pieces.flatMap((piece, nth) => entriesOf(piece, `a${at}.${nth}`))
    ])
  )
  return { path, messages: messagesIn(path), prompts }
}

const user = (id: string, content = `words of ${id}`): UserMessage => ({ id, role: "user", content })
const fresh = user("new")

const always = () => true
const never = () => false

const divergence = (
  messages: ReadonlyArray<Message>,
  path: ReadonlyArray<KnownEntry>,
  hasHad: (entry: KnownEntry) => boolean = always,
  elsewhere: ReadonlyArray<KnownEntry> = [],
  origins: Origins = noBranches
): Divergence | undefined => divergenceOf(messages, { path, isWhole: true, elsewhere, origins, hasHad })

/** The conversation after a branch, as a client that has had everything shows it. */
const shownAfter = (path: ReadonlyArray<KnownEntry>, found: Divergence | undefined): ReadonlyArray<Message> => [
  ...messagesIn(path.slice(0, found?.after === undefined ? 0 : path.indexOf(found.after) + 1)),
  ...(found?.said ?? [])
]

/** Thoughts, tasks and sub-agents go with what they are about: no client takes them away by themselves. */
const spoken = (messages: ReadonlyArray<Message>): ReadonlyArray<Message> =>
  messages.filter(
    ({ role, subagentRunId }) => role !== "reasoning" && role !== "activity" && subagentRunId === undefined
  )

// --- what clients leave out ------------------------------------------------------------------

/** Ways of sending less than everything, or the same by other names. None of them takes the last answer away. */
const lessens: ReadonlyArray<(messages: ReadonlyArray<Message>) => ReadonlyArray<Message>> = [
  (messages) => messages,
  (messages) => messages.filter(({ role }) => role !== "activity"),
  (messages) => messages.filter(({ role }) => role !== "reasoning"),
  (messages) =>
    messages.map((message) => (message.role === "tool" ? { ...message, id: `own ${message.id}` } : message)),
  (messages) => messages.filter((message) => message.subagentRunId === undefined),
  // Nothing but words.
  (messages) =>
    messages.flatMap((message): ReadonlyArray<Message> => {
      if (message.role === "user") return [message]
      if (message.role !== "assistant" || message.content === undefined) return []
      const { toolCalls: _, ...words } = message
      return [words]
    }),
  (messages) => [{ id: "rules", role: "system", content: "Be brief." }, ...messages],
  (messages) => [{ id: "elsewhere", role: "assistant", content: "From another server." }, ...messages]
]
const lessen = fc.constantFrom(...lessens)

/** The newest messages, at least so many. */
const tail = (messages: ReadonlyArray<Message>, drop: number, keep: number): ReadonlyArray<Message> =>
  messages.slice(Math.min(drop, Math.max(0, messages.length - keep)))

describe("a request that continues", () => {
  const continues = (
    messages: ReadonlyArray<Message>,
    path: ReadonlyArray<KnownEntry>,
    hasHad: (entry: KnownEntry) => boolean = always
  ) => expect(divergence(messages, path, hasHad)).toBeUndefined()

  test("may leave out whatever it likes, except the end", () => {
    fc.assert(
      fc.property(turns, lessen, fc.nat(30), (told, less, drop) => {
        const { messages, path } = converse(told)
        continues([...tail(less(messages), drop, 1), fresh], path)
      })
    )
  })

  test("may say nothing new, whatever it has of the conversation", () => {
    fc.assert(
      fc.property(turns, fc.nat(30), (told, keep) => {
        const { messages, path } = converse(told)
        continues(messages.slice(0, keep), path, never)
        continues(messages, path)
      })
    )
  })

  test("may show the turns in any order", () => {
    fc.assert(
      fc.property(turns, fc.array(fc.nat(), { minLength: 5, maxLength: 5 }), (told, order) => {
        const { messages, path, prompts } = converse(told)
        const starts = prompts.map(([first]) => messages.findIndex(({ id }) => id === first))
        const shuffled = starts
          .map((start, at) => ({ at: order[at] ?? 0, turn: messages.slice(start, starts[at + 1]) }))
          .sort((a, b) => a.at - b.at)
        continues([...shuffled.flatMap(({ turn }) => turn), fresh], path)
      })
    )
  })

  test("may come from a client that has nothing of it", () => {
    fc.assert(fc.property(turns, (told) => void continues([fresh], converse(told).path)))
    continues([fresh], [])
    continues([], converse([{ prompts: 1, pieces: ["text"] }]).path)
  })

  test("may come from a client that keeps no answers", () => {
    fc.assert(
      fc.property(turns, (told) => {
        const { messages, path } = converse(told)
        continues([...messages.filter(({ role }) => role === "user"), fresh], path)
      })
    )
  })

  test("may have answers by names of the client's own", () => {
    fc.assert(
      fc.property(turns, (told) => {
        const { messages, path } = converse(told)
        const renamed = messages.map((message) =>
          message.role === "assistant" ? { ...message, id: `own ${message.id}`, toolCalls: [] } : message
        )
        continues([...renamed.filter(({ role }) => role !== "tool" && role !== "reasoning"), fresh], path)
      })
    )
  })

  test("may come from a client that has not had the rest", () => {
    fc.assert(
      fc.property(turns, fc.nat(), fc.boolean(), (told, at, asks) => {
        const { messages, path } = converse(told)
        const known = at % (messages.length + 1)
        const had = messages.slice(0, known)
        const ids = new Set(entryIds(had))
        const last = path.findLastIndex(({ entry }) => ids.has(entry.id))
        continues([...had, ...(asks ? [fresh] : [])], path, ({ position }) => position <= last)
      })
    )
  })

  test("may show no calls, when nothing but calls ends the conversation", () => {
    const path = place([prompt("u1"), text("a1"), call("c1", "a1"), result("c1")])
    const shown: ReadonlyArray<Message> = [user("u1"), { id: "a1", role: "assistant", content: "said a1" }, fresh]
    continues(shown, path)
    // Unless people went on after that.
    expect(divergence(shown, place([...path.map(({ entry }) => entry), prompt("u2")]))?.kind).toBe("cut")
  })
})

describe("a request that differs", () => {
  test("edits a message: by another id, or in place", () => {
    fc.assert(
      fc.property(turns, fc.nat(), fc.nat(), fc.boolean(), (told, at, nth, inPlace) => {
        const { messages, path, prompts } = converse(told)
        const ids = prompts[at % prompts.length] ?? []
        const id = ids[nth % ids.length] ?? ""
        const edited = user(inPlace ? id : "edited", "other words")
        const shown = [
          ...messages.slice(
            0,
            messages.findIndex((message) => message.id === id)
          ),
          edited
        ]
        const found = divergence(shown, path, inPlace ? never : always)
        // Without any answer before it, a new id is that of a client that has nothing.
        const isFirst = id === "u0.0" && !inPlace
        expect(found?.kind).toBe(isFirst ? undefined : "edit")
        if (!isFirst) expect(spoken(shownAfter(path, found))).toEqual(spoken(shown))
      })
    )
  })

  test("asks for another answer", () => {
    fc.assert(
      fc.property(turns, fc.nat(), lessen, fc.nat(30), (told, at, less, drop) => {
        const { messages, path, prompts } = converse(told)
        const id = prompts[at % prompts.length]?.at(-1)
        const shown = messages.slice(0, messages.findIndex((message) => message.id === id) + 1)
        const found = divergence(shown, path)
        expect(found?.kind).toBe("regenerate")
        expect(spoken(shownAfter(path, found))).toEqual(spoken(shown))
        // Whatever older it leaves out: it goes back to the same place.
        const kept = (prompts[at % prompts.length]?.length ?? 0) + 1
        const lessShown = divergence(tail(less(shown), drop, kept), path)
        expect(lessShown?.kind).toBe("regenerate")
        expect(lessShown?.said.at(-1)?.id).toBe(id)
      })
    )
  })

  test("takes away the end, and goes on", () => {
    fc.assert(
      fc.property(turns, fc.nat(), (told, at) => {
        const { messages, path } = converse(told)
        const answers = messages.flatMap((message, index) => (message.role === "assistant" ? [index] : []))
        const last = answers[at % answers.length] ?? 0
        // Results go with their calls.
        const end = messages.findIndex(({ role }, index) => index > last && role !== "tool")
        const shown = [...messages.slice(0, end === -1 ? messages.length : end), fresh]
        const found = divergence(shown, path)
        const rest = end === -1 ? [] : spoken(messages.slice(end))
        const isMore = rest.some(
          (message) => message.role === "user" || (message.role === "assistant" && message.content)
        )
        const isShown = messages[last]?.subagentRunId === undefined
        if (!isShown) return
        expect(found !== undefined).toBe(isMore)
        if (isMore) expect(spoken(shownAfter(path, found))).toEqual(spoken(shown))
      })
    )
  })

  test("goes back to before everything when it edits the first message in place", () => {
    const { path } = converse([{ prompts: 1, pieces: ["text"] }])
    expect(divergence([user("u0.0", "other words")], path)).toMatchObject({ kind: "edit", after: undefined })
    expect(divergence([user("u0.0")], path)).toMatchObject({ kind: "regenerate", after: undefined })
  })

  test("is told from one that has not heard that somebody changed a message", () => {
    const path = place([prompt("u1", "other words"), text("a2")]).map((each) => ({ ...each, branch: 1 }))
    const left = place([prompt("u1"), text("a1")])
    const behind = [user("u1"), fresh]
    expect(divergence(behind, path, never, left, [null, null])).toBeUndefined()
    // Who has had the change, and shows what was before it, wants that back.
    expect(divergence(behind, path, always, left, [null, null])?.kind).toBe("edit")
    expect(divergence([user("u1", "new words"), fresh], path, never, left, [null, null])?.kind).toBe("edit")
  })

  test("asks for another answer to a prompt whose answer has arrived, whatever its client says of that", () => {
    const { path } = converse([
      { prompts: 1, pieces: ["text"] },
      { prompts: 1, pieces: ["text"] }
    ])
    const known = { path, isWhole: true, elsewhere: [], origins: noBranches, hasHad: never }
    const hasAnswerOf = ({ entry }: KnownEntry): boolean => entry.id === "u0.0"
    expect(divergenceOf([user("u0.0")], { ...known, hasAnswerOf })?.kind).toBe("regenerate")
    expect(divergenceOf([user("u0.0")], known)).toBeUndefined()
    // Who says something new may be one whose connection broke.
    expect(divergenceOf([user("u0.0"), fresh], { ...known, hasAnswerOf })).toBeUndefined()
  })

  test("shows nothing of the conversation, and says that this is all it has", () => {
    const { path } = converse([{ prompts: 1, pieces: ["text"] }])
    const known = { path, isWhole: true, elsewhere: [], origins: noBranches, hasHad: always }
    expect(divergenceOf([fresh], { ...known, sendsAll: true })).toMatchObject({ kind: "edit", after: undefined })
    expect(divergenceOf([fresh], { ...known, sendsAll: true, hasHad: never })).toBeUndefined()
    expect(divergenceOf([fresh], { ...known, path: [], sendsAll: true })).toBeUndefined()
    expect(sendsAll({ agentwire: { allMessages: true } })).toBe(true)
    for (const odd of [undefined, {}, { agentwire: true }, { agentwire: { allMessages: "true" } }])
      expect(sendsAll(odd)).toBe(false)
  })

  test("does not go back to before a part of which the beginning is not known", () => {
    const { path } = converse([{ prompts: 1, pieces: ["text"] }])
    const known = { path, isWhole: false, elsewhere: [], origins: noBranches, hasHad: always }
    expect(divergenceOf([user("u0.0", "other words")], known)).toBeUndefined()
  })

  test("says everything again that people said since the last answer", () => {
    const path = place([prompt("u1"), text("a1"), prompt("u2"), prompt("u3"), text("a3")])
    const shown = [user("u1"), { id: "a1", role: "assistant" as const, content: "said a1" }, user("u2"), user("u4")]
    expect(divergence(shown, path)).toMatchObject({ kind: "edit", after: { entry: { id: "a1" } } })
    expect(divergence(shown, path)?.said.map(({ id }) => id)).toEqual(["u2", "u4"])
  })

  test("is told from one that says the same in another form", () => {
    const image = { type: "image" as const, source: { type: "data" as const, value: "AA==", mimeType: "image/png" } }
    const path = place([
      { id: "u1", lane: null, kind: "prompt", content: [{ type: "text", text: "Look  at\nthis" }, image] }
    ])
    const known = [...path, ...place([text("a1")]).map((each) => ({ ...each, position: 1 }))]
    for (const content of ["Look at this", [{ type: "text" as const, text: " Look at this " }, image]])
      expect(divergence([{ id: "u1", role: "user", content }], known)?.kind).toBe("regenerate")
    for (const content of [
      "Look",
      [image],
      [
        { type: "text" as const, text: "Look at this" },
        { ...image, source: { ...image.source, value: "BB==" } }
      ]
    ])
      expect(divergence([{ id: "u1", role: "user", content }], known)?.kind).toBe("edit")
  })
})

describe("a request from another branch", () => {
  // u1 a1 ┬ u2 a2
  //       └ u3 a3: the conversation
  const path: ReadonlyArray<KnownEntry> = [
    ...place([prompt("u1"), text("a1")]),
    { entry: prompt("u3"), branch: 1, position: 4 },
    { entry: text("a3"), branch: 1, position: 5 }
  ]
  const elsewhere: ReadonlyArray<KnownEntry> = [
    { entry: prompt("u2"), branch: 0, position: 2 },
    { entry: text("a2"), branch: 0, position: 3 }
  ]
  const answer = (id: string): Message => ({ id, role: "assistant", content: `said ${id}` })
  const old = [user("u1"), answer("a1"), user("u2"), answer("a2"), fresh]
  const origins = [null, { branch: 0, position: 1 }]

  test("goes on there, when its client knows of this one", () => {
    expect(divergence(old, path, always, elsewhere, origins)).toMatchObject({
      kind: "switch",
      after: { entry: { id: "a2" } }
    })
  })

  test("goes on here, when its client does not", () => {
    expect(divergence(old, path, ({ branch }) => branch === 0, elsewhere, origins)).toBeUndefined()
  })

  test("goes on here, when its client has had what comes before both, and shows nothing of that", () => {
    const behind = ({ branch }: KnownEntry) => branch === 0
    expect(divergence(old.slice(2), path, behind, elsewhere, origins)).toBeUndefined()
    expect(divergence(old.slice(2), path, always, elsewhere, origins)?.kind).toBe("switch")
  })

  test("goes on here, when its client shows this one, too", () => {
    expect(divergence([answer("a3"), ...old], path, always, elsewhere, origins)).toBeUndefined()
  })

  test("changes nothing when it says nothing new", () => {
    expect(divergence(old.slice(0, -1), path, always, elsewhere, origins)).toBeUndefined()
  })
})

describe("the mark in the state", () => {
  const { path } = converse([
    { prompts: 1, pieces: ["text"] },
    { prompts: 1, pieces: ["text"] }
  ])
  const info = { sessionId: "s", model: "m", cwd: "/" }
  const seen = (state: unknown) => path.map(hasSeen(seenMarkIn(state), path, [null]))

  test("says what a client has had", () => {
    path.forEach(({ entry: { id } }, at) => {
      const state = stateOf(info, {}, { branch: 0, newest: id })
      expect(seen(state)).toEqual(path.map((_, index) => index <= at))
    })
  })

  test("says nothing of another branch, of an unknown entry, or when there is none", () => {
    for (const state of [
      stateOf(info, {}, { branch: 1, newest: "u0.0" }),
      stateOf(info, {}, { branch: 0, newest: "else" }),
      stateOf(info),
      ...[{}, null, 7, { agentwire: 7 }, { agentwire: { conversation: { last: 1, branch: "0" } } }]
    ])
      expect(new Set(seen(state))).toEqual(new Set([false]))
  })

  test("of a branch says that its client has had what leads to it, and nothing of the others", () => {
    // u0 a0 ┬ u1 a1: branch 0
    //       ├ u2 a2: branch 1
    //       └ (a1) u3: branch 2, which goes on with branch 0
    const others: ReadonlyArray<KnownEntry> = [
      { entry: prompt("u2"), branch: 1, position: 4 },
      { entry: text("a2"), branch: 1, position: 5 },
      { entry: prompt("u3"), branch: 2, position: 6 }
    ]
    const all = [...path, ...others]
    const origins = [null, { branch: 0, position: 1 }, { branch: 0, position: 3 }]
    const had = (branch: number, newest: string) => {
      const has = hasSeen(seenMarkIn(stateOf(info, {}, { branch, newest })), all, origins)
      return all.flatMap((each) => (has(each) ? [each.position] : []))
    }
    expect(had(0, "a1.0")).toEqual([0, 1, 2, 3])
    expect(had(1, "a2")).toEqual([0, 1, 4, 5])
    expect(had(2, "u3")).toEqual([0, 1, 2, 3, 6])
  })
})
