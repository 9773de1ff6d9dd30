/** Folders made ready: what is missing is written, whole and once; what is there stays, whatever it is. */
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { prepareWorkspace, type WorkspaceFile } from "@agentwire/bridge/workspace"
import * as Effect from "effect/Effect"
import { afterEach, beforeEach, describe, expect, it } from "vitest"

let root: string
let folder: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "agentwire-workspace-"))
  folder = join(root, "project")
  await mkdir(folder)
})
afterEach(() => rm(root, { recursive: true, force: true }))

const file: WorkspaceFile = { path: ".claude/agents/a.md", content: "ours" }
const prepare = (files: ReadonlyArray<WorkspaceFile> = [file]) => Effect.runPromise(prepareWorkspace(folder, files))
const refused = (files: ReadonlyArray<WorkspaceFile> = [file], where = folder) =>
  Effect.runPromise(Effect.flip(prepareWorkspace(where, files)))
const read = (path: string): Promise<string> => readFile(join(folder, path), "utf8")

describe("prepareWorkspace", () => {
  it("writes what is missing, and nothing else", async () => {
    const files = [file, { path: "b.txt", content: new Uint8Array([0, 255]) }]
    expect(await prepare(files)).toEqual({ written: [".claude/agents/a.md", "b.txt"], kept: [] })
    expect(await read(file.path)).toBe("ours")
    expect(await readFile(join(folder, "b.txt"))).toEqual(Buffer.from([0, 255]))
    expect((await readdir(folder, { recursive: true })).sort()).toEqual([
      ".claude",
      ".claude/agents",
      ".claude/agents/a.md",
      "b.txt"
    ])
  })

  it("keeps what is there", async () => {
    await mkdir(join(folder, ".claude/agents"), { recursive: true })
    await writeFile(join(folder, file.path), "theirs")
    expect(await prepare()).toEqual({ written: [], kept: [file.path] })
    expect(await read(file.path)).toBe("theirs")
  })

  it("keeps a link that leads nowhere, and does not write where it leads", async () => {
    await symlink(join(root, "elsewhere"), join(folder, "a"))
    expect(await prepare([{ path: "a", content: "ours" }])).toEqual({ written: [], kept: ["a"] })
    expect(await readlink(join(folder, "a"))).toBe(join(root, "elsewhere"))
    expect(await readdir(root)).toEqual(["project"])
  })

  it("writes once when many ask at once, and leaves nothing beside it", async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => prepare([{ path: file.path, content: `${index}` }]))
    )
    const writers = outcomes.flatMap(({ written }, index) => (written.length === 1 ? [`${index}`] : []))
    expect(writers).toEqual([await read(file.path)])
    expect(await readdir(join(folder, ".claude/agents"))).toEqual(["a.md"])
  })

  it("follows a link to a folder within, and none that leads out or nowhere", async () => {
    await mkdir(join(folder, "shared"))
    await symlink("shared", join(folder, ".claude"))
    expect((await prepare()).written).toEqual([file.path])
    expect(await read("shared/agents/a.md")).toBe("ours")
    await symlink(root, join(folder, "out"))
    await symlink(join(root, "nowhere"), join(folder, "nowhere"))
    for (const name of ["out", "nowhere"])
      expect(await refused([{ path: `${name}/a.md`, content: "" }])).toMatchObject({ code: "WORKSPACE_OUTSIDE" })
    expect(await readdir(root)).toEqual(["project"])
  })

  it.each(["", "/etc/a", "../a", "a/../../b", "a//b", "./a", "a\\b", "a\0b"])("refuses the path %j", async (path) => {
    expect(await refused([file, { path, content: "" }])).toMatchObject({ code: "WORKSPACE_BAD_PATH", path })
    expect(await readdir(folder)).toEqual([])
  })

  it("says what is in the way", async () => {
    await writeFile(join(folder, ".claude"), "")
    expect(await refused()).toMatchObject({ code: "WORKSPACE_NOT_A_FOLDER", path: join(folder, ".claude") })
    expect(await refused([{ path: ".claude/a", content: "" }], join(folder, ".claude"))).toMatchObject({
      code: "WORKSPACE_NOT_A_FOLDER"
    })
    await mkdir(join(folder, "a"))
    expect(await refused([{ path: "a", content: "" }])).toMatchObject({ code: "WORKSPACE_NOT_A_FILE" })
    expect(await refused([file], join(root, "none"))).toMatchObject({ code: "WORKSPACE_MISSING" })
  })

  it("says what the system does not allow", async () => {
    const failure = await refused([{ path: "x".repeat(300), content: "" }])
    expect(failure).toMatchObject({ _tag: "WorkspaceRefused", code: "WORKSPACE_UNWRITABLE" })
    expect(failure.message).toContain("ENAMETOOLONG")
  })
})
