/**
 * The files of an extension's web pages: what lies in its folder, and nothing that lies elsewhere, whatever the path says
 * and wherever links lead.
 */
import { readFile, realpath, stat } from "node:fs/promises"
import { extname, join, sep } from "node:path"
import { fileURLToPath } from "node:url"
import * as Effect from "effect/Effect"
import type { FileAnswer } from "../http/Answer.ts"
import { pagePolicy } from "./PageAnswers.ts"

/** The largest file that is served. */
const maxBytes = 50_000_000

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".map": "application/json; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".ico": "image/x-icon",
  ".woff2": "font/woff2",
  ".wasm": "application/wasm"
}

/** Whether a segment names something in its folder, on any system. */
const isPlain = (segment: string): boolean =>
  segment !== "" && !segment.startsWith(".") && !/[/\\:\p{Cc}]/u.test(segment)

/** A file of a folder by the segments of its path; that of a folder is its `index.html`. Undefined: there is none. */
export const pageFile = (folder: string, segments: ReadonlyArray<string>): Effect.Effect<FileAnswer | undefined> =>
  Effect.promise(async () => {
    if (!segments.every(isPlain)) return undefined
    try {
      const root = await realpath(folder.startsWith("file:") ? fileURLToPath(folder) : folder)
      const wanted = await realpath(join(root, ...segments))
      const file = (await stat(wanted)).isDirectory() ? await realpath(join(wanted, "index.html")) : wanted
      if (!file.startsWith(root + sep)) return undefined
      const { isFile, size } = await stat(file).then((found) => ({ isFile: found.isFile(), size: found.size }))
      if (!isFile || size > maxBytes) return undefined
      return {
        _tag: "File",
        headers: pagePolicy,
        contentType: types[extname(file).toLowerCase()] ?? "application/octet-stream",
        body: await readFile(file)
      }
    } catch {
      return undefined // there is no such file, or it may not be read
    }
  })
