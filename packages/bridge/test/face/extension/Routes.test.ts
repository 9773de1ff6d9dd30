/** Extensions over HTTP: their health, their methods and their pages, for those who may enter and for nobody else. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import type { Extension } from "../../../src/extension/Extension.ts"
import type { ExtensionChoice } from "../../../src/extension/ExtensionHost.ts"
import type { Listening } from "../../../src/server/HttpServer.ts"
import { folder, hosting } from "../../extension/Hosting.ts"
import { fakeSessions } from "../../FakeSessions.ts"
import { ask, entering, serving } from "../../Serving.ts"

const site: Extension = {
  id: "site",
  name: "Site",
  methods: ["site.add", "site.fail"],
  handleMethod: (method, { a, b }) => {
    if (method === "site.fail") throw new Error("It has failed.")
    return Number(a) + Number(b)
  },
  handlePage: (request) => {
    switch (request.path) {
      case "/json":
        return { json: request }
      case "/odd":
        return {
          status: 201,
          headers: {
            "Content-Type": "text/csv",
            "X-Own": "1",
            "Set-Cookie": "a=b",
            "Access-Control-Allow-Origin": "*"
          },
          text: "a,b"
        }
      case "/nothing":
        return { status: 42 }
      default:
        return null as never
    }
  }
}

const onServer = <A>(
  choices: ReadonlyArray<ExtensionChoice>,
  use: (server: Listening) => Promise<A>
): Effect.Effect<A, never> =>
  Effect.gen(function* () {
    const { extensions } = yield* hosting(choices)
    return yield* Effect.promise(() => serving(fakeSessions(), use, { extensions }))
  }).pipe(Effect.scoped)

const json = (body: string): unknown => JSON.parse(body)

describe("the routes of extensions", () => {
  it.live("list them with their health", () =>
    onServer([{ extension: site }], async (server) => {
      expect(json((await ask(server, "GET", "/extensions")).body)).toMatchObject({
        extensions: [{ id: "site", status: "running", ok: true, methods: ["site.add", "site.fail"], pages: true }]
      })
    })
  )

  it.live("call methods, by both of their names", () =>
    onServer([{ extension: site }], async (server) => {
      for (const name of ["add", "site.add"]) {
        const got = await ask(server, "POST", `/ext/site/call/${name}`, entering, '{"a":1,"b":2}')
        expect([got.status, json(got.body)]).toEqual([200, { result: 3 }])
      }
      for (const [path, body, status, code] of [
        ["/ext/none/call/add", "{}", 404, "EXTENSION_NOT_FOUND"],
        ["/ext/site/call/none", "{}", 404, "EXTENSION_METHOD_UNKNOWN"],
        ["/ext/site/call/fail", "{}", 502, "EXTENSION_FAILED"],
        ["/ext/site/call/add", "[]", 400, "BAD_INPUT"]
      ] as const) {
        const got = await ask(server, "POST", path, entering, body)
        expect([got.status, json(got.body)]).toMatchObject([status, { error: { code } }])
      }
    })
  )

  it.live("are the same with none", () =>
    Effect.promise(() =>
      serving(fakeSessions(), async (server) => {
        expect(json((await ask(server, "GET", "/extensions")).body)).toEqual({ extensions: [] })
        expect((await ask(server, "GET", "/ext/site/json")).status).toBe(404)
      })
    )
  )

  it.live("ask an extension for its pages, and keep to themselves what lets callers in", () =>
    onServer([{ extension: site }], async (server) => {
      const asked = await ask(server, "PUT", "/ext/site/json?q=1", { ...entering, cookie: "c=d", "x-mine": "2" }, "[7]")
      const seen = json(asked.body) as { readonly headers: Readonly<Record<string, string>> }
      expect(seen).toMatchObject({ method: "PUT", path: "/json", query: { q: "1" }, body: [7] })
      expect(seen.headers["x-mine"]).toBe("2")
      expect(JSON.stringify(seen)).not.toMatch(/authorization|cookie|token-of/i)
      const odd = await ask(server, "GET", "/ext/site/odd")
      expect([odd.status, odd.body, odd.headers["content-type"], odd.headers["x-own"]]).toEqual([
        201,
        "a,b",
        "text/csv",
        "1"
      ])
      expect([odd.headers["set-cookie"], odd.headers["access-control-allow-origin"]]).toEqual([undefined, undefined])
      for (const [path, status] of [
        ["/ext/site/nothing", 502],
        ["/ext/site/none", 404],
        ["/ext/site", 404],
        ["/ext", 404]
      ] as const)
        expect((await ask(server, "GET", path)).status).toBe(status)
    })
  )

  it.live("let in whom all other routes let in", () =>
    onServer([{ extension: site }], async (server) => {
      for (const path of ["/extensions", "/ext/site/json"]) {
        expect((await ask(server, "GET", path, {})).status).toBe(401)
        expect((await ask(server, "GET", path, { ...entering, origin: "http://elsewhere.example" })).status).toBe(403)
        expect((await ask(server, "GET", path, { ...entering, host: "elsewhere.example" })).status).toBe(403)
      }
    })
  )

  it.live("give the files of an extension's folder, and nothing that lies elsewhere", () =>
    Effect.gen(function* () {
      const root = yield* folder
      const pages = join(root, "pages")
      mkdirSync(join(pages, "deep"), { recursive: true })
      writeFileSync(join(root, "secret.txt"), "secret")
      writeFileSync(join(pages, "index.html"), "<p>Hello")
      writeFileSync(join(pages, "deep", "a b.js"), "1")
      writeFileSync(join(pages, ".hidden"), "secret")
      symlinkSync(join(root, "secret.txt"), join(pages, "link.txt"))
      symlinkSync(root, join(pages, "up"))
      yield* onServer(
        [{ extension: { id: "files", name: "Files", pages: pathToFileURL(pages).href } }],
        async (server) => {
          const got = async (path: string) => {
            const { body, headers, status } = await ask(server, "GET", `/ext/files${path}`)
            return [status, status === 200 ? body : "", headers["content-type"]?.split(";")[0]]
          }
          expect(await got("/")).toEqual([200, "<p>Hello", "text/html"])
          expect(await got("")).toEqual([200, "<p>Hello", "text/html"])
          expect(await got("/deep/a%20b.js")).toEqual([200, "1", "text/javascript"])
          for (const path of [
            "/none",
            "/deep",
            "/.hidden",
            "/link.txt",
            "/up/secret.txt",
            "/../secret.txt",
            "/%2e%2e/secret.txt",
            "/..%2fsecret.txt",
            "/deep/%2e%2e/%2e%2e/secret.txt",
            "/deep%2f..%2f..%2fsecret.txt",
            "/..%5csecret.txt",
            "/index.html%00.js",
            "/index.html%0a"
          ])
            expect([path, ...(await got(path))]).toEqual([path, 404, "", "application/json"])
          const { headers } = await ask(server, "GET", "/ext/files/")
          expect(headers["content-security-policy"]).toContain("frame-ancestors 'none'")
          expect((await ask(server, "POST", "/ext/files/index.html", entering, "{}")).status).toBe(404)
        }
      )
    }).pipe(Effect.scoped)
  )
})
