/**
 * Recording and replaying Codex, with the real program: a session through the recorder, the same client against a replay
 * of it, and the real program driven by the tape.
 */
import { spawn } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { schemaVersion } from "@agentwire/protocol/codex"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { agentwireCommand } from "../../packages/cli/test/AgentwireCommand.ts"
import { type CodexHome, type CodexSettings, makeCodexHome } from "../../packages/fixtures/src/codex/Home.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import { type ResponsesReply, startResponses } from "../../packages/fixtures/src/codex/Responses.ts"
import { command, says, text } from "../../packages/fixtures/src/codex/Scenario.ts"
import { type Talked, talk } from "./Client.ts"

const folder = mkdtempSync(join(tmpdir(), "agentwire-codex-tape-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const replies = (words: string): ReadonlyArray<ResponsesReply> => [
  says(command("touch made && echo hi")),
  says(text("All ", words))
]

/** Runs something in a fresh home, with a model that says these. */
const atHome = async <A>(
  said: string | ReadonlyArray<ResponsesReply>,
  run: (home: CodexHome, program: string) => Promise<A>,
  settings: CodexSettings = {}
): Promise<A> => {
  const { program } = await installCodex(schemaVersion)
  const model = await startResponses(typeof said === "string" ? replies(said) : said)
  const home = await makeCodexHome(model.url, settings)
  try {
    return await run(home, program)
  } finally {
    await model.close()
    await home.remove()
  }
}

const agentwire = async (
  args: ReadonlyArray<string>,
  { cwd, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {}
): Promise<{ readonly out: string; readonly err: string; readonly code: number | null }> => {
  const [program, ...before] = agentwireCommand
  const child = spawn(program, [...before, ...args], {
    cwd,
    env: env ?? process.env,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let [out, err] = ["", ""]
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    out += chunk
  })
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    err += chunk
  })
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => resolve({ out, err, code }))
  })
}

const record = (tape: string) =>
  atHome("done.", ({ cwd, env }, program) =>
    talk({ command: [...agentwireCommand, "record", "-o", tape, "--", program, "app-server"], cwd, env })
  )

const tapesIn = (path: string): ReadonlyArray<string> => readdirSync(path).map((name) => join(path, name))

const methods = ["initialize", "thread/start", "turn/start"]

describe("a session of the real codex app-server", () => {
  const tape = join(folder, "session.tape")
  let talked: Talked

  beforeAll(async () => {
    talked = await record(tape)
  }, 180_000)

  it("is recorded without anyone noticing, and the tape says whose it is", { timeout: 180_000 }, async () => {
    expect({ code: talked.code, answered: talked.answered }).toEqual({ code: 0, answered: methods })
    const [header = ""] = readFileSync(tape, "utf8").split("\n")
    expect(JSON.parse(header)).toMatchObject({
      runtime: { name: "codex", version: schemaVersion },
      argv: ["app-server"]
    })
    const { code, out } = await agentwire(["decode", "--from", "both", "--json", tape])
    expect(code).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ unknown: [], invalid: [], drift: [] })
  })

  it("is replayed to the same client, whatever it calls its requests", { timeout: 180_000 }, async () => {
    for (const idOf of [(count: number) => `request ${count}`, (count: number) => count - 1]) {
      const command = [...agentwireCommand, "replay", tape, "--", "app-server"] as const
      const talked = await talk({ command, cwd: folder, env: process.env, idOf })
      expect({ code: talked.code, answered: talked.answered }).toEqual({ code: 0, answered: methods })
      expect(talked.heard.at(-1)).toMatchObject({ method: "turn/completed" })
    }
  })

  it("is refused to a client that says something else, with words", { timeout: 180_000 }, async () => {
    const command = [...agentwireCommand, "replay", "--match", "strict", tape, "--", "app-server"] as const
    const { code, stderr } = await talk({ command, cwd: folder, env: process.env, prompt: "Something else" })
    expect(code).toBe(2)
    expect(stderr).toContain("the host sent a line that the tape does not expect")
  })

  it("drives the real program again, which says the same, or what differs", { timeout: 240_000 }, async () => {
    const drive = (words: string) =>
      atHome(words, ({ cwd, env }, program) =>
        agentwire(["replay", tape, "--as", "host", "--json", "--", program, "app-server"], { cwd, env })
      )
    const same = await drive("done.")
    expect(JSON.parse(same.out)).toEqual({ same: true, differences: [], unknown: [], killed: false })
    expect(same.code).toBe(0)
    const other = await drive("different.")
    expect(other.code).toBe(1)
    const { differences } = JSON.parse(other.out) as { readonly differences: ReadonlyArray<{ readonly name: string }> }
    expect(differences.map(({ name }) => name)).toEqual([
      "agent stdout item/agentMessage/delta",
      "agent stdout item/completed",
      "agent stdout turn/completed"
    ])
  })

  it("is the same as another recording of it, by tape diff", { timeout: 180_000 }, async () => {
    const second = join(folder, "second.tape")
    await record(second)
    const { code, out } = await agentwire(["tape", "diff", tape, second])
    expect({ code, out }).toEqual({ code: 0, out: `${tape} and ${second} say the same\n` })
  })
})

/** Secrets of a person with a subscription and with keys: where each is, and where it shows on the wire. */
const secrets = {
  /** In `config.toml`: of a provider, of an MCP server at an address, of one that is started. */
  bearer: "plain-bearer-4f1e9a7c52",
  header: "plain-header-8d20b6e713",
  variable: "plain-variable-c95a03fe61",
  /** In `auth.json`. */
  apiKey: "sk-proj-Zk3mQ8vT1xW6yB9nC2dF5gH7jL0pR4sU",
  accessToken: "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJ1c2VyLTEifQ.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg",
  refreshToken: "rt_5v8y-B-E_H-MbQeThWmZq4t7w-z",
  /** In the environment, where the provider has it from. */
  key: "plain-key-71d3e80b4c"
}

describe("what a person keeps in the home of Codex", () => {
  it("is on no tape, whether the client asks for it or the model reads it", { timeout: 180_000 }, async () => {
    const tape = join(folder, "secrets.tape")
    const tables = [
      "[model_providers.other]",
      'name = "other"',
      'base_url = "http://127.0.0.1:9/v1"',
      `experimental_bearer_token = "${secrets.bearer}"`,
      "[mcp_servers.far]",
      'url = "http://127.0.0.1:9/mcp"',
      "enabled = false",
      `http_headers = { "X-Api-Key" = "${secrets.header}" }`,
      "[mcp_servers.near]",
      'command = "false"',
      "enabled = false",
      `env = { NEAR_TOKEN = "${secrets.variable}" }`
    ]
    const auth = {
      OPENAI_API_KEY: secrets.apiKey,
      tokens: {
        id_token: secrets.accessToken,
        access_token: secrets.accessToken,
        refresh_token: secrets.refreshToken,
        account_id: "3f0c9d1e-7a42-4b58-9e6f-d81c27a5b043"
      }
    }
    const reading = "cat $HOME/codex/config.toml $HOME/codex/auth.json; echo Authorization: Bearer $SCRIPTED_KEY"
    await atHome(
      [says(command(reading)), says(text("Read."))],
      async ({ cwd, env, folder: home }, program) => {
        writeFileSync(join(home, "codex", "auth.json"), JSON.stringify(auth))
        const heard = await talk({
          command: [...agentwireCommand, "record", "-o", tape, "--", program, "app-server"],
          cwd,
          env: { ...env, SCRIPTED_KEY: secrets.key },
          questions: [["config/read", { includeLayers: true }]]
        })
        // All of it was said, and nothing of it was kept.
        const said = JSON.stringify(heard.heard)
        const recorded = readFileSync(tape, "utf8")
        const found = Object.entries(secrets).map(([name, secret]) => [
          name,
          said.includes(secret),
          recorded.includes(secret)
        ])
        expect(found).toEqual(Object.keys(secrets).map((name) => [name, true, false]))
        expect(recorded).toContain("REDACTED_")
      },
      { tables }
    )
  })
})

describe("codex exec --json", () => {
  it("is recorded by a shim called codex, decoded and replayed", { timeout: 180_000 }, async () => {
    await atHome("done.", async ({ cwd, env }, program) => {
      const [bin, tapes] = [join(folder, "bin"), join(folder, "exec")]
      const shim = await agentwire(["record", "--shim", bin, "-o", tapes, "--", program])
      expect(shim.out.trim()).toBe(join(bin, "codex"))
      const run = (path: string, args: ReadonlyArray<string>) =>
        new Promise<string>((resolve, reject) => {
          const child = spawn(path, args, { cwd, env: { ...env }, stdio: ["ignore", "pipe", "ignore"] })
          let out = ""
          child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
            out += chunk
          })
          child.once("error", reject)
          child.once("close", () => resolve(out))
        })
      const said = await run(shim.out.trim(), ["exec", "--json", "--skip-git-repo-check", "Go"])
      expect(said).toContain('"type":"turn.completed"')
      const { code, out } = await agentwire(["decode", "--json", ...tapesIn(tapes)])
      expect({ code, ...JSON.parse(out) }).toMatchObject({ code: 0, unknown: [], invalid: [], drift: [] })
      const replayed = await agentwire(["replay", ...tapesIn(tapes), "--", "exec", "--json", "Go"])
      expect({ code: replayed.code, out: replayed.out }).toEqual({ code: 0, out: said })
    })
  })
})

describe("the real Codex", () => {
  it("is compared with its tapes by drift: nothing is new, on either wire", { timeout: 180_000 }, async () => {
    const { program } = await installCodex(schemaVersion)
    const { code, out } = await agentwire(["drift", "--json", "--cli", program, "hello", "exec_text"])
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      code: 0,
      version: schemaVersion,
      library: schemaVersion,
      scenarios: 2,
      ...{ unknown: [], invalid: [], drift: [], new: [], gone: [], problems: [] }
    })
  })
})
