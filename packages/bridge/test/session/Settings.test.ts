/**
 * What of an agent may be others while it runs.
 */
import { describe, expect, it } from "vitest"
import { claudeCapabilities } from "../../src/runtime/claude/Capabilities.ts"
import { codexCapabilities } from "../../src/runtime/codex/Capabilities.ts"
import { choiceIn, settingsUpdate } from "../../src/runtime/codex/Choices.ts"
import { leaveOf, permissionModes } from "../../src/runtime/codex/Options.ts"
import { execCapabilities } from "../../src/runtime/codexexec/Capabilities.ts"
import { newSettings, settingsIn, unsupportedSetting } from "../../src/session/Settings.ts"

describe("settings", () => {
  it("that a kind of agent has nothing for are refused in words that say what there is", () => {
    const capabilities = claudeCapabilities(false)
    const some = { name: "The Steady", capabilities: { ...capabilities, settingsLater: ["model", "permissionMode"] } }
    expect(unsupportedSetting({ model: null, permissionMode: "plan" }, some)).toBeUndefined()
    expect(unsupportedSetting({ model: "m", effort: "low" }, some)).toMatchObject({
      code: "UNSUPPORTED",
      setting: "effort",
      message: expect.stringContaining("model, permissionMode")
    })
    const still = { name: "The Silent", capabilities: { ...capabilities, settingsLater: [] } }
    expect(unsupportedSetting({ model: "m" }, still)?.message).toContain("nothing")
    for (const capabilities of [claudeCapabilities(false), codexCapabilities(false), execCapabilities])
      expect(unsupportedSetting({ model: "m", permissionMode: "x", effort: "low" }, { name: "", capabilities })).toBe(
        undefined
      )
  })

  it("are news where they differ from what was chosen", () => {
    const now = { model: "m", permissionMode: "plan" }
    expect(newSettings({ model: "m", permissionMode: "default", effort: "low" }, now)).toEqual({
      permissionMode: "default",
      effort: "low"
    })
    expect(newSettings({ model: null }, now)).toEqual({ model: null })
    expect(settingsIn({ effort: "low" })).toEqual(["effort"])
  })

  it("of Codex ask and shut in as the permission mode does that a thread begins with, and are kept as that", () => {
    for (const permissionMode of permissionModes) {
      const update = settingsUpdate({ permissionMode }, { addDirs: ["/more"] })
      if (update._tag === "Failure") throw update.failure
      const kept = choiceIn("thread/settings/update", update.success, {})?.permissionMode
      expect(leaveOf(kept)).toEqual(leaveOf(permissionMode))
      const { sandboxPolicy } = update.success as { readonly sandboxPolicy: Readonly<Record<string, unknown>> }
      expect(sandboxPolicy["writableRoots"]).toEqual(
        leaveOf(permissionMode).sandbox === "workspace-write" ? ["/more"] : undefined
      )
    }
    expect(settingsUpdate({ permissionMode: "toString" }, {})).toMatchObject({ failure: { code: "REFUSED" } })
    expect(settingsUpdate({ model: null }, {})).toMatchObject({ failure: { code: "UNSUPPORTED" } })
    expect(settingsUpdate({ model: "m" }, {})).toMatchObject({ success: { model: "m" } })
  })
})
