import * as Schema from "effect/Schema"
import { expect, it } from "vitest"
import { promptInput, requests, threadStart, turnInterrupt, turnStart, turnSteer } from "../../../src/codex/index.ts"

const said = [
  { id: "1", content: "Look:" },
  {
    id: "2",
    content: [
      { type: "image", source: { type: "data", value: "AAAA", mimeType: "image/png" } },
      { type: "image", source: { type: "url", value: "https://example.org/a.png" } },
      { type: "text", text: "  " },
      { type: "video", source: { type: "url", value: "https://example.org/a.mp4", mimeType: "video/mp4" } },
      { type: "image", source: { type: "file", value: "f" } }
    ]
  }
] as const

it("a prompt is its words and images in order; what cannot be read is named", () => {
  expect(promptInput({ said, aside: "Be brief." })).toEqual([
    { type: "text", text: "Be brief.", text_elements: [] },
    { type: "text", text: "Look:", text_elements: [] },
    { type: "image", url: "data:image/png;base64,AAAA" },
    { type: "image", url: "https://example.org/a.png" },
    {
      type: "text",
      text: "[A video (video/mp4) was left out: only text, images and recordings can be read.]",
      text_elements: []
    },
    {
      type: "text",
      text: "[An image was left out: only text, images and recordings can be read.]",
      text_elements: []
    }
  ])
})

it("the params of requests fit their schemas", () => {
  const tools = [{ name: "weather", description: "The weather." }]
  const cases = [
    ["turn/start", turnStart("t", { said }, "p")],
    ["turn/steer", turnSteer("t", "u", { said })],
    ["turn/interrupt", turnInterrupt("t", "u")],
    ["thread/start", threadStart({ cwd: "/work", approvalPolicy: "untrusted" }, tools)]
  ] as const
  for (const [method, params] of cases)
    expect(Schema.is(requests[method].params as Schema.Top)(params), method).toBe(true)
  expect(turnStart("t", { said: [] }, "p")).toMatchObject({ clientUserMessageId: "p" })
  expect(threadStart({}, [])).toEqual({})
})
