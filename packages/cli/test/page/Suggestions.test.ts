import { describe, expect, it } from "vitest"
import { moreToAllow, rememberedBy } from "../../page/Suggestions.ts"

const mode = { type: "setMode", mode: "acceptEdits", destination: "session" }
const folder = { type: "addDirectories", directories: ["/tmp", "/var"], destination: "session" }
const rule = { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "localSettings" }

describe("what may be remembered", () => {
  it("always means what the question says it means", () => {
    expect(rememberedBy([{ id: "Bash(ls:*)", label: "Bash(ls:*)" }, { id: "odd" }, null])).toEqual(["Bash(ls:*)"])
    expect(rememberedBy(undefined)).toEqual([])
  })

  it("more than rules is chosen by name, and sent as it was suggested", () => {
    expect(moreToAllow([rule, mode, folder])).toEqual([
      { label: "Allow and switch to acceptEdits", suggestion: mode },
      { label: "Allow and open /tmp, /var", suggestion: folder }
    ])
    expect(moreToAllow([rule, { type: "later" }, "odd"])).toEqual([])
    expect(moreToAllow("odd")).toEqual([])
  })
})
