/** How a runtime is, for people. */
import type { LinkStatus } from "@agentwire/bridge/link"
import { describe, expect, it } from "vitest"
import { sinceWords, statusText } from "../../src/tiers/StatusText.ts"

const status: LinkStatus = {
  runtime: {
    program: "agentwire 1.0.0",
    link: 1,
    pid: 10,
    startedAt: 0,
    memory: 200 * 1024 * 1024,
    agent: "Claude Code 2.1.325",
    cwd: "/work",
    draining: false
  },
  gateways: [],
  sessions: { open: 2, byStatus: { active: 1, idle: 1 }, questions: 1 }
}

describe("the status", () => {
  it("shows the runtime, what it does, and that there is no gateway", () => {
    expect(statusText("/data/link/runtime.sock", status, 125_000).split("\n")).toEqual([
      "  Runtime    agentwire 1.0.0, process 10, up 2 minutes, 200 MB",
      "  Agents     Claude Code 2.1.325 in /work",
      "  Link       /data/link/runtime.sock, version 1",
      "  Sessions   2 open (1 active, 1 idle)",
      "  Questions  1 waits for an answer",
      "  Gateways   none: start one with `agentwire gateway`"
    ])
  })

  it("shows each gateway, with its version where that is another, and that the runtime is ending", () => {
    const gateway = { program: "agentwire 0.9.0", link: 2, pid: 11, attachedAt: 0 }
    const report = { url: "http://127.0.0.1:3210", clients: 1, memory: 1024 * 1024, extensions: 2 }
    const text = statusText(
      "s",
      { ...status, runtime: { ...status.runtime, draining: true }, gateways: [gateway, { ...gateway, report }] },
      1000
    )
    expect(text).toMatch(/^The runtime is ending/)
    expect(text).toContain("agentwire 0.9.0, process 11, attached 1 second, version 2 of the link")
    expect(text).toContain("http://127.0.0.1:3210, 1 connection, 2 extensions, 1 MB")
  })

  it("says how long in one unit", () => {
    expect([0, 59_000, 60_000, 7_200_000, 200_000_000].map((now) => sinceWords(0, now))).toEqual([
      "0 seconds",
      "59 seconds",
      "1 minute",
      "2 hours",
      "2 days"
    ])
  })
})
