import { describe, expect, it } from "vitest"
import { redactorFor, secretValues } from "../../src/record/Redaction.ts"

describe("the environment's secrets", () => {
  it("are the values of variables that look like it, and of those that were named", () => {
    const env = {
      ANTHROPIC_API_KEY: "key-000000",
      GITHUB_TOKEN: "token-000000",
      MY_SECRET_THING: "secret-000000",
      PGPASSWORD: "password-000000",
      MAX_THINKING_TOKENS: "1000000000",
      PUBLIC_KEY: "yes",
      PATH: "/usr/bin:/bin",
      COLOUR: "blue",
      EMPTY: ""
    }
    expect(secretValues(env, ["COLOUR", "EMPTY", "ABSENT"])).toEqual([
      "blue",
      "key-000000",
      "token-000000",
      "secret-000000",
      "password-000000"
    ])
  })
})

describe("the environment", () => {
  it("has secrets that only their values give away", () => {
    const env = {
      DATABASE: "postgres://ada:correct-horse@db/app",
      SETTING: "ghp_0123456789abcdefghijABCDEFGHIJ012345",
      PWD: "/srv/project",
      EDITOR: "vim",
      MAIL: "ada@example.org"
    }
    expect(secretValues(env, [])).toEqual(["correct-horse", "ghp_0123456789abcdefghijABCDEFGHIJ012345"])
  })
})

describe("a redactor that is off", () => {
  it("changes nothing and says so in the header", () => {
    const redactor = redactorFor(
      { off: true, patterns: [{ source: ".*", find: () => [] }], variables: ["HOME"] },
      { HOME: "/home/ada" }
    )
    const frame = { _tag: "Marker", wait: 0, text: "/home/ada sk-ant-api03-000000000000000000000000" } as const
    expect(redactor.push(frame)).toEqual([frame])
    const header = {
      tape: 1,
      agentwire: "0",
      runtime: { name: "claude-code" },
      transport: "stdio",
      argv: ["/home/ada"],
      startedAt: "",
      redacted: []
    } as const
    expect(redactor.header(header)).toEqual(header)
  })
})
