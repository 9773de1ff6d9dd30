/**
 * Hooks of the program that has the bridge, called by the real CLI: what they decide, change and add is what happens, and
 * what the model is told.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { Bridge, type BridgeConfig } from "@agentwire/bridge"
import { type JsonObject, type ModelScript, startModel } from "@agentwire/fixtures"
import { says, tool } from "@agentwire/fixtures/scenario"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { sweeping } from "../../packages/fixtures/test/Sweep.ts"
import { setUp } from "./AgentSetup.ts"

/** A bridge as a program has it, in front of a real CLI and a scripted model. */
const onProgram = (
  [version, transport]: readonly [version: string, transport: "stdio" | "ws"],
  script: ModelScript,
  config: (project: string) => BridgeConfig,
  use: (bridge: Bridge, project: string, asked: ReadonlyArray<JsonObject>) => Promise<void>
) =>
  Effect.gen(function* () {
    const asked: Array<JsonObject> = []
    const model = yield* Effect.acquireRelease(
      Effect.promise(() =>
        startModel({ script, onRequest: (path, body) => void (path === "/v1/messages" && asked.push(body)) })
      ),
      ({ close }) => Effect.promise(close)
    )
    const { options, project } = yield* setUp(version, { replies: [] }, { transport })
    const agent = { ...options, env: { ...options.env, ANTHROPIC_BASE_URL: model.url } }
    const bridge = new Bridge({ agent, cwd: project, ...config(project) })
    yield* Effect.addFinalizer(() => Effect.promise(() => bridge.stop()))
    yield* Effect.promise(async () => {
      await bridge.open()
      await use(bridge, project, asked)
    })
  }).pipe(Effect.scoped)

const touch = (name: string) => says(tool("Bash", { command: `touch ${name}`, description: "Touch" }))

const mainRequests = (asked: ReadonlyArray<JsonObject>): ReadonlyArray<string> =>
  asked.filter(({ tools }) => Array.isArray(tools) && tools.length > 0).map((body) => JSON.stringify(body["messages"]))

describe("hooks of a program with Claude Code 2.1.325", () => {
  it.live("decide about tools, change what they do, add to what the model knows, and see the turn end", () => {
    const seen: Array<unknown> = []
    let stops = 0
    const config = (): BridgeConfig => ({
      policy: () => ({ _tag: "Allow" }),
      hooks: {
        UserPromptSubmit: ({ prompt }) => {
          seen.push(["UserPromptSubmit", prompt])
          return { hookSpecificOutput: { hookEventName: "UserPromptSubmit", additionalContext: "It is Monday." } }
        },
        PreToolUse: {
          matcher: "Bash",
          run: async ({ tool_input, tool_name }, { threadId }) => {
            const { command } = tool_input as { readonly command: string }
            seen.push(["PreToolUse", tool_name, command, threadId])
            if (command.includes("denied"))
              return {
                hookSpecificOutput: {
                  hookEventName: "PreToolUse",
                  permissionDecision: "deny",
                  permissionDecisionReason: "The program says no."
                }
              }
            if (command.includes("broken")) throw new Error("broken")
            return {
              hookSpecificOutput: { hookEventName: "PreToolUse", updatedInput: { command: "touch changed" } }
            }
          }
        },
        PostToolUse: ({ tool_input }) => {
          seen.push(["PostToolUse", (tool_input as { readonly command: string }).command])
          return { hookSpecificOutput: { hookEventName: "PostToolUse", additionalContext: "Seen by the program." } }
        },
        Stop: ({ last_assistant_message, stop_hook_active }) => {
          seen.push(["Stop", last_assistant_message, stop_hook_active])
          return stops++ === 0 ? { decision: "block", reason: "Say more." } : undefined
        },
        SessionEnd: ({ reason }) => void seen.push(["SessionEnd", reason]),
        SessionStart: ({ source }) => void seen.push(["SessionStart", source])
      }
    })
    const script = {
      replies: [touch("denied"), touch("broken"), touch("original"), says("Done."), says("More.")]
    }
    return onProgram(["2.1.325", "stdio"], script, config, async (bridge, project, asked) => {
      const failures: Array<string> = []
      bridge.on("error", ({ during }) => failures.push(during))
      const { threadId } = await bridge.createSession({ threadId: "t" })
      const { text } = await (await bridge.sendMessage(threadId, "Go.")).result
      expect(text).toContain("More.")
      await (await bridge.sendMessage(threadId, "/clear")).result

      expect(["changed", "original", "denied", "broken"].map((name) => existsSync(join(project, name)))).toEqual([
        true,
        false,
        false,
        false
      ])
      expect(failures).toEqual(["hook PreToolUse"])
      const requests = mainRequests(asked)
      expect(requests[0]).toContain("It is Monday.")
      expect(requests[1]).toContain("The program says no.")
      expect(requests[2]).toContain("A hook of this bridge failed")
      expect(requests[3]).toContain("Seen by the program.")
      expect(requests[4]).toContain("Say more.")
      expect(seen).toEqual([
        ["UserPromptSubmit", "Go."],
        ["PreToolUse", "Bash", "touch denied", "t"],
        ["PreToolUse", "Bash", "touch broken", "t"],
        ["PreToolUse", "Bash", "touch original", "t"],
        ["PostToolUse", "touch changed"],
        ["Stop", "Done.", false],
        ["Stop", "More.", true],
        ["SessionEnd", "clear"],
        ["SessionStart", "clear"]
      ])
    })
  })
})

/** Versions that would forget what one hook has changed when another one, here the policy's, says `allow`. */
const older = [["2.1.37", "ws"], ...(sweeping ? ([["2.1.197", "stdio"]] as const) : [])] as const

describe.each(older)("a hook beside a policy with Claude Code %s", (...wire) => {
  it.live("changes what a tool does, and the policy judges what is left of it", () => {
    const judged: Array<unknown> = []
    const config = (): BridgeConfig => ({
      policy: ({ input }) => {
        judged.push(input["command"])
        return input["command"] === "touch forbidden" ? { _tag: "Deny", message: "Forbidden." } : { _tag: "Allow" }
      },
      hooks: {
        PreToolUse: ({ tool_input }) => {
          const { command } = tool_input as { readonly command: string }
          const updatedInput = { command: command === "touch one" ? "touch changed" : "touch forbidden" }
          return { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow", updatedInput } }
        }
      }
    })
    return onProgram(
      wire,
      { replies: [touch("one"), touch("two"), says("Done.")] },
      config,
      async (bridge, project) => {
        const { threadId } = await bridge.createSession()
        expect((await (await bridge.sendMessage(threadId, "Go.")).result).outcome).toBe("success")
        expect(judged).toEqual(["touch changed", "touch forbidden"])
        expect(["changed", "one", "two", "forbidden"].map((name) => existsSync(join(project, name)))).toEqual([
          true,
          false,
          false,
          false
        ])
      }
    )
  })
})
