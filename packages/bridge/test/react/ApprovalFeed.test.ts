/** The questions of a thread as a page sees them, of a real bridge with an agent that asks. */
import * as Effect from "effect/Effect"
import { describe, expect, it, onTestFinished } from "vitest"
import { makeClient } from "../../src/client/Client.ts"
import { Bridge } from "../../src/embed/Bridge.ts"
import { ApprovalFeed, type ApprovalState } from "../../src/react/ApprovalFeed.ts"
import { ask, init, isPrompt, result, text, toolUse } from "../AgentLines.ts"
import { type Behaviour, fakeAgents } from "../FakeAgent.ts"

/** An agent that asks before it uses a tool, and says what it was answered. */
const careful: Behaviour = (message, say) => {
  if (isPrompt(message))
    return say(init(), toolUse("toolu_1", "Bash", { command: "ls" }), ask("q1", "Bash", "toolu_1", { command: "ls" }))
  const { response } = message as { response?: { response?: unknown } }
  return message["type"] === "control_response"
    ? say(text(JSON.stringify(response?.response)), result({ result: JSON.stringify(response?.response) }))
    : Effect.void
}

const served = async () => {
  const bridge = new Bridge({ agent: fakeAgents(careful).layer, cwd: "/", port: 0, approvals: "event" })
  onTestFinished(() => bridge.stop())
  const { url } = await bridge.start()
  return { bridge, url }
}

/** Waits until a feed is as wanted. */
const when = (feed: ApprovalFeed, isIt: (state: ApprovalState) => boolean): Promise<ApprovalState> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (!isIt(feed.value())) return
      resolve(feed.value())
      queueMicrotask(() => off())
    }
    const off = feed.subscribe(look)
    look()
  })

const fed = ({ bridge, url }: { bridge: Bridge; url: string }, threadId: string, fetch = globalThis.fetch) => {
  const feed = new ApprovalFeed(makeClient({ url, token: bridge.token ?? "", fetch }), threadId)
  // Keeps it watching from one wait to the next.
  onTestFinished(feed.subscribe(() => undefined))
  return feed
}

describe("the questions of a thread", () => {
  it("come when they are asked and go when they are answered, here or elsewhere", async () => {
    const place = await served()
    const { bridge } = place
    for (const [threadId, answer] of [
      ["here", () => feed("here").answer("q1", { behavior: "allow" })],
      ["elsewhere", () => bridge.deny("elsewhere", "q1")]
    ] as const) {
      await bridge.createSession({ threadId })
      await when(feed(threadId), ({ live }) => live)
      const run = await bridge.sendMessage(threadId, "Go")
      const { approvals } = await when(feed(threadId), (state) => state.approvals.length > 0)
      expect(approvals).toMatchObject([{ requestId: "q1", toolName: "Bash", input: { command: "ls" } }])
      await answer()
      await when(feed(threadId), (state) => state.approvals.length === 0)
      expect((await run.result).text).toContain(threadId === "here" ? "allow" : "deny")
    }
    function feed(threadId: string): ApprovalFeed {
      const found = feeds.get(threadId) ?? fed(place, threadId)
      feeds.set(threadId, found)
      return found
    }
  })
  const feeds = new Map<string, ApprovalFeed>()

  it("that were asked before anybody looked are there, and a thread may begin later", async () => {
    const place = await served()
    const feed = fed(place, "later")
    await when(feed, ({ approvals }) => approvals.length === 0)
    await place.bridge.createSession({ threadId: "later" })
    const asked = new Promise((resolve) => place.bridge.on("approval", resolve))
    await place.bridge.sendMessage("later", "Go")
    await asked
    await when(feed, ({ approvals, live }) => live && approvals.length === 1)
    expect((await when(fed(place, "later"), ({ live }) => live)).approvals).toHaveLength(1)
  })

  it("leave the list before the server has answered, and come back with the error when it refuses", async () => {
    const place = await served()
    await place.bridge.createSession({ threadId: "t" })
    let refusing = true
    const fetch = ((url: string, options: RequestInit) =>
      options.method === "POST" && refusing
        ? Promise.reject(new TypeError("no way"))
        : globalThis.fetch(url, options)) as typeof globalThis.fetch
    const feed = fed(place, "t", fetch)
    const run = await place.bridge.sendMessage("t", "Go")
    await when(feed, ({ approvals }) => approvals.length === 1)
    const answering = feed.answer("q1", { behavior: "allow" })
    expect(feed.value().approvals).toEqual([])
    expect(await answering).toBe(false)
    expect(feed.value().approvals).toMatchObject([{ requestId: "q1", error: { code: "UNREACHABLE" } }])
    refusing = false
    expect(await feed.answer("q1", { behavior: "allow", updatedInput: { command: "pwd" } })).toBe(true)
    expect(feed.value().approvals).toEqual([])
    expect((await run.result).text).toContain("pwd")
    // Too late is no error: the question is gone.
    expect(await feed.answer("q1", { behavior: "allow" })).toBe(false)
    expect(feed.value().approvals).toEqual([])
  })

  it("are not to be had with a wrong token, and it is not asked again", async () => {
    const { url } = await served()
    let asked = 0
    const fetch = ((...args: Parameters<typeof globalThis.fetch>) => {
      asked++
      return globalThis.fetch(...args)
    }) as typeof globalThis.fetch
    const feed = new ApprovalFeed(makeClient({ url, token: "another-token-altogether", fetch }), "t")
    expect((await when(feed, ({ error }) => error !== undefined)).error).toMatchObject({ code: "UNAUTHORIZED" })
    expect(asked).toBe(1)
  })
})
