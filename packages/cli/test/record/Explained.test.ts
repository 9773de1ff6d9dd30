import { describe, expect, it } from "vitest"
import { explained } from "../../src/record/Explained.ts"

describe("an explanation", () => {
  it("says where, what stands there now, and what gave it away", () => {
    const finding = {
      kind: "password",
      rule: "address",
      because: "is the password in an address",
      placeholder: "REDACTED_password_1"
    }
    expect(
      explained([
        { ...finding, frame: 3, place: "agent stdout message.content[].text" },
        { ...finding, frame: 0, place: "argv[1]" }
      ])
    ).toEqual([
      "  frame 3, agent stdout message.content[].text: REDACTED_password_1 is the password in an address (rule: address)",
      "  header, argv[1]: REDACTED_password_1 is the password in an address (rule: address)"
    ])
  })
})
