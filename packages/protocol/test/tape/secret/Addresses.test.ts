import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("a secret in an address", () => {
  it.each([
    ["redis://:pw1@cache/0", "redis://:REDACTED_password_1@cache/0"],
    ["jdbc:oracle:thin:app/hunter2@//db:1521/X", "jdbc:oracle:thin:app/REDACTED_password_1@//db:1521/X"],
    ["app:hunter2@tcp(db:3306)/x", "app:REDACTED_password_1@tcp(db:3306)/x"],
    ["db.internal:5432:app:svc:hunter2", "db.internal:5432:app:svc:REDACTED_password_1"],
    ["https://x/?a=1&key=q7Rk2m9wT4bV6nXz81Lp0", "https://x/?a=1&key=REDACTED_secret_1"],
    ["user:password@tcp(host)", "user:password@tcp(host)"],
    ["https://x/?key=installation-of-the-tool", "https://x/?key=installation-of-the-tool"]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
