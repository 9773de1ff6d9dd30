import { Tape } from "@agentwire/protocol"
import { describe, expect, it } from "vitest"

describe("a password on a command line", () => {
  it.each([
    ["curl -uada:hunter2 https://x", "curl -uada:REDACTED_password_1 https://x"],
    ["curl -b 'sid=q7Rk2m9w' https://x", "curl -b 'sid=REDACTED_password_1' https://x"],
    ["mysql -u ada -phunter2 app", "mysql -u ada -pREDACTED_password_1 app"],
    [
      "mc alias set local http://minio:9000 minioadmin hunter22",
      "mc alias set local http://minio:9000 minioadmin REDACTED_password_1"
    ],
    ["echo 'root:hunter2' | sudo chpasswd", "echo 'root:REDACTED_password_1' | sudo chpasswd"],
    ["unzip -P hunter2 a.zip", "unzip -P REDACTED_password_1 a.zip"],
    ["az login -p $SECRET", "az login -p $SECRET"],
    ["zip -r a.zip folder", "zip -r a.zip folder"],
    ["echo user:password | chpasswd", "echo user:password | chpasswd"]
  ])("%s", (text, redacted) => {
    expect(Tape.redactText(text)).toBe(redacted)
  })
})
