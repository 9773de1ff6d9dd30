import * as Schema from "effect/Schema"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Message } from "../../../src/agui/Message.ts"
import { RunAgentInput } from "../../../src/agui/RunInput.ts"
import { type Inbound, type OpenRequests, readInput } from "../../../src/agui/read/Input.ts"
import { oldResumePath } from "../../../src/agui/read/Resume.ts"
import { emptyThread, forgetTold, maxRemembered, type Thread } from "../../../src/agui/read/Thread.ts"
import { interruptOf } from "../../../src/agui/write/Interrupt.ts"
import type { Answer } from "../../../src/model/Request.ts"
import { form, pageTool, permission } from "./Requests.ts"

const question = (id: string, call = `call-${id}`) => permission({ id, call })
const calls = (...toolCallIds: ReadonlyArray<string>): OpenRequests => ({ requests: [], toolCallIds })
const input = (messages: ReadonlyArray<Message>, fields: Partial<RunAgentInput> = {}): RunAgentInput => ({
  threadId: "t",
  runId: "r",
  messages,
  ...fields
})
const user = (id: string, content = `words of ${id}`): Message => ({ id, role: "user", content })
const said = (id: string, ...calls: ReadonlyArray<string>): Message => ({
  id,
  role: "assistant",
  content: "…",
  ...(calls.length > 0 && {
    toolCalls: calls.map((id) => ({ id, type: "function" as const, function: { name: "f", arguments: "{}" } }))
  })
})
const result = (id: string, toolCallId: string, content = "done"): Message => ({
  id,
  role: "tool",
  toolCallId,
  content
})

/** The texts of the prompt, what the application tells among them. */
const words = ({ prompt }: Inbound): ReadonlyArray<string> => [
  ...(prompt?.aside === undefined ? [] : [prompt.aside]),
  ...(prompt?.said ?? []).flatMap(({ content }) =>
    typeof content === "string" ? [content] : content.map((part) => (part.type === "text" ? part.text : part.type))
  )
]
const codes = ({ ignored }: Inbound): Record<string, string> =>
  Object.fromEntries(ignored.map((each) => ["messageId" in each ? each.messageId : each.interruptId, each.code]))

const id = fc.constantFrom("a", "b", "c", "d", "e", "f", "g", "h")
const text = fc.constantFrom("one", "two", " ", "/compact", "</application_state>")
const message: fc.Arbitrary<Message> = fc.oneof(
  fc.record({ role: fc.constant("user" as const), id, content: text }),
  fc.record({
    role: fc.constant("user" as const),
    id,
    content: fc.array(fc.record({ type: fc.constant("text" as const), text }), { maxLength: 2 })
  }),
  fc.record({ role: fc.constantFrom("developer" as const, "system" as const), id, content: text }),
  fc.record({ role: fc.constantFrom("assistant" as const, "reasoning" as const), id, content: text }),
  fc.record({ role: fc.constant("tool" as const), id, content: text, toolCallId: fc.constantFrom("x", "y", "call-q1") })
)
const inputs: fc.Arbitrary<RunAgentInput> = fc.record(
  {
    threadId: fc.constant("t"),
    runId: fc.constant("r"),
    messages: fc.array(message, { maxLength: 8 }),
    state: fc.constantFrom<unknown>({}, { a: 1 }, { a: "</application_state>" }, null, [1]),
    context: fc.array(fc.record({ description: text, value: text }), { maxLength: 2 }),
    resume: fc.array(
      fc.record({
        interruptId: fc.constantFrom("q1", "q2", "q3"),
        status: fc.constantFrom("resolved" as const, "cancelled" as const),
        payload: fc.constantFrom(true, "x", { approved: true })
      }),
      { maxLength: 3 }
    ),
    forwardedProps: fc.constantFrom(
      {},
      { command: { resume: true } },
      { command: { resume: 1, interruptEvent: { id: "q2" } } }
    )
  },
  { requiredKeys: ["threadId", "runId", "messages"] }
)
const opens: fc.Arbitrary<OpenRequests> = fc.record({
  requests: fc.subarray([question("q1"), question("q2"), pageTool("p1", "x"), { ...form, id: "q3" }]),
  toolCallIds: fc.subarray(["x", "y"])
})
const threads = fc
  .array(fc.tuple(inputs, opens), { maxLength: 3 })
  .map((earlier) =>
    earlier.reduce((thread: Thread, [input, open]) => readInput(thread, input, open).thread, emptyThread)
  )

/** Whether an answer is a person's, and not a tool's. */
const isOfPerson = ({ answer }: { readonly answer: Answer }): boolean => answer.type !== "result"
const resultsIn = ({ answers, results }: Inbound) => [...answers.filter((each) => !isOfPerson(each)), ...results]

describe("laws", () => {
  test("the same request a second time means nothing new", () => {
    fc.assert(
      fc.property(threads, inputs, opens, (thread, input, open) => {
        const first = readInput(thread, input, open)
        const { answers, prompt, results, thread: after } = readInput(first.thread, input, open)
        expect({ answers, prompt, results }).toEqual({ answers: [], prompt: undefined, results: [] })
        expect({ ...after, known: [...after.known].sort() }).toEqual({
          ...first.thread,
          known: [...first.thread.known].sort()
        })
      }),
      { numRuns: 1000 }
    )
  })

  test("every message is used or listed, and never both", () => {
    fc.assert(
      fc.property(threads, inputs, opens, (thread, input, open) => {
        const messages = [...new Map(input.messages.map((message) => [message.id, message])).values()]
        const inbound = readInput(thread, { ...input, messages }, open)
        const listed = inbound.ignored.flatMap((each) => ("messageId" in each ? [each.messageId] : []))
        const used = messages.filter(({ id }) => !listed.includes(id))
        expect(new Set(listed).size + used.length).toBe(messages.length)
        expect(inbound.heard).toEqual(used)
        const given = used.filter(({ role }) => role === "tool")
        expect(resultsIn(inbound)).toHaveLength(given.length)
        const spoken = used.filter(({ role }) => role !== "tool")
        for (const { content, role } of spoken) {
          expect(["user", "developer", "system"]).toContain(role)
          const texts =
            typeof content === "string"
              ? [content]
              : (content as ReadonlyArray<{ text: string }>).map(({ text }) => text)
          for (const text of texts)
            expect(words(inbound).join("")).toContain(role === "user" ? text.trim() : text.replace(/^</, "&lt;"))
        }
        expect(inbound.prompt?.said.map(({ id }) => id) ?? []).toEqual(
          spoken.flatMap(({ id, role }) => (role === "user" ? [id] : []))
        )
        if (spoken.length === 0) expect(inbound.prompt).toBeUndefined()
      }),
      { numRuns: 1000 }
    )
  })

  test("every answer is used or listed", () => {
    fc.assert(
      fc.property(threads, inputs, opens, (thread, input, open) => {
        const { answers, ignored } = readInput(thread, input, open)
        const entries = (input.resume ?? []).length + (isOld(input) ? 1 : 0)
        expect(answers.filter(isOfPerson).length + ignored.filter((each) => "interruptId" in each).length).toBe(entries)
      })
    )
  })
  const isOld = ({ forwardedProps }: RunAgentInput) => typeof forwardedProps === "object" && "command" in forwardedProps

  test("every pending interrupt that is named gets exactly one answer, and no other", () => {
    fc.assert(
      fc.property(inputs, opens, (input, open) => {
        const { answers } = readInput(emptyThread, { ...input, forwardedProps: {} }, open)
        const named = new Set((input.resume ?? []).map(({ interruptId }) => interruptId))
        const waiting = open.requests.filter(({ kind }) => kind !== "page_tool").map(({ id }) => id)
        const ids = answers.filter(isOfPerson).map(({ id }) => id)
        expect(ids.sort()).toEqual(waiting.filter((id) => named.has(id)).sort())
      })
    )
  })

  test("results are for calls that wait, one for each; a call with an open request is answered by it", () => {
    fc.assert(
      fc.property(threads, inputs, opens, (thread, input, open) => {
        const { answers, results } = readInput(thread, input, open)
        const asked = new Map(
          open.requests.flatMap((each) => (each.kind === "page_tool" ? [[each.id, each.call]] : []))
        )
        const answered = answers.filter((each) => !isOfPerson(each)).map(({ id }) => asked.get(id))
        const ids = [...answered, ...results.map(({ toolCallId }) => toolCallId)]
        expect(new Set(ids).size).toBe(ids.length)
        for (const id of answered) expect(id).toBeDefined()
        for (const { toolCallId } of results) {
          expect(open.toolCallIds).toContain(toolCallId)
          expect([...asked.values()]).not.toContain(toolCallId)
        }
      })
    )
  })

  test("new words come in their order, and nothing stands after them", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string({ minLength: 1 }).filter((text) => text.trim() !== ""),
          { minLength: 1 }
        ),
        inputs,
        (texts, { context = [], state }) => {
          const messages = texts.map((text, index) => user(`u${index}`, text))
          const inbound = readInput(emptyThread, input([user("0"), said("1"), ...messages], { context, state }))
          expect(words(inbound).slice(-texts.length)).toEqual(texts)
          expect(words(inbound).length - texts.length).toBeLessThanOrEqual(1)
        }
      )
    )
  })

  test("a thread is JSON of bounded size", () => {
    fc.assert(
      fc.property(threads, inputs, opens, (thread, input, open) => {
        const inbound = readInput(thread, input, open)
        expect(JSON.parse(JSON.stringify(inbound.thread))).toEqual(inbound.thread)
      })
    )
    const long = Array.from({ length: 5 * maxRemembered }, (_, index) => [user(`u${index}`), said(`a${index}`)]).flat()
    const { thread } = readInput(emptyThread, input([...long, user("new")]))
    expect(thread.known).toHaveLength(maxRemembered)
    expect(words(readInput(thread, input([...long, user("new"), user("newer")])))).toEqual(["words of newer"])
  })

  test("what a thread has forgotten is not new again: something known stands after it", () => {
    const many = Array.from({ length: 2 * maxRemembered }, (_, index) => user(`u${index}`))
    const { thread } = readInput(emptyThread, input(many))
    expect(words(readInput(thread, input([...many, user("new")])))).toEqual(["words of new"])
  })

  test("the generated requests are legal", () => {
    fc.assert(fc.property(inputs, Schema.is(RunAgentInput)))
  })
})

describe("the conversation", () => {
  test("what comes after the known messages is new", () => {
    const first = readInput(emptyThread, input([user("1")]))
    expect(words(first)).toEqual(["words of 1"])
    const second = readInput(first.thread, input([user("1"), said("2"), user("3"), user("4")]))
    expect(words(second)).toEqual(["words of 3", "words of 4"])
    expect(codes(second)).toEqual({ 1: "known", 2: "history" })
  })

  test("after a restart the places tell: what the agent has answered is old", () => {
    const inbound = readInput(emptyThread, input([user("1"), said("2"), result("3", "old"), user("4")]))
    expect(words(inbound)).toEqual(["words of 4"])
    expect(codes(inbound)).toEqual({ 1: "history", 2: "history", 3: "unmatched-result" })
  })

  test("a request without anything new is no prompt", () => {
    const inbound = readInput(
      emptyThread,
      input([user("1"), said("2")], { context: [{ description: "d", value: "v" }] })
    )
    expect(inbound.prompt).toBeUndefined()
  })

  test("a prompt is what people said, under the ids their client knows", () => {
    const { prompt } = readInput(emptyThread, input([user("1", "hi"), user("2", "there")]))
    expect(prompt).toEqual({
      type: "prompt",
      said: [
        { id: "1", content: "hi" },
        { id: "2", content: "there" }
      ]
    })
  })

  test("the words of an empty message are missed", () => {
    expect(codes(readInput(emptyThread, input([user("1", " ")])))).toEqual({ 1: "empty" })
  })
})

describe("what the application tells", () => {
  const context = [{ description: "page", value: "cart" }]
  const developer: Message = { id: "d", role: "developer", content: "be brief" }

  test("is told before the words, once, and again when it changes", () => {
    const first = readInput(emptyThread, input([developer, user("1")], { context, state: { n: 1 } }))
    expect(words(first)).toHaveLength(2)
    for (const part of ["be brief", "page", "cart", '{"n":1}']) expect(words(first)[0]).toContain(part)
    const messages = [developer, user("1"), said("2"), user("3")]
    const same = readInput(first.thread, input(messages, { context, state: { n: 1 } }))
    expect(words(same)).toEqual(["words of 3"])
    const changed = readInput(first.thread, input(messages, { context, state: { n: 2 } }))
    expect(words(changed)[0]).toContain('{"n":2}')
    expect(words(changed)[0]).not.toContain("cart")
  })

  test("waits for a prompt", () => {
    const first = readInput(emptyThread, input([user("1"), said("2", "x"), result("3", "x")], { context }), calls("x"))
    expect(first.prompt).toBeUndefined()
    const second = readInput(first.thread, input([user("1"), said("2"), result("3", "x"), user("4")], { context }))
    expect(words(second)[0]).toContain("cart")
  })

  test("does not stand before a slash command, which would then be none", () => {
    const first = readInput(emptyThread, input([developer, user("1", "/compact")], { context, state: { n: 1 } }))
    expect(words(first)).toEqual(["/compact"])
    expect(codes(first)).toEqual({ d: "waiting" })
    const second = readInput(
      first.thread,
      input([developer, user("1", "/compact"), user("2")], { context, state: { n: 1 } })
    )
    for (const part of ["be brief", "cart", '{"n":1}']) expect(words(second)[0]).toContain(part)
  })

  test("is told again to an agent that has forgotten it: after /clear and after a compaction", () => {
    const facts = { context, state: { n: 1 } }
    const first = readInput(emptyThread, input([developer, user("1")], facts))
    const messages = [developer, user("1"), said("2"), user("3")]
    expect(words(readInput(first.thread, input(messages, facts)))).toEqual(["words of 3"])
    const again = readInput(forgetTold(first.thread), input(messages, facts))
    expect(words(again)).toHaveLength(2)
    for (const part of ["be brief", "cart", '{"n":1}']) expect(words(again)[0]).toContain(part)
    // The messages themselves are not said again.
    expect(codes(again)).toMatchObject({ 1: "known" })
  })

  test("a system message that comes anew with every request is told once", () => {
    const system = (id: string): Message => ({ id, role: "system", content: "be kind" })
    const first = readInput(emptyThread, input([system("s1"), user("1")]))
    const second = readInput(first.thread, input([system("s2"), user("1"), said("2"), user("3")]))
    expect(words(second)).toEqual(["words of 3"])
    expect(codes(second)).toMatchObject({ s2: "told" })
  })

  test("an instruction alone is a prompt, also when it repeats one", () => {
    const first = readInput(emptyThread, input([developer]))
    expect(words(first)[0]).toContain("be brief")
    const again = readInput(first.thread, input([developer, said("2"), { ...developer, id: "d2" }]))
    expect(words(again)[0]).toContain("be brief")
  })

  test("the session's own part of the state is not told back", () => {
    const inbound = readInput(emptyThread, input([user("1")], { state: { agentwire: { sessionId: "s" } } }))
    expect(words(inbound)).toEqual(["words of 1"])
  })
})

describe("the application's tools", () => {
  const done = (content: string): Answer => ({ type: "result", content, failed: false })

  test("results go to the calls that wait, also of those not asked for yet", () => {
    const messages = [
      user("1"),
      said("2", "x", "y"),
      result("3", "x", "one"),
      result("4", "y", "two"),
      result("5", "x", "three")
    ]
    const inbound = readInput(emptyThread, input(messages), {
      requests: [pageTool("p", "x")],
      toolCallIds: ["x", "y"]
    })
    expect(inbound.answers).toEqual([{ id: "p", answer: done("one") }])
    expect(inbound.results).toEqual([{ toolCallId: "y", answer: done("two") }])
    expect(codes(inbound)).toMatchObject({ 5: "repeated-result" })
    expect(inbound.prompt).toBeUndefined()
  })

  test("an open request is enough: the call need not be listed beside it", () => {
    const inbound = readInput(emptyThread, input([said("2", "x"), result("3", "x")]), {
      requests: [pageTool("p", "x")]
    })
    expect(inbound.answers).toEqual([{ id: "p", answer: done("done") }])
  })

  test("a result and a new prompt may come together", () => {
    const inbound = readInput(emptyThread, input([said("2", "x"), user("4"), result("3", "x")]), calls("x"))
    expect(inbound.results).toHaveLength(1)
    expect(words(inbound)).toEqual(["words of 4"])
  })

  test("a result nobody waits for yet is taken when somebody does", () => {
    const request = input([user("1"), said("2", "x"), result("3", "x")])
    const early = readInput(emptyThread, request)
    expect(codes(early)).toMatchObject({ 3: "unmatched-result" })
    expect(readInput(early.thread, request, calls("x")).results).toHaveLength(1)
  })

  test("what went wrong is part of the result", () => {
    const failed: Message = { id: "3", role: "tool", toolCallId: "x", content: "", error: "it broke" }
    const { results } = readInput(emptyThread, input([said("2", "x"), failed]), calls("x"))
    expect(results).toEqual([{ toolCallId: "x", answer: { type: "result", content: "it broke", failed: true } }])
  })

  test("are not answered by an interrupt's answer", () => {
    const resume = [{ interruptId: "p", status: "resolved" as const, payload: true }]
    const inbound = readInput(emptyThread, input([], { resume }), { requests: [pageTool("p", "x")] })
    expect(inbound.answers).toEqual([])
    expect(codes(inbound)).toEqual({ p: "unknown-interrupt" })
  })
})

describe("interrupts", () => {
  test("CopilotKit's resume: the same run id, and a tool message that is no result", () => {
    // docs/wire/ag-ui.md §0 item 8 and §4.5.
    const first = readInput(emptyThread, input([user("1")]))
    const resume = [{ interruptId: "q", status: "resolved" as const, payload: { ok: true } }]
    const messages = [user("1"), said("2", "x"), result("3", "x", '{"ok":true}')]
    const inbound = readInput(first.thread, input(messages, { resume }), {
      requests: [question("q", "x")],
      toolCallIds: ["x"]
    })
    expect(inbound.answers).toEqual([{ id: "q", answer: { type: "allow" } }])
    expect(inbound.results).toEqual([])
    expect(codes(inbound)).toMatchObject({ 3: "interrupt-answer" })
    expect(inbound.prompt).toBeUndefined()
  })

  test("an answer that is not understood allows nothing, and says so", () => {
    const resume = [{ interruptId: "q", status: "resolved" as const, payload: "perhaps" }]
    expect(readInput(emptyThread, input([], { resume }), { requests: [question("q")] }).answers).toEqual([
      { id: "q", answer: { type: "deny", reason: expect.any(String) }, misunderstood: expect.any(String) }
    ])
  })

  test("answers nobody waits for are listed", () => {
    const resume = ["q", "q", "other"].map((interruptId) => ({
      interruptId,
      status: "resolved" as const,
      payload: true
    }))
    const inbound = readInput(emptyThread, input([], { resume }), { requests: [question("q")] })
    expect(inbound.answers).toHaveLength(1)
    expect(inbound.ignored.map(({ code }) => code)).toEqual(["repeated-answer", "unknown-interrupt"])
  })

  test("the old form answers the interrupt it shows, or the only one", () => {
    const command = (extra: object) =>
      input([], { forwardedProps: { command: { resume: { approved: true }, ...extra } } })
    const two = { requests: [question("q"), question("p")] }
    const shown = readInput(emptyThread, command({ interruptEvent: interruptOf(question("p")) }), two)
    expect(shown.answers).toMatchObject([{ id: "p", answer: { type: "allow" } }])
    const only = readInput(emptyThread, command({ interruptEvent: "?" }), { requests: [question("q")] })
    expect(only.answers).toMatchObject([{ id: "q", answer: { type: "allow" } }])
    expect(codes(readInput(emptyThread, command({}), two))).toEqual({ [oldResumePath]: "ambiguous-answer" })
    expect(codes(readInput(emptyThread, command({})))).toEqual({ [oldResumePath]: "unknown-interrupt" })
  })

  test("other forwarded properties mean nothing", () => {
    for (const forwardedProps of [{}, "x", { command: {} }, { command: null }, [1]] as ReadonlyArray<
      NonNullable<RunAgentInput["forwardedProps"]>
    >)
      expect(readInput(emptyThread, input([], { forwardedProps }), { requests: [question("q")] })).toMatchObject({
        answers: [],
        ignored: []
      })
  })
})

describe("a request that differs from the conversation", () => {
  const after = { branch: 0, position: 1, entry: { id: "a1", lane: null, kind: "text" as const, text: "…" } }
  const divergence = (...said: ReadonlyArray<Message>) => ({
    kind: "edit" as const,
    after,
    said: said.filter((message) => message.role === "user")
  })
  const before = readInput(emptyThread, input([user("u1"), said("a1"), user("u2")], { state: { a: 1 } })).thread

  test("says what people say after the point where it does, known or not", () => {
    const inbound = readInput(
      before,
      input([user("u1"), said("a1"), user("u2"), user("u3")]),
      undefined,
      divergence(user("u2"), user("u3"))
    )
    expect(inbound.prompt?.said.map(({ id }) => id)).toEqual(["u2", "u3"])
    expect(inbound.branch?.after).toBe(after)
    expect(codes(inbound)).toEqual({ u1: "known", a1: "known" })
  })

  test("tells the agent everything again that the application wants known", () => {
    const again = input([user("u1"), said("a1"), user("u2")], { state: { a: 1 } })
    expect(words(readInput(before, again, undefined, divergence(user("u2"))))[0]).toContain("application_state")
    expect(readInput(before, again).prompt).toBeUndefined()
  })

  test("goes back when it dismisses what is asked: clients do not run without a word to every question", () => {
    const open: OpenRequests = { requests: [question("q1")] }
    const dismissing = input([user("u1")], { resume: [{ interruptId: "q1", status: "cancelled" }] })
    const inbound = readInput(before, dismissing, open, divergence(user("u1")))
    expect(inbound.branch?.after).toBe(after)
    expect(inbound.prompt?.said.map(({ id }) => id)).toEqual(["u1"])
    expect(inbound.answers).toEqual([{ id: "q1", answer: { type: "dismissed" } }])
  })

  test("does not go back when it brings an answer", () => {
    const open: OpenRequests = { requests: [question("q1")] }
    const answering = input([user("u1")], { resume: [{ interruptId: "q1", status: "resolved", payload: true }] })
    const inbound = readInput(before, answering, open, divergence(user("u1")))
    expect(inbound.branch).toBeUndefined()
    expect(inbound.answers.length).toBe(1)
  })
})
