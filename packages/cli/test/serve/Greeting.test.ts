import { describe, expect, it } from "vitest"
import { type Greeting, greeting, greetingJson } from "../../src/serve/Greeting.ts"

const secret = "t0ken-0123456789abcdef"
const basis: Greeting = {
  basePath: undefined,
  cwd: "/work",
  isNew: true,
  origins: [],
  page: true,
  token: secret,
  url: "http://127.0.0.1:3210",
  what: "an agent"
}

const json = (more: Partial<Greeting>) => JSON.parse(greetingJson({ ...basis, ...more }))

describe("what serve prints when it listens", () => {
  it("is one line for a program, with the same keys whatever was asked for", () => {
    const keys = ["url", "copilotkit", "page", "token", "auth", "agent", "cwd", "origins"]
    for (const more of [{}, { page: false }, { isNew: false }, { isNew: false, token: undefined }]) {
      expect(Object.keys(json(more))).toEqual(keys)
      expect(greetingJson({ ...basis, ...more })).not.toContain("\n")
    }
  })

  it("has a token that was made up, and none that was given", () => {
    expect(json({})).toMatchObject({ token: secret, auth: true, page: `http://127.0.0.1:3210/#token=${secret}` })
    expect(json({ isNew: false })).toMatchObject({ token: null, auth: true, page: "http://127.0.0.1:3210/" })
    expect(json({ isNew: false, token: undefined })).toMatchObject({ token: null, auth: false })
    for (const write of [greeting, greetingJson]) expect(write({ ...basis, isNew: false })).not.toContain(secret)
  })

  it("names the page that opens with the token in it, for people, too", () => {
    expect(greeting(basis)).toContain(`Open        http://127.0.0.1:3210/#token=${secret}\n`)
    expect(greeting({ ...basis, isNew: false })).toContain("Open        http://127.0.0.1:3210/#token=YOUR_TOKEN\n")
    expect(greeting({ ...basis, isNew: false, token: undefined })).toContain("Open        http://127.0.0.1:3210/\n")
    expect(greeting({ ...basis, page: false })).not.toContain("Open ")
  })
})
