/**
 * A policy file in front of the real CLIs: what it denies does not run, whatever the CLI itself would allow, and what
 * it allows runs unasked.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Lane } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { makePolicy } from "../../packages/bridge/src/policy/FilePolicy.ts"
import type { Policy } from "../../packages/bridge/src/policy/Policy.ts"
import { readPolicy } from "../../packages/bridge/src/policy/Rules.ts"
import { claudeToolInputs } from "../../packages/bridge/src/runtime/claude/ToolInputs.ts"
import { agentAt, approveAll, chosenWires, onBridge, type Place, requestText, run, say } from "./OnBridge.ts"

const policyOf = (policy: object): Policy =>
  makePolicy(Result.getOrThrow(readPolicy(JSON.stringify({ version: 1, ...policy }), claudeToolInputs)))

const policy = policyOf({
  allow: [
    { tool: ["Agent", "Task"] },
    { tool: ["Read", "Write"], path: "**" },
    { tool: "Bash", command: ["touch *", "ls *"] }
  ],
  deny: [
    { tool: "Bash", command: "touch denied*", reason: "It is a test." },
    { tool: ["Read", "Write"], path: "secret/**", reason: "It is a secret." }
  ],
  ask: [{ tool: "Bash", command: "touch asked*" }],
  modes: { planner: { default: "deny", deny: [{ tool: "Write" }] } }
})

const bash = (command: string) => tool("Bash", { command, description: "Run it" })
const write = (file_path: string) => tool("Write", { file_path, content: "content" })

/** A file that nobody may read. */
const hideKey = ({ project }: Place): void => {
  mkdirSync(join(project, "secret"))
  writeFileSync(join(project, "secret", "key"), "the content of the key")
}

/** What the model was told at last. */
const toldLast = ({ asked }: Place): string => requestText(asked.at(-1))

describe.each(chosenWires)("with Claude Code %s over %s", (...wire) => {
  it.live("what is denied does not run, and the model reads why", () =>
    onBridge(
      wire,
      {
        replies: [
          says(bash("touch denied")),
          says(bash("ls && bash -c 'touch denied'")),
          says(tool("Read", { file_path: "secret/key" })),
          says(write("secret/new")),
          says("Done.")
        ]
      },
      { session: { policy, approvals: "interrupt" } },
      async (place) => {
        hideKey(place)
        const agent = say(agentAt(place.url), "Go")
        expect(await run(agent)).toMatchObject({ error: undefined })
        expect(await approveAll(agent)).toBe(0)
        expect(existsSync(join(place.project, "denied"))).toBe(false)
        expect(existsSync(join(place.project, "secret", "new"))).toBe(false)
        expect(toldLast(place)).toContain("`touch denied`: $.deny[0] fits. It is a test.")
        expect(toldLast(place)).toMatch(/`Read .*secret\/key`: \$\.deny\[1\] fits\. It is a secret\./)
        expect(toldLast(place)).toMatch(/`Write .*secret\/new`: \$\.deny\[1\] fits\./)
        expect(toldLast(place)).not.toContain("the content of the key")
      }
    )
  )

  it.live("not even in the mode in which the CLI asks nobody", () =>
    onBridge(
      wire,
      {
        replies: [
          says(bash("touch denied")),
          says(tool("Read", { file_path: "secret/key" })),
          says(write("secret/new")),
          says(bash("touch allowed")),
          says("Done.")
        ]
      },
      // The CLI refuses this mode to root unless it is told that it is in a sandbox.
      {
        session: { policy, agent: { permissionMode: "bypassPermissions" } },
        launcher: { inherit: { PATH: process.env["PATH"] ?? "", IS_SANDBOX: "1" } }
      },
      async (place) => {
        hideKey(place)
        const agent = say(agentAt(place.url), "Go")
        expect(await run(agent)).toMatchObject({ error: undefined })
        expect(existsSync(join(place.project, "denied"))).toBe(false)
        expect(existsSync(join(place.project, "secret", "new"))).toBe(false)
        expect(existsSync(join(place.project, "allowed"))).toBe(true)
        expect(toldLast(place)).toContain("It is a secret.")
        expect(toldLast(place)).not.toContain("the content of the key")
      }
    )
  )

  it.live("what is allowed runs without a question, and what is asked about asks", () =>
    onBridge(
      wire,
      {
        replies: [
          says(bash("touch allowed && ls")),
          says(write("allowed-too")),
          says(bash("touch asked")),
          says(bash("ls; touch unknown-$(uname)")),
          says("Done.")
        ]
      },
      { session: { policy, approvals: "interrupt" } },
      async ({ project, url }) => {
        const agent = say(agentAt(url), "Go")
        await run(agent)
        expect(existsSync(join(project, "allowed")) && existsSync(join(project, "allowed-too"))).toBe(true)
        expect(existsSync(join(project, "asked"))).toBe(false)
        expect(agent.pendingInterrupts).toHaveLength(1)
        expect(await approveAll(agent)).toBe(2)
        expect(existsSync(join(project, "asked"))).toBe(true)
      }
    )
  )

  it.live("the calls of a sub-agent are judged, too", () => {
    const worker: Lane = {
      match: "[worker]",
      replies: [says(bash("touch denied")), says(bash("touch allowed")), says("I am done.")]
    }
    const delegate = tool("Agent|Task", {
      description: "A worker",
      prompt: "[worker] Do your part.",
      subagent_type: "general-purpose",
      run_in_background: false
    })
    return onBridge(
      wire,
      { replies: [says(delegate), says("All done.")], lanes: [worker] },
      { session: { policy, approvals: "interrupt" } },
      async ({ asked, project, url }) => {
        const agent = say(agentAt(url), "Go")
        await run(agent)
        expect(await approveAll(agent)).toBe(0)
        expect(existsSync(join(project, "denied"))).toBe(false)
        expect(existsSync(join(project, "allowed"))).toBe(true)
        expect(asked.some((body) => requestText(body).includes("It is a test."))).toBe(true)
      }
    )
  })

  it.live("a mode has its own rules", () =>
    onBridge(
      wire,
      { replies: [says(write("plan.md")), says(bash("uname")), says(bash("touch allowed")), says("Done.")] },
      { session: { policy, mode: "planner", approvals: "interrupt" } },
      async (place) => {
        const agent = say(agentAt(place.url), "Go")
        await run(agent)
        expect(await approveAll(agent)).toBe(0)
        expect(existsSync(join(place.project, "plan.md"))).toBe(false)
        expect(existsSync(join(place.project, "allowed"))).toBe(true)
        expect(toldLast(place)).toContain("$.modes.planner.deny[0] fits")
        expect(toldLast(place)).toContain("`uname`: no rule allows it")
      }
    )
  )
})
