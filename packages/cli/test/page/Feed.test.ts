import { afterEach, describe, expect, it, vi } from "vitest"
import { eventOf, type Feed, type FeedState, openFeed } from "../../page/Feed.ts"
import { makeServer } from "../../page/Server.ts"
import { rowsOf } from "../../page/WireRows.ts"

describe("events of the stream", () => {
  const place = { seq: 3, part: 0 }
  const event = { type: "CUSTOM", event: { type: "nested" } }

  it.each([
    [
      { event, line: 0 },
      { ...place, event, line: 0 }
    ],
    [{ event }, { ...place, event, line: undefined }],
    [{ type: "CUSTOM", line: 0 }, undefined],
    [{ event: "CUSTOM" }, undefined],
    [[event], undefined]
  ])("say which line they came from: %j", (data, expected) => {
    expect(eventOf(place, data)).toEqual(expected)
  })
})

/** A stream that says this and stays open until it is left. */
const streamOf = (entries: ReadonlyArray<unknown>, signal: AbortSignal): Response =>
  new Response(
    new ReadableStream({
      start: (stream) => {
        const text = entries.map((entry, seq) => `id: ${seq}-a\ndata: ${JSON.stringify(entry)}\n\n`).join("")
        stream.enqueue(new TextEncoder().encode(text))
        signal.addEventListener("abort", () => stream.close())
      }
    })
  )

/** What a feed has once it has this much. */
const until = (feed: Feed, holds: (state: FeedState) => boolean): Promise<FeedState> =>
  new Promise((resolve) => {
    const unsubscribe = feed.subscribe(() => {
      if (!holds(feed.state())) return
      unsubscribe()
      resolve(feed.state())
    })
  })

describe("a feed", () => {
  afterEach(() => void vi.unstubAllGlobals())

  it("asks which lines events came from, and a question stands beside its request", async () => {
    const asked: Array<string> = []
    const answers: Readonly<Record<string, ReadonlyArray<unknown>>> = {
      "/api/sessions/t/events?from=0&lines=true": [
        { event: { type: "RUN_STARTED" } },
        { event: { type: "TOOL_CALL_END" }, line: 1 },
        { event: { type: "CUSTOM" }, line: 0 }
      ],
      "/api/sessions/t/wire?from=0": [
        { seq: 0, at: 0, from: "agent", line: '{"type":"control_request"}', events: 1 },
        { seq: 1, at: 0, from: "agent", line: '{"type":"assistant"}', events: 1 }
      ]
    }
    vi.stubGlobal("fetch", async (path: string, { signal }: { readonly signal: AbortSignal }) => {
      asked.push(path)
      return streamOf(answers[path] ?? [], signal)
    })
    const feed = openFeed(makeServer({ basePath: "", agents: [] }, undefined), "t")
    const { events, lines } = await until(feed, ({ events, lines }) => events.length + lines.length === 5)
    feed.close()
    expect(asked.toSorted()).toEqual(Object.keys(answers))
    expect(rowsOf(lines, events).map(({ events, kind }) => [kind, events.map(({ event }) => event.type)])).toEqual([
      ["", ["RUN_STARTED"]],
      ["control_request", ["CUSTOM"]],
      ["assistant", ["TOOL_CALL_END"]]
    ])
  })
})
