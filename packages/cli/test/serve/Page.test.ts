import { describe, expect, it } from "vitest"
import { greeting } from "../../src/serve/Greeting.ts"
import { readPage } from "../../src/serve/Page.ts"

const settings = {
  basePath: "/kit",
  agents: [{ kind: "claude", name: "Claude Code", suggestions: [{ title: "Try", prompt: "Try it" }] }]
}

const textOf = (body: string | Uint8Array | undefined): string =>
  typeof body === "string" ? body : new TextDecoder().decode(body)

describe("readPage", () => {
  const page = readPage(settings)

  it("has every file that the page loads, and tells what each is", () => {
    const index = textOf(page.get("/")?.body)
    const loaded = [...index.matchAll(/(?:src|href)="(\/[^"]*)"/g)].map(([, path]) => path ?? "")
    expect(loaded).toEqual(["/page.css", "/page.js"])
    expect(loaded.filter((path) => !page.has(path))).toEqual([])
    expect(page.get("/")?.contentType).toMatch(/^text\/html/)
    expect(page.get("/page.js")?.contentType).toMatch(/^text\/javascript/)
    const chunks = [...textOf(page.get("/page.js")?.body).matchAll(/\.\/(chunks\/[\w.-]+\.js)/g)].map(
      ([, path]) => `/${path}`
    )
    expect(chunks.length).toBeGreaterThan(0)
    expect(chunks.filter((path) => !page.has(path))).toEqual([])
  })

  it("lets the page load nothing from anywhere else", () => {
    for (const { headers } of page.values()) {
      const policy = headers?.["content-security-policy"] ?? ""
      expect(policy).toMatch(/^default-src 'self';/)
      expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src/)
    }
  })

  it("tells the page its settings", () => {
    expect(JSON.parse(textOf(page.get("/page.json")?.body))).toEqual(settings)
  })
})

describe("greeting", () => {
  const said = (token: string | undefined, isNew: boolean) =>
    greeting({
      cwd: "/here",
      what: "an agent",
      url: "http://127.0.0.1:1",
      origins: [],
      page: true,
      basePath: undefined,
      token,
      isNew
    })

  it("has one URL to open, with the token only where nobody knows it yet", () => {
    expect(said("secret-made-up-here", true)).toContain("Open        http://127.0.0.1:1/#token=secret-made-up-here\n")
    expect(said("secret-of-the-user", false)).toContain("Open        http://127.0.0.1:1/#token=YOUR_TOKEN\n")
    expect(said("secret-of-the-user", false)).not.toContain("secret-of-the-user")
    expect(said(undefined, false)).toContain("Open        http://127.0.0.1:1/\n")
  })
})
