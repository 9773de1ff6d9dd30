import { describe, expect, it } from "vitest"
import { makeRedactor, redactText } from "../../../src/tape/Redact.ts"
import { accountUnder } from "../../../src/tape/secret/Account.ts"
import type { Frame } from "../../../src/tape/Tape.ts"

const id = "0b9c3a5e-7d21-4f60-9a41-5c2f8e6d1b07"
const org = "org-a1B2c3D4e5F6g7H8i9J0k1L2"

/** The lines of a conversation as a tape has them, and what was found. */
const redacted = (
  ...lines: ReadonlyArray<object>
): { readonly text: string; readonly kinds: ReadonlyArray<string> } => {
  const kinds: Array<string> = []
  const redactor = makeRedactor({ onFound: ({ kind }) => kinds.push(kind) })
  const frames = lines.flatMap(
    (line): Array<Frame> =>
      redactor.push({ _tag: "Data", wait: 0, from: "agent", channel: "stdout", data: `${JSON.stringify(line)}\n` })
  )
  const text = [...frames, ...redactor.end()].map((frame) => (frame._tag === "Data" ? frame.data : "")).join("")
  return { text, kinds }
}

describe("the ids of accounts", () => {
  it("are not on tapes of Codex, whichever message they are in", () => {
    const { kinds, text } = redacted(
      { id: 1, method: "account/login/start", params: { type: "chatgptAuthTokens", chatgptAccountId: id } },
      { id: 2, result: { sessions: [{ accountId: id, email: "ada@example.org", selectedWorkspaceAccountId: id }] } },
      { id: 3, method: "account/chatgptAuthTokens/refresh", params: { previousAccountId: id } },
      { id: 4, result: { creatorAccountUserId: "user-q7R8s9T0u1V2" } },
      { method: "x", params: { headers: { "chatgpt-account-id": id } } },
      // A command has shown auth.json.
      { method: "y", params: { output: JSON.stringify({ tokens: { account_id: id } }, null, 2) } },
      { method: "error", params: { message: `Rate limit reached in organization ${org} on tokens per min` } }
    )
    for (const secret of [id, org, "user-q7R8s9T0u1V2", "ada@example.org"]) expect(text).not.toContain(secret)
    expect(new Set(kinds)).toEqual(new Set(["account", "email"]))
    // One account has one name.
    expect(text).toContain(`"chatgptAccountId":"REDACTED_account_1"`)
    expect(text).toContain(`"accountId":"REDACTED_account_1"`)
    expect(text).toContain(`account_id\\": \\"REDACTED_account_1\\"`)
  })

  it.each([
    `account_id=${id}`,
    `ORG_ID: "${id}"`,
    `{"organizationUuid": "${id}"}`,
    `export ACCOUNT_ID='123456789012'`,
    org
  ])("are found in texts: %s", (text) => {
    expect(redactText(text)).toMatch(/REDACTED_account_1/)
    expect(redactText(redactText(text))).toBe(redactText(text))
  })

  it("are ids: types, words, variables and other ids stay", () => {
    for (const text of [
      "accountId: string",
      'accountId: "your-account-id"',
      "const accountId = session.accountId",
      'account_id: "main"',
      `"threadId": "${id}"`,
      "user-defined-functions-are-2-of-those",
      "org-mode and org-roam-2"
    ])
      expect(redactText(text), text).toBe(text)
    expect(accountUnder("accountId", "default")).toEqual([])
    expect(accountUnder("threadId", id)).toEqual([])
  })
})
