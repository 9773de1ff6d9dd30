/**
 * The page of `agentwire serve --page`: the built files by their paths, ready to be answered.
 *
 * They are public, so nothing in them is secret. What the agent writes ends up in the page, so the policy lets it
 * load nothing from anywhere else: a picture in an answer could carry a secret away.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { extname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import type { HandlerOptions } from "@agentwire/bridge/http"
import { Failure } from "../Failure.ts"

/** What the page is told. */
export interface PageSettings {
  /** Where CopilotKit's routes are; empty: at the root. */
  readonly basePath: string
  /** The kinds of agents; the first is for threads that name none. */
  readonly agents: ReadonlyArray<PageAgent>
}

/** A kind of agent that a thread of the page can be with. */
export interface PageAgent {
  /** What the option `runtime` of a session calls it. */
  readonly kind: string
  readonly name: string
  /** What may be typed, to try the demo. */
  readonly suggestions: ReadonlyArray<{ readonly title: string; readonly prompt: string }>
}

/** The files by their paths. */
export type Page = NonNullable<HandlerOptions["page"]>

type FileAnswer = Page extends ReadonlyMap<string, infer File> ? File : never

const contentTypes: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8"
}

const headers = {
  "content-security-policy": [
    "default-src 'self'",
    // React writes styles into elements, and so does what CopilotKit is made of.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin"
}

// In the source, and in the built command.
const folders = [new URL("../../dist/page/", import.meta.url), new URL("./page/", import.meta.url)].map((url) =>
  fileURLToPath(url)
)

/** Reads the page. Throws a {@link Failure} when it was not built. */
export const readPage = (settings: PageSettings): Page => {
  const folder = folders.find((path) => existsSync(join(path, "index.html")))
  if (folder === undefined)
    throw new Failure("The page was not built. In a checkout, run `npm run build`; without --page none is needed.")
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => Object.hasOwn(contentTypes, extname(name)))
    .map((name) => [pathOf(name), fileAnswer(extname(name), readFileSync(join(folder, name)))] as const)
  return new Map([...files, ["/page.json", fileAnswer(".json", JSON.stringify(settings))]])
}

const pathOf = (name: string): string => (name === "index.html" ? "/" : `/${name.split(sep).join("/")}`)

const fileAnswer = (extension: string, body: FileAnswer["body"]): FileAnswer => ({
  _tag: "File",
  contentType: contentTypes[extension] ?? "application/octet-stream",
  body,
  headers
})
