import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { findTape } from "@agentwire/fixtures"
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { connect, knock } from "../../../bridge/test/face/gateway/PlainClient.ts"
import { main } from "../../src/main.ts"
import { plain } from "../../src/Paint.ts"
import { tokenVariable } from "../../src/serve/OptionWords.ts"
import { run } from "../run.ts"

const folder = realpathSync(mkdtempSync(join(tmpdir(), "agentwire-serve-")))
const fileOf = (scenario: string): string => findTape({ scenario, version: "2.1.325" })?.file ?? ""
const tape = fileOf("plain_text")
afterAll(() => rmSync(folder, { recursive: true, force: true }))

// What a developer has set must not decide what is tested.
beforeEach(() => {
  vi.stubEnv(tokenVariable, undefined)
  vi.stubEnv("CLAUDE_PATH", undefined)
})
afterEach(() => void vi.unstubAllEnvs())

interface Serving {
  readonly url: string
  readonly out: string
  readonly log: () => ReadonlyArray<Readonly<Record<string, unknown>>>
  readonly err: () => string
}

/** Runs the command until `use` is done, ends it with Ctrl-C, and gives its exit code. */
const serving = async (
  args: ReadonlyArray<string>,
  use: (serving: Serving) => Promise<void>,
  signal: "SIGINT" | "SIGTERM" = "SIGINT"
): Promise<number> => {
  let err = ""
  let greet: (text: string) => void = () => undefined
  const greeted = new Promise<string>((resolve) => {
    greet = resolve
  })
  const exit = main(["serve", "--port", "0", "--cwd", folder, "--no-data", ...args], {
    stdin: Readable.from([]),
    out: async (text) => greet(text),
    err: (text) => {
      err += `${text}\n`
    },
    progress: () => {},
    paint: plain
  })
  const out = await Promise.race([
    greeted,
    exit.then((code) => {
      throw new Error(`it ended with ${code}: ${err}`)
    })
  ])
  const url = /Listens at +(\S+)|"url":"([^"]+)/.exec(out)?.slice(1).find(Boolean) ?? ""
  const log = () => err.split("\n").flatMap((line) => (line.startsWith("{") ? [JSON.parse(line)] : []))
  await use({ url, out, log, err: () => err }).finally(() => process.emit(signal))
  return exit
}

const tokenIn = (out: string): string => /Token +(\S+)/.exec(out)?.[1] ?? ""

const prompt = "a prompt that is nobody's business"

const post = (url: string, token?: string, runId = "run-1", threadId = "thread-1") =>
  fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({
      threadId,
      runId,
      protocolVersion: "1.0",
      messages: [{ id: "u", role: "user", content: prompt }],
      tools: [],
      context: [],
      state: {}
    })
  })

const typesIn = (sse: string): ReadonlyArray<unknown> =>
  [...sse.matchAll(/^data: (.*)$/gm)].map(([, data]) => (JSON.parse(data ?? "{}") as { readonly type: unknown }).type)

describe("agentwire serve", () => {
  it("serves a tape to whoever has the token, until Ctrl-C", async () => {
    const code = await serving(["--replay", tape], async ({ log, out, url }) => {
      const token = tokenIn(out)
      expect(Buffer.from(token, "base64url")).toHaveLength(32)
      expect(out).toContain(`runtimeUrl="${url}" headers={{ Authorization: "Bearer ${token}" }}`)
      const refused = await post(url)
      expect(refused.status).toBe(401)
      const types = typesIn(await (await post(url, token)).text())
      expect(types[0]).toBe("RUN_STARTED")
      expect(types).toContain("TEXT_MESSAGE_CONTENT")
      expect(types.at(-1)).toBe("RUN_FINISHED")
      await expect.poll(() => log().map(({ event }) => event)).toContain("run ended")
    })
    expect(code).toBe(0)
  })

  it("has a gateway for whoever has the token", async () => {
    await serving(["--replay", tape], async ({ out, url }) => {
      expect(out).toContain(`Gateway     ${url.replace("http", "ws")}/ws`)
      expect(await knock(url)).toBe(401)
      const client = await connect(url, tokenIn(out))
      await client.ask("subscribe", { events: ["session.*"] })
      await client.turn(prompt)
      expect(client.events().map(({ event }) => event)).toContain("session.content_block_delta")
      client.close()
    })
  })

  it("gives every run of it another token", async () => {
    const tokens: Array<string> = []
    const note = async ({ out }: Serving) => void tokens.push(tokenIn(out))
    await serving(["--replay", tape], note)
    await serving(["--replay", tape], note)
    expect(new Set(tokens).size).toBe(2)
  })

  it("logs sessions, agents, runs and refusals as JSON, and nothing that was said", async () => {
    let all = ""
    let token = ""
    const code = await serving(
      ["--replay", tape],
      async ({ err, log, out, url }) => {
        token = tokenIn(out)
        await (await post(url, `${token}x`)).text()
        await (await post(url, token)).text()
        await expect.poll(() => log().some(({ event }) => event === "run ended")).toBe(true)
        all = err()
        expect(log()).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ event: "listening", level: "info", url }),
            expect.objectContaining({ level: "warn", code: "UNAUTHORIZED", status: 401 }),
            expect.objectContaining({ event: "session started", thread: "thread-1" }),
            expect.objectContaining({ event: "agent started", transport: "replay", version: "2.1.325" }),
            expect.objectContaining({ event: "run started", thread: "thread-1", run: "run-1" }),
            expect.objectContaining({ event: "run ended", thread: "thread-1", run: "run-1", outcome: "success" })
          ])
        )
      },
      "SIGTERM"
    )
    expect(code).toBe(0)
    expect(all).not.toContain(token)
    expect(all).not.toContain(prompt)
  })

  it("logs only what is as bad as --log-level", async () => {
    let log: Serving["log"] = () => []
    await serving(["--replay", tape, "--log-level", "warn"], async (serving) => {
      log = serving.log
      await (await post(serving.url, tokenIn(serving.out))).text()
      await (await post(serving.url, "wrong")).text()
    })
    expect(log().map(({ event }) => event)).toEqual(["request refused"])
  })

  it("sends a span of each run to the collector of --otlp, and says once that there is none", async () => {
    const bodies: Array<string> = []
    const collector = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk) => {
        body += chunk
      })
      request.on("end", () => {
        bodies.push(body)
        response.end("{}")
      })
    })
    await new Promise<void>((resolve) => collector.listen(0, "127.0.0.1", resolve))
    const url = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`
    const runOnce = async ({ out, url }: Serving) => void (await (await post(url, tokenIn(out))).text())
    expect(await serving(["--replay", tape, "--otlp", url], runOnce)).toBe(0)
    collector.close()
    collector.closeAllConnections()
    const spans = bodies.flatMap((body) =>
      (
        JSON.parse(body) as { resourceSpans: Array<{ scopeSpans: Array<{ spans: Array<{ name: string }> }> }> }
      ).resourceSpans
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
    )
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["agentwire.run", "agentwire.agent.start"]))
    expect(bodies.join("")).not.toContain(prompt)

    let log: Serving["log"] = () => []
    const code = await serving(["--replay", tape, "--otlp", url], async (serving) => {
      log = serving.log
      await runOnce(serving)
    })
    expect(code).toBe(0)
    expect(log().filter(({ event }) => event === "collector not reached")).toHaveLength(1)
  })

  it("says that sessions and what is open end with it", async () => {
    let log: Serving["log"] = () => []
    const waits = fileOf("tool_approved")
    await serving(["--replay", waits, "--approvals", "event"], async (serving) => {
      log = serving.log
      const answer = await post(serving.url, tokenIn(serving.out))
      const reader = answer.body?.getReader()
      await reader?.read()
      await expect.poll(() => log().some(({ event }) => event === "run started")).toBe(true)
    })
    const events = log().map(({ event }) => event)
    expect(events.slice(events.indexOf("stopping"))).toEqual(expect.arrayContaining(["session ended", "stopped"]))
  })

  it.each([
    ["--token", (token: string) => ["--token", token]],
    [
      tokenVariable,
      (token: string) => {
        vi.stubEnv(tokenVariable, token)
        return []
      }
    ]
  ])("takes a token from %s, and does not print it", async (_, give) => {
    const token = "a-token-of-my-own-0123456789"
    await serving(["--replay", tape, ...give(token)], async ({ err, out, url }) => {
      expect(out + err()).not.toContain(token)
      expect(out).toContain("Bearer YOUR_TOKEN")
      expect((await post(url, token)).status).toBe(200)
    })
  })

  it("says loudly that --no-auth lets in everybody, and does", async () => {
    await serving(["--replay", tape, "--no-auth"], async ({ out, url }) => {
      expect(out).toContain("WARNING: --no-auth")
      expect(out).not.toContain("Bearer")
      expect((await post(url)).status).toBe(200)
    })
  })

  it("tells a program where it listens and how to come in, in one line", async () => {
    await serving(["--replay", tape, "--json", "--base-path", "kit"], async ({ out, url }) => {
      const { token, ...rest } = JSON.parse(out)
      expect((await post(url, token)).status).toBe(200)
      expect(rest).toEqual({
        url,
        copilotkit: `${url}/kit`,
        page: null,
        auth: true,
        agent: expect.stringContaining("tape"),
        cwd: folder,
        origins: []
      })
    })
  })

  it("lets in the pages of an allowed origin, and no others", async () => {
    await serving(["--replay", tape, "--no-auth", "--origin", "http://localhost:3000"], async ({ url }) => {
      const ask = (origin: string) => fetch(`${url}/info`, { headers: { origin } }).then(({ status }) => status)
      expect(await ask("http://localhost:3000")).toBe(200)
      expect(await ask("http://localhost:3001")).toBe(403)
    })
  })

  it("gives each thread the next tape of a folder", async () => {
    const tapes = join(folder, "tapes")
    mkdirSync(tapes)
    const copy = (name: string, scenario: string) => writeFileSync(join(tapes, name), readFileSync(fileOf(scenario)))
    copy("1.tape.gz", "plain_text")
    copy("2.tape.gz", "api_400")
    await serving(["--replay", tapes, "--no-auth"], async ({ out, url }) => {
      expect(out).toContain(`2 tapes of ${tapes}`)
      const first = await (await post(url, undefined, "r", "a")).text()
      const second = await (await post(url, undefined, "r", "b")).text()
      expect(typesIn(first).at(-1)).toBe("RUN_FINISHED")
      expect(typesIn(second).at(-1)).toBe("RUN_ERROR")
    })
  })
})

describe("agentwire serve says what is wrong", () => {
  const fails = async (...args: ReadonlyArray<string>) => {
    const { code, err, out } = await run(["serve", "--no-data", ...args])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).not.toContain("    at ")
    return err
  }

  it("when the port is taken", async () => {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const err = await fails("--replay", tape, "--port", String(port))
    server.close()
    expect(err).toContain(`port ${port}`)
    expect(err).toContain("--port 0")
  })

  it("when there is no CLI", async () => {
    vi.stubEnv("PATH", folder)
    expect(await fails()).toMatch(/no claude in the PATH.*--cli PATH/)
    expect(await fails("--cli", join(folder, "nowhere"))).toContain(join(folder, "nowhere"))
  })

  it("when the folder is none, or is not under a root", async () => {
    expect(await fails("--replay", tape, "--cwd", join(folder, "missing"))).toContain("does not exist")
    const inside = join(folder, "inside")
    mkdirSync(inside)
    symlinkSync(tmpdir(), join(inside, "out"))
    for (const cwd of [folder, join(inside, "..", ".."), join(inside, "out")])
      expect(await fails("--replay", tape, "--root", inside, "--cwd", cwd)).toMatch(/not under.*--root/)
  })

  it("when a tape is none", async () => {
    expect(await fails("--replay", join(folder, "nowhere"))).toContain("nowhere")
    const file = join(folder, "no.tape")
    writeFileSync(file, "hello\n")
    expect(await fails("--replay", file)).toContain("is not a tape")
  })

  it("when threads cannot be kept where they are to be", async () => {
    const file = join(folder, "a file")
    writeFileSync(file, "")
    const args = ["serve", "--replay", tape, "--cwd", folder, "--port", "0", "--data", join(file, "data")]
    const { code, err } = await run(args)
    expect(code).toBe(2)
    expect(err).toMatch(/--data DIR.*--no-data/)
  })

  it("when there would be no lock on an open door", async () => {
    expect(await fails("--replay", tape, "--no-auth", "--host", "0.0.0.0")).toContain(
      "--no-auth works on loopback only"
    )
    expect(await fails("--replay", tape, "--token", "short")).toContain("at least 16 characters")
    expect(await fails("--replay", tape, "--origin", "*")).toContain('"*" is not an origin')
  })

  it.each([
    [["--port", "x"], '--port takes a whole number from 0 to 65535, not "x".'],
    [["--approvals", "yes"], '--approvals takes deny, interrupt or event, not "yes".'],
    [["--busy", "wait"], "--busy takes"],
    [["--transport", "pigeon"], "--transport takes"],
    [["--max-turns", "0"], "--max-turns takes"],
    [["--speed", "2"], "--speed goes with --replay and --demo."],
    [["--replay", "x", "--speed", "-1"], "--speed"],
    [["--replay", "x", "--cli", "claude"], "--cli is for a live CLI"],
    [["--replay", "x", "--record", "y"], "--record is for a live CLI"],
    [["--no-auth", "--token", "t"], "Either --token or --no-auth"],
    [["--data", "x"], "Either --data or --no-data"],
    [["--index", "x"], "--import x"],
    [["--no-index"], "--no-index is --no-data now"],
    [["--cwd="], "--cwd is empty."],
    [["hello"], 'serve takes no "hello".'],
    [["--demo", "--port", "0", "--policy", "x"], "Cannot read the policy"],
    [["--otlp", "localhost"], '--otlp takes an address such as http://127.0.0.1:4318, not "localhost"'],
    [["--log-level", "loud"], '--log-level takes debug, info, warn or error, not "loud"']
  ])("of %j", async (args, message) => {
    expect(await fails(...args)).toContain(message)
  })
})
