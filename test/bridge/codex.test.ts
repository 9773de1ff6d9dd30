/**
 * The whole bridge with Codex: the real HttpAgent of AG-UI 1.0.0 and 0.0.59 on one side, the real `codex app-server` on
 * the other, and a scripted model behind it.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Policy } from "../../packages/bridge/src/policy/Policy.ts"
import { layerClaudeRuntime } from "../../packages/bridge/src/runtime/claude/ClaudeRuntime.ts"
import { cliLauncher } from "../../packages/bridge/src/runtime/claude/CliLauncher.ts"
import { codexEnvironment } from "../../packages/bridge/src/runtime/codex/Environment.ts"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"
import { codexIn, isRunning, withCodex } from "./CodexBridge.ts"
import {
  agentAt,
  allowAlways,
  approveAll,
  clients,
  conversationOf,
  run,
  say,
  toolCallsOf,
  withClientOfTurn
} from "./OnBridge.ts"

const asks = { session: { approvals: "interrupt" } } as const

const answerWith = (agent: ReturnType<typeof agentAt>, payload: unknown) =>
  run(agent, {
    resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved" as const, payload }))
  })

describe("with the real codex app-server", () => {
  it.live("a question is answered, and so is the next", () =>
    withClientOfTurn(0, (client) =>
      withCodex(
        [
          { kind: "text", deltas: ["Hel", "lo."] },
          { kind: "text", deltas: ["Again."] }
        ],
        {},
        async ({ asked, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Hi").runAgent()
          await say(agent, "And again").runAgent()
          expect(conversationOf(agent)).toEqual([
            ["user", "Hi"],
            ["assistant", "Hello."],
            ["user", "And again"],
            ["assistant", "Again."]
          ])
          expect(JSON.stringify(asked.at(-1))).toContain("Hello.")
        }
      )
    )
  )

  it.live("a thought comes before its answer", () =>
    withClientOfTurn(2, (client) =>
      withCodex([{ kind: "text", deltas: ["Blue."], thought: ["Which colour?"] }], {}, async ({ url }) => {
        const agent = agentAt(url, client)
        await say(agent, "Pick").runAgent()
        expect(conversationOf(agent).slice(1)).toEqual([
          ["reasoning", "Which colour?"],
          ["assistant", "Blue."]
        ])
      })
    )
  )

  it.live("a command waits for a yes, runs, and its output is seen", () =>
    withClientOfTurn(3, (client) =>
      withCodex(
        [
          { kind: "command", command: "echo out; echo in > made" },
          { kind: "text", deltas: ["Done."] }
        ],
        asks,
        async ({ asked, project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          expect(agent.pendingInterrupts).toMatchObject([{ reason: "tool_call" }])
          expect(existsSync(join(project, "made"))).toBe(false)
          await answerWith(agent, { approved: true })
          expect(readFileSync(join(project, "made"), "utf8")).toBe("in\n")
          expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Done." })
          expect(agent.messages.find(({ role }) => role === "tool")?.content).toContain("out")
          expect(JSON.stringify(asked.at(-1))).toContain("out")
        }
      )
    )
  )

  it.live("a command that a person refuses does not run, and the turn continues", () =>
    withClientOfTurn(4, (client) =>
      withCodex(
        [
          { kind: "command", command: "touch no" },
          { kind: "text", deltas: ["I may not."] }
        ],
        asks,
        async ({ project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          await answerWith(agent, { approved: false })
          expect(existsSync(join(project, "no"))).toBe(false)
          expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
        }
      )
    )
  )

  it.live("two commands of one answer are both asked about, and both run", () =>
    withClientOfTurn(1, (client) =>
      withCodex(
        [
          { kind: "response", items: [command("echo left > left"), command("echo right > right")] },
          { kind: "text", deltas: ["Both ran."] }
        ],
        asks,
        async ({ asked, project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          expect(await approveAll(agent)).toBe(2)
          expect(["left", "right"].map((name) => readFileSync(join(project, name), "utf8"))).toEqual([
            "left\n",
            "right\n"
          ])
          expect(toolCallsOf(agent)).toHaveLength(2)
          expect(agent.messages.filter(({ role }) => role === "tool")).toHaveLength(2)
          expect(agent.messages.at(-1)).toMatchObject({ content: "Both ran." })
          expect(asked).toHaveLength(2)
        }
      )
    )
  )

  it.live("a command nobody may allow does not run", () =>
    withClientOfTurn(5, (client) =>
      withCodex(
        [
          { kind: "command", command: "touch no" },
          { kind: "text", deltas: ["I may not."] }
        ],
        {},
        async ({ project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          expect(existsSync(join(project, "no"))).toBe(false)
          expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
        }
      )
    )
  )

  it.live("what is allowed for the session is not asked again", () =>
    withClientOfTurn(6, (client) =>
      withCodex(
        [
          { kind: "command", command: "touch same" },
          { kind: "command", command: "touch same" },
          { kind: "text", deltas: ["Twice."] }
        ],
        asks,
        async ({ project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          expect(agent.pendingInterrupts).toHaveLength(1)
          await answerWith(agent, { approved: true, always: true })
          expect(agent.pendingInterrupts).toHaveLength(0)
          expect(existsSync(join(project, "same"))).toBe(true)
          expect(toolCallsOf(agent)).toHaveLength(2)
          expect(agent.messages.at(-1)).toMatchObject({ content: "Twice." })
        }
      )
    )
  )

  it.live("the policy decides about commands and patches before anybody is asked", () =>
    withClientOfTurn(7, (client) =>
      withCodex(
        [
          { kind: "command", command: "touch forbidden" },
          patch("allowed.txt"),
          { kind: "text", deltas: ["Both tried."] }
        ],
        { session: { approvals: "interrupt", policy: onlyPatches } },
        async ({ project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Go").runAgent()
          expect(agent.pendingInterrupts).toHaveLength(0)
          expect(existsSync(join(project, "forbidden"))).toBe(false)
          expect(readFileSync(join(project, "allowed.txt"), "utf8")).toBe("hello\n")
          expect(agent.messages.at(-1)).toMatchObject({ content: "Both tried." })
        }
      )
    )
  )

  it.live("a patch is shown with its diff before it is made", () =>
    withClientOfTurn(8, (client) =>
      withCodex([patch("new.txt"), { kind: "text", deltas: ["Made."] }], asks, async ({ project, url }) => {
        const agent = agentAt(url, client)
        await say(agent, "Go").runAgent()
        const [call] = toolCallsOf(agent)
        expect(JSON.parse(call?.function.arguments ?? "{}")).toMatchObject({
          changes: [{ path: join(project, "new.txt"), diff: "hello\n" }]
        })
        expect(existsSync(join(project, "new.txt"))).toBe(false)
        await answerWith(agent, { approved: true })
        expect(readFileSync(join(project, "new.txt"), "utf8")).toBe("hello\n")
        expect(agent.messages.at(-1)).toMatchObject({ content: "Made." })
      })
    )
  )

  it.live("a tool of the page runs in the page, and the model sees its real result", () =>
    withClientOfTurn(9, (client) =>
      withCodex(
        [
          { kind: "response", items: [{ kind: "call", name: "pick", arguments: { of: "colors" } }] },
          { kind: "text", deltas: ["Blue it is."] }
        ],
        {},
        async ({ asked, url }) => {
          const agent = agentAt(url, client)
          const tools = [
            { name: "pick", description: "Lets the person pick", parameters: { type: "object", properties: {} } }
          ]
          await say(agent, "Pick one").runAgent({ tools })
          const [call] = toolCallsOf(agent)
          expect(call?.function).toEqual({ name: "pick", arguments: '{"of":"colors"}' })
          agent.addMessage({ id: "result-1", role: "tool", toolCallId: call?.id ?? "", content: "blue-7" })
          await agent.runAgent({ tools })
          expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Blue it is." })
          expect(JSON.stringify(asked.at(-1))).toContain("blue-7")
        }
      )
    )
  )

  it.live("an image reaches the model", () =>
    withClientOfTurn(10, (client) =>
      withCodex([{ kind: "text", deltas: ["A dot."] }], {}, async ({ asked, url }) => {
        const agent = agentAt(url, client)
        agent.addMessage({
          id: "u",
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image", source: { type: "data", value: dot, mimeType: "image/png" } }
          ]
        })
        await agent.runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ content: "A dot." })
        expect(JSON.stringify(asked.at(-1))).toContain("data:image/png;base64,")
      })
    )
  )

  it.live("a stop ends the turn and what it runs, and the next prompt is answered", () =>
    withClientOfTurn(11, (client) => {
      // Its number would be that of the sandbox: it is known by its words, which the other client's must not be.
      const seconds = 98173 + clients.indexOf(client)
      return withCodex(
        [
          { kind: "command", command: `exec sleep ${seconds}` },
          { kind: "text", deltas: ["Here."] }
        ],
        { session: { policy: allowAlways } },
        async ({ session, url }) => {
          const agent = say(agentAt(url, client), "Go")
          const running = run(agent)
          await until(() => isRunning(`sleep\u0000${seconds}`))
          await stop(await session())
          await running
          await until(() => !isRunning(`sleep\u0000${seconds}`))
          await say(agent, "And now?").runAgent()
          expect(agent.messages.at(-1)).toMatchObject({ content: "Here." })
        }
      )
    })
  )

  it.live("a stop before the agent has started begins nothing", () =>
    withClientOfTurn(12, (client) =>
      withCodex([{ kind: "text", deltas: ["First."] }], {}, async ({ asked, session, url }) => {
        const agent = say(agentAt(url, client), "Never mind")
        const own = await session()
        const started = new Promise<void>((resolve) => {
          run(agent, {}, () => resolve()).then(() => resolve())
        })
        await started
        await stop(own)
        await until(() => !agent.isRunning)
        expect(asked).toHaveLength(0)
        await say(agent, "Now").runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ content: "First." })
      })
    )
  )

  it.live("an agent that is killed ends its run with an error, and the next prompt resumes the thread", () =>
    withClientOfTurn(13, (client) =>
      withCodex(
        [
          { kind: "text", deltas: ["I am here."] },
          { kind: "hang", deltas: ["Half an"] },
          { kind: "text", deltas: ["Back."] }
        ],
        {},
        async ({ asked, project, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Who?").runAgent()
          const { error } = await run(say(agent, "Go"), {}, ({ type }) => {
            if (type === "TEXT_MESSAGE_CONTENT") for (const pid of codexIn(project)) process.kill(pid, "SIGKILL")
          })
          expect(error).toMatchObject({ code: "process_exited" })
          await say(agent, "Again").runAgent()
          expect(agent.messages.at(-1)).toMatchObject({ content: "Back." })
          expect(JSON.stringify(asked.at(-1))).toContain("I am here.")
        }
      )
    )
  )

  it.live("after a restart the history is there, and the thread continues", () =>
    withClientOfTurn(14, (client) =>
      withCodex(
        [
          { kind: "text", deltas: ["Remember 7."] },
          { kind: "text", deltas: ["It was 7."] }
        ],
        {},
        async ({ kit }) => {
          await say(agentAt(`${kit}/run`, client), "A number").runAgent()
        },
        async ({ asked, kit }) => {
          const agent = agentAt(`${kit}/connect`, client)
          await agent.runAgent()
          expect(conversationOf(agent)).toEqual([
            ["user", "A number"],
            ["assistant", "Remember 7."]
          ])
          agent.url = `${kit}/run`
          await say(agent, "Which?").runAgent()
          expect(agent.messages.at(-1)).toMatchObject({ content: "It was 7." })
          expect(JSON.stringify(asked.at(-1))).toContain("Remember 7.")
        }
      )
    )
  )

  it.live("an edited message goes back: the model is told nothing of what it replaces", () =>
    withClientOfTurn(15, (client) =>
      withCodex(
        [
          { kind: "text", deltas: ["One."] },
          { kind: "text", deltas: ["Wrong."] },
          { kind: "text", deltas: ["Right."] }
        ],
        {},
        async ({ asked, url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Begin").runAgent()
          const kept = [...agent.messages]
          await say(agent, "A mistake").runAgent()
          agent.setMessages(kept)
          await say(agent, "Better").runAgent()
          expect(agent.messages.map(({ content }) => content)).toEqual(["Begin", "One.", "Better", "Right."])
          const told = JSON.stringify(asked.at(-1))
          expect(told).toContain("One.")
          expect(told).not.toContain("A mistake")
        }
      )
    )
  )

  it.live("Codex asks about every command, even one that only looks; what it sets for them is not handed down", () =>
    withClientOfTurn(16, (client) =>
      withCodex(
        [
          { kind: "command", command: "ls" },
          { kind: "command", command: "env | grep -o '^CODEX_[A-Z_]*' | sort" },
          { kind: "text", deltas: ["Listed."] }
        ],
        asks,
        async ({ url }) => {
          const agent = agentAt(url, client)
          await say(agent, "Look").runAgent()
          expect(agent.pendingInterrupts).toHaveLength(1)
          await answerWith(agent, { approved: true })
          expect(agent.pendingInterrupts).toHaveLength(1)
          await answerWith(agent, { approved: true })
          const set = String(agent.messages.findLast(({ role }) => role === "tool")?.content)
          // All of these but the person's own CODEX_HOME are taken out of what the bridge hands to a Codex.
          const names = set.trim().split(/\s+/)
          expect(names).toContain("CODEX_THREAD_ID")
          const handed = codexEnvironment({}, Object.fromEntries(names.map((name) => [name, "x"])))
          expect(Object.keys(handed)).toEqual(["CODEX_HOME"])
        }
      )
    )
  )

  it.live("two threads have nothing of each other", () =>
    withClientOfTurn(17, (client) =>
      withCodex(
        [
          { kind: "text", deltas: ["left-1"] },
          { kind: "text", deltas: ["right-1"] },
          { kind: "text", deltas: ["left-2"] }
        ],
        {},
        async ({ asked, project, url }) => {
          const [left, right] = [agentAt(url, client, "left"), agentAt(url, client, "right")]
          await say(left, "I am left").runAgent()
          await say(right, "I am right").runAgent()
          expect(codexIn(project)).toHaveLength(2)
          await say(left, "More").runAgent()
          expect(conversationOf(left).map(([, said]) => said)).toEqual(["I am left", "left-1", "More", "left-2"])
          expect(conversationOf(right).map(([, said]) => said)).toEqual(["I am right", "right-1"])
          expect(JSON.stringify(asked.at(-1))).not.toContain("right-1")
        }
      )
    )
  )

  it.live("no process is left when the bridge has ended", () => {
    let folder = ""
    return withCodex(
      [{ kind: "text", deltas: ["Hi."] }],
      {},
      async ({ project, url }) => {
        folder = project
        await say(agentAt(url), "Hi").runAgent()
        expect(codexIn(project)).toHaveLength(1)
      },
      async () => {
        expect(codexIn(folder)).toHaveLength(0)
      }
    )
  })

  it.live("a session gives Codex's own requests, and not those that would pass the policy by", () =>
    withClientOfTurn(18, (client) =>
      withCodex([{ kind: "text", deltas: ["Hi."] }], {}, async ({ session, url }) => {
        await say(agentAt(url, client), "Hi").runAgent()
        const { native } = await session()
        await Effect.runPromise(native.request("thread/name/set", { name: "A title" }))
        const list = await Effect.runPromise(native.request("thread/turns/list", {}))
        expect(list).toMatchObject({ data: [{ status: "completed" }] })
        const refused = await Effect.runPromise(Effect.flip(native.request("command/exec", { command: ["id"] })))
        expect(refused).toMatchObject({ code: "UNSUPPORTED" })
        // The session goes back itself, so that what is shown is what the model knows.
        const forgetting = Effect.flip(native.request("thread/revert", { beforeTurnId: "any" }))
        expect(await Effect.runPromise(forgetting)).toMatchObject({ code: "UNSUPPORTED" })
      })
    )
  )
})

describe("many threads of Codex", () => {
  /** A word that only this thread may ever see. */
  const wordOf = (thread: number) => `zq${thread}qz`
  const wordsIn = (value: unknown) => new Set(JSON.stringify(value).match(/zq\d+qz/g))
  const threads = Array.from({ length: sweeping ? 30 : 6 }, (_, thread) => thread)
  const answer = (thread: number) => Array.from({ length: 40 }, (_, index) => `${index} ${wordOf(thread)} `)

  it.live(
    "at once have their own answers, whole, and not a word of another",
    () =>
      withCodex(
        [{ kind: "text", deltas: ["Nobody's."] }],
        {
          lanes: threads.map((thread) => ({
            match: `[${wordOf(thread)}]`,
            replies: [0, 1].map(() => ({
              kind: "response",
              dripMs: 5,
              items: [{ kind: "text", deltas: answer(thread) }]
            }))
          })),
          session: { startTimeout: "4 minutes" }
        },
        async ({ asked, project, url }) => {
          const agents = threads.map((thread) => agentAt(url, clients[thread % clients.length], `thread-${thread}`))
          // Processes start one by one; in the second turn all of them are there, and all answer at once.
          for (const turn of [1, 2]) {
            const runs = await Promise.all(agents.map((agent, thread) => run(say(agent, `[${wordOf(thread)}]`))))
            for (const [thread, { error, events }] of runs.entries()) {
              expect(error).toBeUndefined()
              expect(wordsIn(events)).toEqual(new Set([wordOf(thread)]))
              expect(conversationOf(agents[thread] ?? agentAt(url))).toEqual(
                Array.from({ length: turn }, () => [
                  ["user", `[${wordOf(thread)}]`],
                  ["assistant", answer(thread).join("")]
                ]).flat()
              )
            }
          }
          expect(codexIn(project)).toHaveLength(threads.length)
          for (const body of asked) expect(wordsIn(body).size).toBe(1)
        }
      ),
    300_000
  )
})

describe("a bridge with both runtimes", () => {
  it.live("has a thread of Codex and one of Claude Code side by side, with nothing of each other", () =>
    Effect.gen(function* () {
      const { options, project } = yield* setUp("2.1.325", {
        replies: [
          says("claude-1"),
          says(tool("Bash", { command: "echo by-claude > claude", description: "x" })),
          says("claude-2")
        ]
      })
      const claude = Layer.provide(layerClaudeRuntime, cliLauncher(options))
      yield* withCodex(
        [
          { kind: "text", deltas: ["codex-1"] },
          { kind: "command", command: "echo by-codex > codex" },
          { kind: "text", deltas: ["codex-2"] }
        ],
        { ...asks, beside: [claude] },
        async ({ asked, create, project: folder, url }) => {
          await create("claude", { agent: { runtime: "claude" } })
          const [codex, other] = [agentAt(url, clients[0], "codex"), agentAt(url, clients[1], "claude")]
          await Promise.all([run(say(codex, "To Codex")), run(say(other, "To Claude"))])
          expect(codexIn(folder)).toHaveLength(1)
          await Promise.all([run(say(codex, "Codex, work")), run(say(other, "Claude, work"))])
          expect(await Promise.all([approveAll(codex), approveAll(other)])).toEqual([1, 1])
          expect(["codex", "claude"].map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([
            "by-codex\n",
            "by-claude\n"
          ])
          const saidTo = (agent: typeof codex) =>
            conversationOf(agent).flatMap(([role, content]) => (role === "assistant" && content ? [content] : []))
          expect([saidTo(codex), saidTo(other)]).toEqual([
            ["codex-1", "codex-2"],
            ["claude-1", "claude-2"]
          ])
          expect(JSON.stringify(asked)).not.toContain("Claude, work")
        }
      )
      expect(existsSync(join(project, "claude"))).toBe(false)
    }).pipe(Effect.scoped)
  )
})

const command = (cmd: string) => ({ kind: "call", name: "exec_command", arguments: { cmd } }) as const

/** A patch that adds a file of one line. */
const patch = (name: string) =>
  ({
    kind: "response",
    items: [
      { kind: "custom", name: "apply_patch", input: `*** Begin Patch\n*** Add File: ${name}\n+hello\n*** End Patch` }
    ]
  }) as const

const onlyPatches: Policy = ({ toolName }) =>
  Effect.succeed(toolName === "fileChange" ? { _tag: "Allow" } : { _tag: "Deny", message: "Not this." })

const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

const stop = (session: Session): Promise<void> => Effect.runPromise(Effect.asVoid(session.stop()))

/** Waits until something holds. */
const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10))
}
