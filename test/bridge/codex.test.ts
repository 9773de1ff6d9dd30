/**
 * The whole bridge with Codex: the real HttpAgent of AG-UI 1.0.0 and 0.0.59 on one side, the real `codex app-server` on
 * the other, and a scripted model behind it.
 */
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Policy } from "../../packages/bridge/src/policy/Policy.ts"
import { codexEnvironment } from "../../packages/bridge/src/runtime/codex/Environment.ts"
import type { Session } from "../../packages/bridge/src/session/Session.ts"
import { codexIn, isRunning, withCodex } from "./CodexBridge.ts"
import { agentAt, allowAlways, clients, conversationOf, run, say, toolCallsOf } from "./OnBridge.ts"

const asks = { session: { approvals: "interrupt" } } as const

const answerWith = (agent: ReturnType<typeof agentAt>, payload: unknown) =>
  run(agent, {
    resume: agent.pendingInterrupts.map(({ id }) => ({ interruptId: id, status: "resolved" as const, payload }))
  })

describe("with the real codex app-server", () => {
  it.live("a question is answered, and so is the next", () =>
    withCodex(
      [
        { kind: "text", deltas: ["Hel", "lo."] },
        { kind: "text", deltas: ["Again."] }
      ],
      {},
      async ({ asked, url }) => {
        const agent = agentAt(url)
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

  it.live("a client of 0.0 gets the same", () =>
    withCodex([{ kind: "text", deltas: ["Hel", "lo."] }], {}, async ({ url }) => {
      const agent = agentAt(url, clients[1])
      await say(agent, "Hi").runAgent()
      expect(agent.messages.at(-1)).toMatchObject({ role: "assistant", content: "Hello." })
    })
  )

  it.live("a thought comes before its answer", () =>
    withCodex([{ kind: "text", deltas: ["Blue."], thought: ["Which colour?"] }], {}, async ({ url }) => {
      const agent = agentAt(url)
      await say(agent, "Pick").runAgent()
      expect(conversationOf(agent).slice(1)).toEqual([
        ["reasoning", "Which colour?"],
        ["assistant", "Blue."]
      ])
    })
  )

  it.live("a command waits for a yes, runs, and its output is seen", () =>
    withCodex(
      [
        { kind: "command", command: "echo out; echo in > made" },
        { kind: "text", deltas: ["Done."] }
      ],
      asks,
      async ({ asked, project, url }) => {
        const agent = agentAt(url)
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

  it.live("a command that a person refuses does not run, and the turn continues", () =>
    withCodex(
      [
        { kind: "command", command: "touch no" },
        { kind: "text", deltas: ["I may not."] }
      ],
      asks,
      async ({ project, url }) => {
        const agent = agentAt(url)
        await say(agent, "Go").runAgent()
        await answerWith(agent, { approved: false })
        expect(existsSync(join(project, "no"))).toBe(false)
        expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
      }
    )
  )

  it.live("a command nobody may allow does not run", () =>
    withCodex(
      [
        { kind: "command", command: "touch no" },
        { kind: "text", deltas: ["I may not."] }
      ],
      {},
      async ({ project, url }) => {
        const agent = agentAt(url)
        await say(agent, "Go").runAgent()
        expect(existsSync(join(project, "no"))).toBe(false)
        expect(agent.messages.at(-1)).toMatchObject({ content: "I may not." })
      }
    )
  )

  it.live("what is allowed for the session is not asked again", () =>
    withCodex(
      [
        { kind: "command", command: "touch same" },
        { kind: "command", command: "touch same" },
        { kind: "text", deltas: ["Twice."] }
      ],
      asks,
      async ({ project, url }) => {
        const agent = agentAt(url)
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

  it.live("the policy decides about commands and patches before anybody is asked", () =>
    withCodex(
      [
        { kind: "command", command: "touch forbidden" },
        patch("allowed.txt"),
        { kind: "text", deltas: ["Both tried."] }
      ],
      { session: { approvals: "interrupt", policy: onlyPatches } },
      async ({ project, url }) => {
        const agent = agentAt(url)
        await say(agent, "Go").runAgent()
        expect(agent.pendingInterrupts).toHaveLength(0)
        expect(existsSync(join(project, "forbidden"))).toBe(false)
        expect(readFileSync(join(project, "allowed.txt"), "utf8")).toBe("hello\n")
        expect(agent.messages.at(-1)).toMatchObject({ content: "Both tried." })
      }
    )
  )

  it.live("a patch is shown with its diff before it is made", () =>
    withCodex([patch("new.txt"), { kind: "text", deltas: ["Made."] }], asks, async ({ project, url }) => {
      const agent = agentAt(url)
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

  it.live("a tool of the page runs in the page, and the model sees its real result", () =>
    withCodex(
      [
        { kind: "response", items: [{ kind: "call", name: "pick", arguments: { of: "colors" } }] },
        { kind: "text", deltas: ["Blue it is."] }
      ],
      {},
      async ({ asked, url }) => {
        const agent = agentAt(url)
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

  it.live("an image reaches the model", () =>
    withCodex([{ kind: "text", deltas: ["A dot."] }], {}, async ({ asked, url }) => {
      const agent = agentAt(url)
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

  it.live("a stop ends the turn and what it runs, and the next prompt is answered", () =>
    withCodex(
      [
        // Its number would be that of the sandbox: it is known by its words.
        { kind: "command", command: "exec sleep 98173" },
        { kind: "text", deltas: ["Here."] }
      ],
      { session: { policy: allowAlways } },
      async ({ session, url }) => {
        const agent = say(agentAt(url), "Go")
        const running = run(agent)
        await until(() => isRunning("sleep\u000098173"))
        await stop(await session())
        await running
        await until(() => !isRunning("sleep\u000098173"))
        await say(agent, "And now?").runAgent()
        expect(agent.messages.at(-1)).toMatchObject({ content: "Here." })
      }
    )
  )

  it.live("a stop before the agent has started begins nothing", () =>
    withCodex([{ kind: "text", deltas: ["First."] }], {}, async ({ asked, session, url }) => {
      const agent = say(agentAt(url), "Never mind")
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

  it.live("an agent that is killed ends its run with an error, and the next prompt resumes the thread", () =>
    withCodex(
      [
        { kind: "text", deltas: ["I am here."] },
        { kind: "hang", deltas: ["Half an"] },
        { kind: "text", deltas: ["Back."] }
      ],
      {},
      async ({ asked, project, url }) => {
        const agent = agentAt(url)
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

  it.live("after a restart the history is there, and the thread continues", () =>
    withCodex(
      [
        { kind: "text", deltas: ["Remember 7."] },
        { kind: "text", deltas: ["It was 7."] }
      ],
      {},
      async ({ kit }) => {
        await say(agentAt(`${kit}/run`), "A number").runAgent()
      },
      async ({ asked, kit }) => {
        const agent = agentAt(`${kit}/connect`)
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

  it.live("an edited message goes back: the model is told nothing of what it replaces", () =>
    withCodex(
      [
        { kind: "text", deltas: ["One."] },
        { kind: "text", deltas: ["Wrong."] },
        { kind: "text", deltas: ["Right."] }
      ],
      {},
      async ({ asked, url }) => {
        const agent = agentAt(url)
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

  it.live("Codex asks about every command, even one that only looks; what it sets for them is not handed down", () =>
    withCodex(
      [
        { kind: "command", command: "ls" },
        { kind: "command", command: "env | grep -o '^CODEX_[A-Z_]*' | sort" },
        { kind: "text", deltas: ["Listed."] }
      ],
      asks,
      async ({ url }) => {
        const agent = agentAt(url)
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

  it.live("two threads have nothing of each other", () =>
    withCodex(
      [
        { kind: "text", deltas: ["left-1"] },
        { kind: "text", deltas: ["right-1"] },
        { kind: "text", deltas: ["left-2"] }
      ],
      {},
      async ({ asked, project, url }) => {
        const [left, right] = [agentAt(url, undefined, "left"), agentAt(url, undefined, "right")]
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
    withCodex([{ kind: "text", deltas: ["Hi."] }], {}, async ({ session, url }) => {
      await say(agentAt(url), "Hi").runAgent()
      const { native } = await session()
      await Effect.runPromise(native.request("thread/name/set", { name: "A title" }))
      const list = await Effect.runPromise(native.request("thread/turns/list", {}))
      expect(list).toMatchObject({ data: [{ status: "completed" }] })
      const refused = await Effect.runPromise(Effect.flip(native.request("command/exec", { command: ["id"] })))
      expect(refused).toMatchObject({ code: "UNSUPPORTED" })
    })
  )
})

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
