/**
 * The whole bridge with `codex exec`: the real clients of AG-UI 1.0 and 0.0 on one side, the real program on the other, a
 * process for each turn, and a scripted model behind it. Threads of the same bridge, each with its own words for the model.
 */
import { spawn } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { schemaVersion } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { layerCodexRuntime } from "../../packages/bridge/src/runtime/codex/CodexRuntime.ts"
import { type CodexLauncherOptions, codexLauncher } from "../../packages/bridge/src/runtime/codex/Launcher.ts"
import { layerCodexExecRuntime } from "../../packages/bridge/src/runtime/codexexec/CodexExecRuntime.ts"
import { execLauncher } from "../../packages/bridge/src/runtime/codexexec/ExecLauncher.ts"
import { layerRuntimes } from "../../packages/bridge/src/session/Runtimes.ts"
import { installCodex } from "../../packages/fixtures/src/codex/InstallCodex.ts"
import type { ResponsesReply } from "../../packages/fixtures/src/codex/Responses.ts"
import { codexIn, isRunning, withCodex } from "./CodexBridge.ts"
import {
  agentAt,
  allowAlways,
  clients,
  conversationOf,
  headers,
  type Place,
  run,
  say,
  toolCallsOf
} from "./OnBridge.ts"

/** The app-server is the first, so that a session has to say that it wants the other one. */
const both = (options: CodexLauncherOptions) =>
  layerRuntimes(
    Layer.provide(layerCodexRuntime, codexLauncher(options)),
    Layer.provide(layerCodexExecRuntime, execLauncher(options))
  )

const text = (...deltas: ReadonlyArray<string>) => ({ kind: "text", deltas }) as const
const command = (words: string): ResponsesReply => ({ kind: "command", command: words })
const patch: ResponsesReply = {
  kind: "response",
  items: [
    { kind: "custom", name: "apply_patch", input: "*** Begin Patch\n*** Add File: new.txt\n+hello\n*** End Patch" }
  ]
}

/** What the model says, by the words of the person. */
const lanes: ReadonlyArray<{ readonly match: string; readonly replies: ReadonlyArray<ResponsesReply> }> = [
  { match: "Hello there", replies: clients.map(() => ({ ...text("Hel", "lo."), thought: ["Who is it?"] })) },
  { match: "And again", replies: clients.flatMap(() => [command("echo out"), text("Again.")]) },
  { match: "Write", replies: [command("echo out; touch made || echo refused"), text("I may not.")] },
  { match: "Patch", replies: [patch, text("Made.")] },
  { match: "Wait", replies: [command("exec sleep 98174")] },
  { match: "And now", replies: [text("Here.")] },
  { match: "Be killed", replies: [{ kind: "hang", deltas: ["Half an"] }] },
  { match: "Fail", replies: Array.from({ length: 4 }, () => ({ kind: "error", status: 500, message: "broken" })) },
  { match: "A number", replies: [text("Remember 7.")] },
  { match: "Which", replies: [text("It was 7.")] },
  { match: "Lose it", replies: [text("Lost.")] },
  { match: "Look", replies: [text("{}")] }
]

describe("with the real codex exec", () => {
  let place: Place
  let endLife = (): void => undefined
  let done: Promise<void>
  const begun: Array<(place: Place) => void> = []
  const next = () => new Promise<Place>((resolve) => begun.push(resolve))

  let isOver = false
  const life = (own: Place) =>
    new Promise<void>((resolve) => {
      if (isOver) return resolve()
      endLife = resolve
      begun.shift()?.(own)
    })

  beforeAll(async () => {
    const first = next()
    done = Effect.runPromise(withCodex([], { lanes, runtime: both }, life, life))
    place = await Promise.race([first, done.then(() => Promise.reject(new Error("There is no bridge.")))])
  }, 120_000)

  afterAll(async () => {
    isOver = true
    endLife()
    await done
  })

  const thread = (...[threadId, options, client]: Tail<Parameters<typeof threadAt>>) =>
    threadAt(place.url, threadId, options, client)

  it.each(clients.map((client, index) => [index, client] as const))(
    "a question is answered, and so is the next, and client %i sees all of it",
    async (index, client) => {
      const agent = await thread(`hello-${index}`, {}, client)
      await say(agent, "Hello there").runAgent()
      const { events } = await run(say(agent, "And again"))
      expect(conversationOf(agent).map(([role, content]) => [role, content ?? ""])).toEqual([
        ["user", "Hello there"],
        ["reasoning", "Who is it?"],
        ["assistant", "Hello."],
        ["user", "And again"],
        ["assistant", ""],
        ["tool", "out\n"],
        ["assistant", "Again."]
      ])
      expect(JSON.stringify(place.asked.at(-1))).toContain("Hello.")
      // The program says what the thread has spent so far: 100 for each question to the model.
      if (index === 0) expect(events.at(-1)).toMatchObject({ usage: [{ inputTokens: 200, outputTokens: 20 }] })
      // A turn is a process: between them there is none.
      await until(() => codexIn(place.project).length === 0)
    }
  )

  it("a command runs in a sandbox that nothing can be written in, unless somebody chooses another one", async () => {
    const agent = await thread("write")
    await say(agent, "Write").runAgent()
    const [call] = toolCallsOf(agent)
    expect(JSON.parse(call?.function.arguments ?? "{}").command).toContain("touch made")
    const result = String(agent.messages.find(({ role }) => role === "tool")?.content)
    expect(result).toContain("out")
    expect(result).toContain("refused")
    expect(existsSync(join(place.project, "made"))).toBe(false)
    expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
  })

  it("a patch is made under workspace-write", async () => {
    const agent = await thread("patch", { permissionMode: "workspace-write" })
    await say(agent, "Patch").runAgent()
    expect(readFileSync(join(place.project, "new.txt"), "utf8")).toBe("hello\n")
    expect(toolCallsOf(agent).map((call) => call.function.name)).toEqual(["fileChange"])
    expect(agent.messages.at(-1)).toMatchObject({ content: "Made." })
  })

  it("a stop in a command ends the process and the command, the model learns of it, and the next prompt is answered", async () => {
    const agent = say(await thread("stop"), "Wait")
    const running = run(agent)
    await until(() => isRunning("sleep\u000098174"))
    const session = await place.session("stop")
    await Effect.runPromise(session.stop())
    await running
    await until(() => !isRunning("sleep\u000098174") && codexIn(place.project).length === 0)
    await say(agent, "And now").runAgent()
    expect(agent.messages.at(-1)).toMatchObject({ content: "Here." })
    expect(JSON.stringify(place.asked.at(-1))).toContain("turn_aborted")
  })

  it("a stop before there is a process begins nothing", async () => {
    const before = place.asked.length
    const agent = say(await thread("early"), "Never mind")
    const session = await place.session("early")
    const started = new Promise<void>((resolve) => {
      run(agent, {}, () => resolve()).then(() => resolve())
    })
    await started
    await Effect.runPromise(session.stop())
    await until(() => !agent.isRunning)
    await Effect.runPromise(session.start)
    expect(place.asked).toHaveLength(before)
    await say(agent, "And now").runAgent()
    expect(agent.messages.at(-1)).toMatchObject({ role: "assistant" })
  })

  it("a process that is killed ends its run with an error, and the next prompt resumes the thread", async () => {
    const agent = await thread("killed")
    await say(agent, "A number").runAgent()
    const running = run(say(agent, "Be killed"))
    await until(() => JSON.stringify(place.asked.at(-1)).includes("Be killed"))
    for (const pid of codexIn(place.project)) process.kill(pid, "SIGKILL")
    expect((await running).error).toMatchObject({ code: "process_exited" })
    await say(agent, "Which").runAgent()
    expect(agent.messages.at(-1)).toMatchObject({ content: "It was 7." })
    expect(JSON.stringify(place.asked.at(-1))).toContain("Remember 7.")
  })

  it("a turn that fails says why", async () => {
    const { error } = await run(say(await thread("fail"), "Fail"))
    expect(error?.message).toContain("high demand")
  })

  it("takes model, effort, prompts, a schema and images", async () => {
    const agent = await thread("look", {
      model: "gpt-5.5",
      effort: "high",
      systemPrompt: "You are a lamp.",
      appendSystemPrompt: 'Say "on" or "off".',
      jsonSchema: { type: "object", properties: {}, required: [], additionalProperties: false }
    })
    const image = { type: "image", source: { type: "data", value: dot, mimeType: "image/png" } } as const
    agent.addMessage({ id: "u", role: "user", content: [{ type: "text", text: "Look" }, image] })
    const tools = [{ name: "pick", description: "Lets the person pick", parameters: { type: "object" } }]
    await agent.runAgent({ tools })
    const last = place.asked.at(-1)
    expect(last).toMatchObject({ model: "gpt-5.5", reasoning: { effort: "high" }, text: { format: { strict: true } } })
    const told = JSON.stringify(last)
    for (const words of ["You are a lamp.", String.raw`Say \"on\" or \"off\".`, "data:image/png;base64,"])
      expect(told.includes(words), words).toBe(true)
    expect(told).not.toContain("You are Codex")
    expect(told).not.toContain("Lets the person pick")
    // The next turn resumes, with images and all.
    agent.addMessage({ id: "v", role: "user", content: [{ type: "text", text: "Look" }, image] })
    await agent.runAgent({ tools })
    expect(JSON.stringify(place.asked.at(-1)).split("data:image/png;base64,")).toHaveLength(3)
    // From the next turn on it is another one.
    const session = await place.session("look")
    await Effect.runPromise(session.set({ model: "gpt-5.4", effort: "low" }))
    await run(say(agent, "Look"))
    expect(place.asked.at(-1)).toMatchObject({ model: "gpt-5.4", reasoning: { effort: "low" } })
    const refused = await Effect.runPromise(Effect.flip(session.set({ permissionMode: "on-request" })))
    expect(refused).toMatchObject({ code: "REFUSED", setting: "permissionMode" })
  })

  it("refuses options that it has nothing for, and modes that would have to ask", async () => {
    for (const options of [{ maxTurns: 3 }, { permissionMode: "on-request" }]) {
      const agent = await thread(`refused-${Object.keys(options)[0]}`, options)
      const { error } = await run(say(agent, "Hi"))
      expect(error).toMatchObject({ code: "OPTION_UNSUPPORTED" })
    }
  })

  it("a thread that Codex has lost begins anew", async () => {
    const agent = await thread("lost")
    await say(agent, "Lose it").runAgent()
    const session = await place.session("lost")
    const before = await Effect.runPromise(session.providerSessionId)
    rmSync(join(place.project, "../codex/sessions"), { recursive: true })
    await say(agent, "And now").runAgent()
    expect(await Effect.runPromise(session.providerSessionId)).not.toBe(before)
    expect(agent.messages.at(-1)).toMatchObject({ role: "assistant" })
    expect(JSON.stringify(place.asked.at(-1))).not.toContain("Lose it")
  })

  it("after a restart of the bridge the history is there, and the thread continues", async () => {
    const agent = await thread("kept")
    await say(agent, "A number").runAgent()
    const before = conversationOf(agent)
    const second = next()
    endLife()
    place = await second
    const again = agentAt(`${place.kit}/connect`, undefined, "kept")
    await again.runAgent()
    expect(conversationOf(again)).toEqual(before)
    again.url = `${place.kit}/run`
    const { events } = await run(say(again, "Which"))
    // What the thread had spent before is in its rollout.
    expect(events.at(-1)).toMatchObject({ usage: [{ inputTokens: 100, outputTokens: 10 }] })
    expect(JSON.stringify(place.asked.at(-1))).toContain(String(before.at(-1)?.[1]))
    expect(new Set(again.messages.map(({ id }) => id)).size).toBe(4)
  })
})

describe("with a policy, which nobody asks", () => {
  it("starts only what can write nothing", () =>
    Effect.runPromise(
      withCodex(
        [text("Hi.")],
        {
          runtime: (options) => Layer.provide(layerCodexExecRuntime, execLauncher(options)),
          session: { policy: allowAlways }
        },
        async ({ url }) => {
          const agent = agentAt(url)
          await say(agent, "Hi").runAgent()
          expect(agent.messages.at(-1)).toMatchObject({ content: "Hi." })
          const other = await threadAt(url, "other", { permissionMode: "workspace-write" })
          expect((await run(say(other, "Hi"))).error).toMatchObject({ code: "OPTION_CONFLICT" })
        }
      )
    ))
})

describe("when the bridge is killed with -9 in mid-turn", () => {
  it("leaves nothing behind", () =>
    Effect.runPromise(
      withCodex([command("exec sleep 98175")], { runtime: both }, async ({ project }) => {
        const script = fileURLToPath(new URL("OrphanExec.mts", import.meta.url))
        const tsx = pathToFileURL(createRequire(import.meta.url).resolve("tsx")).href
        const codexHome = join(project, "../codex")
        const bridge = spawn(
          process.execPath,
          [
            "--import",
            tsx,
            "--conditions=agentwire-source",
            script,
            project,
            (await installCodex(schemaVersion)).program
          ],
          {
            env: { PATH: process.env["PATH"], HOME: project, CODEX_HOME: codexHome, SCRIPTED_KEY: "dummy" },
            stdio: ["ignore", "ignore", "inherit"]
          }
        )
        await until(() => isRunning("sleep\u000098175"))
        expect(codexIn(project)).toHaveLength(1)
        bridge.kill("SIGKILL")
        await until(() => !isRunning("sleep\u000098175") && codexIn(project).length === 0)
      })
    ))
})

/** Makes a thread that is with `codex exec`. */
const threadAt = async (url: string, threadId: string, options: object = {}, client = clients[0]) => {
  const response = await fetch(`${url}/api/sessions`, {
    method: "POST",
    headers: { ...headers, "Content-Type": "application/json" },
    body: JSON.stringify({ threadId, runtime: "codex-exec", ...options })
  })
  expect(response.status, await response.clone().text()).toBeLessThan(300)
  return agentAt(url, client, threadId)
}

type Tail<A extends ReadonlyArray<unknown>> = A extends readonly [unknown, ...infer Rest] ? Rest : never

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Waits until something holds. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
