/** Folders of templates: the files in them, and nothing else. */
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { readTemplates } from "@agentwire/bridge/workspace"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, expect, it } from "vitest"

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "agentwire-templates-"))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

it("reads files below a folder, and follows no links", async () => {
  await mkdir(join(folder, "agents/deep"), { recursive: true })
  await writeFile(join(folder, "agents/b.md"), "b")
  await writeFile(join(folder, "agents/deep/a.md"), "a")
  await writeFile(join(folder, "agents/notes.txt"), "n")
  await symlink(tmpdir(), join(folder, "agents/out"))
  await symlink(join(folder, "agents/b.md"), join(folder, "agents/link.md"))
  const files = await Effect.runPromise(readTemplates(folder, ".md"))
  expect(files.map(({ content, path }) => [path, Buffer.from(content).toString()])).toEqual([
    ["agents/b.md", "b"],
    ["agents/deep/a.md", "a"]
  ])
})

it("says what it does not read", async () => {
  expect(await Effect.runPromise(Effect.flip(readTemplates(join(folder, "none"))))).toMatchObject({
    code: "WORKSPACE_MISSING"
  })
  await writeFile(join(folder, "large"), new Uint8Array(1024 * 1024 + 1))
  expect(await Effect.runPromise(Effect.flip(readTemplates(folder)))).toMatchObject({ code: "WORKSPACE_TOO_LARGE" })
})
