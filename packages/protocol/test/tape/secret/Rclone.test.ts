/** What rclone keeps: in its file, on its command line. */
import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

const key = "kX8s2JdQ0vPz7LmN4tRw1yBh6cVf3gAe5uHi"

describe("rclone's configuration", () => {
  it.each([
    `[b2]\ntype = b2\naccount = 0012ab\nkey = ${key}\n`,
    `[a]\ntype = azureblob\naccount = acc\nkey = ${key}${key}Ab==\n`,
    `[s]\ntype = swift\nuser = u\nkey = ${key}\nauth = https://x\n`,
    `[s]\ntype = storj\naccess_grant = 1${key}\n`,
    `[s]\ntype = s3\nsse_customer_key = ${key}\n`,
    `[s]\ntype = s3\nsse_customer_key_base64 = ${key}\n`,
    `[s]\ntype = sftp\nkey_file_pass = ${key}\n`,
    `rclone obscure ${key}`,
    `rclone config password remote pass ${key}`,
    `rclone config update remote key ${key}`,
    `rclone config create r sftp host=h pass=${key}`,
    `rclone authorize "drive" "${key}"`
  ])("has a secret in %j", (text) => {
    for (const said of [text, JSON.stringify({ type: "user", text })]) expect(Tape.redactText(said)).not.toContain(key)
  })

  it("has a key with few digits, in JSON too", () => {
    const few = "CnEFgQdtQNxhv1uStTrCf+SlTXrPmpzByF5sHeen"
    const text = `[remote]\ntype = s3\nsecret_access_key = ${few}`
    for (const said of [text, JSON.stringify({ text })]) expect(Tape.redactText(said)).not.toContain(few)
  })

  it.each([
    `type = module\nkey = ${key}\n`,
    "[b2]\ntype = b2\naccount = acc\nkey = the key of it\n",
    "rclone config show\nrclone lsd remote:\n",
    "rclone config create r b2 account acc\n",
    "GRANT SELECT ON x TO y; grant = 12ab34cd56ef78\n"
  ])("has none in %j", (text) => {
    expect(Tape.redactText(text)).toBe(text)
  })
})
