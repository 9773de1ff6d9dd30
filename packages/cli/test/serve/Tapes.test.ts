import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Tape } from "@agentwire/protocol"
import { afterAll, describe, expect, it } from "vitest"
import { bridgeTapes } from "../../src/serve/Tapes.ts"

const root = mkdtempSync(join(tmpdir(), "agentwire-tapes-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const redaction = { off: false, patterns: [/my-own-token/gu], variables: [] }
const argv = ["/bin/claude", "--print"]

const tapesIn = (folder: string) =>
  readdirSync(folder)
    .sort()
    .map((name) => Tape.parseTape(readFileSync(join(folder, name))))

describe("the tapes of a bridge", () => {
  it("are one for each process, in the order of their starts, with all its bytes and its end", async () => {
    const folder = join(root, "several")
    const tapes = bridgeTapes({ folder, redaction, onStop: expect.unreachable })
    const stdio = tapes.tap({ version: "2.1.325", transport: "stdio", argv })
    const ws = tapes.tap({ version: "2.1.37", transport: "ws", argv })
    const line = Buffer.from('{"type":"keep_alive"}\n')
    stdio.data("host", "stdin", line.subarray(0, 5))
    stdio.data("host", "stdin", line.subarray(5))
    stdio.data("agent", "stderr", Buffer.from("my-own-token is wrong\n"))
    ws.data("agent", "ws", line)
    stdio.exit({ code: 1, signal: null, stderr: "" })
    // The other one still runs when the bridge ends.
    expect(await tapes.end()).toEqual({ stuck: false })
    const [first, second, ...others] = tapesIn(folder)
    expect(others).toEqual([])
    expect([first?.wrong, second?.wrong]).toEqual([[], []])
    expect(first?.tape?.header).toMatchObject({
      transport: "stdio",
      argv: ["--print"],
      runtime: { name: "claude-code", version: "2.1.325" }
    })
    expect(first?.tape?.frames).toMatchObject([
      { from: "host", channel: "stdin", data: '{"type":"keep_alive"}\n' },
      { from: "agent", channel: "stderr", data: expect.stringMatching(/^REDACTED_\S+ is wrong\n$/) },
      { _tag: "Exit", code: 1 }
    ])
    expect(second?.tape?.header).toMatchObject({ transport: "ws" })
    expect(second?.tape?.frames).toMatchObject([{ from: "agent", channel: "ws", data: line.toString() }])
  })

  it("that cannot be written are told of, and stop nothing", async () => {
    const folder = join(root, "gone")
    const told: Array<string> = []
    const tapes = bridgeTapes({ folder, redaction, onStop: (message) => told.push(message) })
    rmSync(folder, { recursive: true })
    writeFileSync(folder, "")
    const tap = tapes.tap({ version: "2.1.325", transport: "stdio", argv })
    tap.data("host", "stdin", Buffer.from("x\n"))
    tap.exit({ code: 0, signal: null, stderr: "" })
    expect(await tapes.end()).toEqual({ stuck: false })
    expect(told).toEqual([expect.stringContaining("is cut here")])
  })

  it("need a folder, which is said at once", () => {
    const file = join(root, "file")
    writeFileSync(file, "")
    expect(() => bridgeTapes({ folder: join(file, "no"), redaction, onStop: expect.unreachable })).toThrow(
      /^Tapes cannot be kept in /
    )
  })
})
