/** What an agent inherits: settings, but nothing of the session the bridge itself was started from. */
import { describe, expect, it } from "@effect/vitest"
import { agentEnvironment } from "../../../src/runtime/claude/Environment.ts"

describe("Environment", () => {
  it("keeps settings, and drops what a parent Claude Code left for its children", () => {
    const own = {
      PATH: "/bin",
      CLAUDE_CODE_USE_BEDROCK: "1",
      CLAUDE_CODE_OAUTH_TOKEN: "secret",
      CLAUDECODE: "1",
      CLAUDE_CODE_ENTRYPOINT: "sdk-cli",
      CLAUDE_CODE_SESSION_ID: "x",
      CLAUDE_CODE_MESSAGING_TOKEN: "x",
      CLAUDE_CODE_POST_FOR_SESSION_INGRESS_V2: "1",
      EMPTY: "",
      ABSENT: undefined
    }
    expect(agentEnvironment({}, own)).toEqual({
      PATH: "/bin",
      CLAUDE_CODE_USE_BEDROCK: "1",
      CLAUDE_CODE_OAUTH_TOKEN: "secret",
      EMPTY: ""
    })
  })

  it("adds what is asked for, even where it dropped it", () => {
    expect(agentEnvironment({ CLAUDE_CODE_REMOTE: "1", A: "2" }, { A: "1", CLAUDE_CODE_REMOTE: "0" })).toEqual({
      A: "2",
      CLAUDE_CODE_REMOTE: "1"
    })
  })
})
