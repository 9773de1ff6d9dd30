/** The official Agent SDK cannot tell a replay from the real CLI: it yields the same messages. */
import { execFile } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { readTapeFile, scenarios, startModel, Variables } from "@agentwire/fixtures"
import { Tape } from "@agentwire/protocol"
import { type CanUseTool, query, type SDKMessage, type SDKUserMessage } from "@anthropic-ai/claude-agent-sdk"
import { afterAll, describe, expect, it } from "vitest"
import { agentwireArgs } from "../packages/cli/test/AgentwireCommand.ts"
import { firstOf } from "../packages/fixtures/test/Sweep.ts"

const root = mkdtempSync(join(tmpdir(), "agentwire-sdk-"))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }))

const require = createRequire(import.meta.url)

/** Runs `agentwire`. */
const agentwire = async (...args: ReadonlyArray<string>): Promise<string> =>
  (await promisify(execFile)(process.execPath, [...agentwireArgs, ...args])).stdout.trim()

const realCli = (): string => {
  const file = process.platform === "win32" ? "claude.exe" : "claude"
  return require.resolve(`@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/${file}`)
}

interface Program {
  readonly prompt: string
  readonly canUseTool?: CanUseTool
  /** Interrupts at the first piece of text. */
  readonly interrupts?: boolean
}

const allow: CanUseTool = async (_, input) => ({ behavior: "allow", updatedInput: input })
const deny: CanUseTool = async () => ({ behavior: "deny", message: "Not today." })

const programs: Readonly<Record<string, Program>> = {
  plain_text: { prompt: "Hi" },
  tool_approved: { prompt: "Say hi.", canUseTool: allow },
  tool_denied: { prompt: "Go.", canUseTool: deny },
  subagent_foreground: { prompt: "Go.", canUseTool: allow },
  interrupt_midstream: { prompt: "Go.", interrupts: true }
}

/** What the SDK yielded, and threw: it throws when the session ends in an error, as after an interrupt. */
interface Ran {
  readonly messages: ReadonlyArray<SDKMessage>
  readonly thrown: string | undefined
  readonly stderr: string
}

/** Runs a program of the SDK against an executable, and gives what the SDK yields. */
const runSdk = async (
  { canUseTool, interrupts = false, prompt }: Program,
  executable: string,
  folder: string,
  apiUrl: string
): Promise<Ran> => {
  let finish = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    yield { type: "user", message: { role: "user", content: prompt }, parent_tool_use_id: null, session_id: "" }
    await finished
  }
  let stderr = ""
  const running = query({
    prompt: prompts(),
    options: {
      pathToClaudeCodeExecutable: executable,
      cwd: join(folder, "project"),
      includePartialMessages: true,
      settingSources: [],
      stderr: (text) => {
        stderr += text
      },
      env: {
        PATH: process.env["PATH"] ?? "",
        HOME: join(folder, "home"),
        ANTHROPIC_API_KEY: "sk-dummy-000000000000000000000000",
        ANTHROPIC_BASE_URL: apiUrl,
        DISABLE_TELEMETRY: "1",
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1"
      },
      ...(canUseTool && { canUseTool })
    }
  })
  const messages: Array<SDKMessage> = []
  let interrupted = false
  const read = async () => {
    for await (const message of running) {
      messages.push(message)
      if (
        interrupts &&
        !interrupted &&
        message.type === "stream_event" &&
        message.event.type === "content_block_delta"
      ) {
        if (message.event.delta.type !== "text_delta") continue
        interrupted = true
        await running.interrupt()
      }
      if (message.type === "result") finish()
    }
  }
  const thrown = await read().then(
    () => undefined,
    (error: unknown) => String(error)
  )
  return { messages, thrown, stderr }
}

/** Records a program with the real CLI, and replays it. */
const recordAndReplay = async (name: string, program: Program, flags: ReadonlyArray<string> = []) => {
  const folder = mkdtempSync(join(root, `${name}-`))
  for (const part of ["home", "project"]) mkdirSync(join(folder, part))
  const scenario = scenarios.find((candidate) => candidate.name === name)
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`)
  const variables = new Variables()
  variables.set("project", join(folder, "project"))
  const model = await startModel({ script: scenario.model, variables })
  const tapes = join(folder, "tapes")
  try {
    const recorder = await agentwire("record", ...flags, "--shim", join(folder, "rec"), "-o", tapes, "--", realCli())
    const live = await runSdk(program, recorder, folder, model.url)
    const [tape, ...others] = readdirSync(tapes).map((file) => join(tapes, file))
    if (tape === undefined || others.length > 0) throw new Error(`not one tape: ${readdirSync(tapes)}`)
    const replayer = await agentwire("replay", "--shim", join(folder, "play"), tape)
    // Nobody is there to be asked any more.
    const replayed = await runSdk(program, replayer, folder, "http://127.0.0.1:1")
    return { live, replayed, tape }
  } finally {
    await model.close()
  }
}

describe("the official Agent SDK", () => {
  it.each(firstOf(2, Object.entries(programs)))(
    "yields from a replay of %s what it yielded live",
    async (name, program) => {
      const { live, replayed } = await recordAndReplay(name, program, ["--no-redact"])
      expect(live.messages.at(-1)?.type).toBe("result")
      expect(live.thrown === undefined).toBe(program.interrupts !== true)
      expect(replayed).toEqual(live)
    }
  )

  it("yields the same from a tape without secrets, but for what was replaced", async () => {
    const { live, replayed, tape } = await recordAndReplay("tool_approved", { prompt: "Say hi.", canUseTool: allow })
    expect((await readTapeFile(tape)).tape?.header.redacted).not.toEqual([])
    const renamer = Tape.makeRenamer()
    expect(replayed.messages.length).toBe(live.messages.length)
    const differences = replayed.messages.flatMap((message, index) => renamer.matchValue(message, live.messages[index]))
    expect(differences).toEqual([])
  })
})
