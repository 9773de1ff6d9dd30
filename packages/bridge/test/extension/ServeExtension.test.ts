/** The extension's side of the line: what it is asked it answers, and it tells no more than there is room for. */
import { describe, expect, it } from "vitest"
import type { Extension, ExtensionContext } from "../../src/extension/Extension.ts"
import type { AskedName, FromExtension, ToExtension } from "../../src/extension/ExtensionPort.ts"
import { serveExtension } from "../../src/extension/ServeExtension.ts"

/** A line, and who is at its other end. */
const lineTo = (load: () => unknown) => {
  const said: Array<FromExtension> = []
  let hear: (message: ToExtension) => void = () => undefined
  serveExtension(
    {
      send: (message) => void said.push(message),
      listen: (hears) => {
        hear = hears
      }
    },
    load
  )
  let last = 0
  const ask = async (name: AskedName, value: unknown = null): Promise<unknown> => {
    const id = ++last
    hear({ tag: "ask", id, name, value: JSON.stringify(value) })
    const answer = () => said.find((message) => message.tag === "answer" && message.id === id)
    await expect.poll(answer).toBeDefined()
    const found = answer()
    if (found?.tag !== "answer") throw new Error("It did not answer.")
    return found.ok ? JSON.parse(found.value) : found.value
  }
  return { said, ask, hear: (message: ToExtension) => hear(message) }
}

const loading = { config: { a: 1 }, maxTold: 2, maxAnswerCharacters: 150, maxWanted: 1 }

describe("serveExtension", () => {
  it.each([
    ["an object", { id: "x", name: "X" }],
    ["a function", () => ({ id: "x", name: "X" })],
    ["a module", { default: async () => ({ id: "x", name: "X" }) }]
  ])("loads %s", async (_, given) => {
    expect(await lineTo(() => given).ask("load", loading)).toMatchObject({ id: "x", name: "X", methods: [] })
  })

  it.each([
    ["what is no extension", 12, "neither an extension"],
    ["nothing", null, "neither an extension"]
  ])("does not load %s", async (_, given, words) => {
    expect(await lineTo(() => given).ask("load", loading)).toContain(words)
  })

  const started = async (more: Partial<Extension> = {}) => {
    let context: ExtensionContext | undefined
    const line = lineTo(() => ({
      id: "x",
      name: "X",
      start: (given: ExtensionContext) => {
        context = given
      },
      ...more
    }))
    await line.ask("load", loading)
    await line.ask("start")
    if (context === undefined) throw new Error("It was not started.")
    return { ...line, context }
  }

  it("tells so much and no more until there is room, and how much it dropped", async () => {
    const { context, hear, said } = await started()
    expect([1, 2, 3, 4].map((n) => context.emit("x.told", n))).toEqual([true, true, false, false])
    context.log.info("not this")
    hear({ tag: "room", count: 1 })
    expect(said.filter(({ tag }) => tag === "dropped")).toEqual([{ tag: "dropped", events: 2, lines: 1 }])
    expect(context.emit("x.told", 5)).toBe(true)
    expect(said.flatMap((message) => (message.tag === "emit" ? [message.value] : []))).toEqual(["1", "2", "5"])
  })

  it("asks for one thing at a time, as it was told, and has the answer", async () => {
    const { context, hear, said } = await started()
    const first = context.store.get("a")
    await expect(context.store.get("b")).rejects.toMatchObject({ code: "EXTENSION_BUSY" })
    const asked = said.find(({ tag }) => tag === "ask")
    if (asked?.tag !== "ask") throw new Error("It did not ask.")
    hear({ tag: "answer", id: asked.id, ok: true, value: '{"kept":1}' })
    expect(await first).toEqual({ kept: 1 })
    const second = context.interrupt("t")
    hear({ tag: "answer", id: asked.id + 1, ok: false, code: "EXTENSION_FAILED", value: "No." })
    await expect(second).rejects.toMatchObject({ code: "EXTENSION_FAILED", message: "No." })
  })

  it("calls the handlers of an event, each with a copy, until they are taken away", async () => {
    const { ask, context, said } = await started()
    const heard: Array<unknown> = []
    const end = context.on("*", (event) => void heard.push(event))
    const id = said.flatMap((message) => (message.tag === "on" ? [message.id] : []))[0]
    const event = { type: "session.x", payload: {} }
    await ask("event", { handlers: [id, 99], event })
    end()
    await ask("event", { handlers: [id], event })
    expect(heard).toEqual([event])
  })

  it("answers what is too long, or has no words, with words", async () => {
    const answers = ["x".repeat(200), () => undefined, undefined]
    const { ask } = await started({ handleMethod: () => answers.shift() })
    expect(await ask("method", { method: "x.a", params: {} })).toContain("202 characters")
    expect(await ask("method", { method: "x.a", params: {} })).toContain("no JSON")
    expect(await ask("method", { method: "x.a", params: {} })).toBeNull()
    expect(await ask("health")).toEqual({ ok: true })
  })
})
