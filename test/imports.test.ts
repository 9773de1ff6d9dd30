/** The rules of who may import whom see what breaks them: a small tree of the same rooms, broken in one place each. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const folders: Array<string> = []
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

/** A tree that keeps the rules, but for these files. */
const check = (files: Readonly<Record<string, string>>) => {
  const folder = mkdtempSync(join(tmpdir(), "agentwire-imports-"))
  folders.push(folder)
  const all: Readonly<Record<string, string>> = {
    "packages/protocol/src/index.ts": 'export * from "./wire/Line.ts"',
    "packages/protocol/src/wire/Line.ts": 'import "effect/Schema"\nexport const line = 1',
    "packages/protocol/src/claude/Fold.ts": 'import "../wire/Line.ts"\nexport interface Fold {}',
    "packages/protocol/src/agui/Write.ts": 'import "../wire/Line.ts"',
    "packages/fixtures/src/index.ts": 'import "@agentwire/protocol"',
    "packages/bridge/src/index.ts": 'export * from "./session/Session.ts"',
    "packages/bridge/src/session/Session.ts":
      'import "../log/Log.ts"\nimport "@agentwire/protocol/wire/Line.ts"\nexport const session = 1',
    "packages/bridge/src/log/Log.ts": "export const log = 1",
    "packages/bridge/src/face/agui/Agui.ts": 'import "../../session/Session.ts"\nexport interface Agui {}',
    "packages/bridge/src/face/management/Frames.ts": 'import "../agui/Agui.ts"',
    "packages/bridge/src/client/Client.ts": "export const client = 1",
    "packages/cli/src/index.ts": 'import "@agentwire/bridge"',
    "packages/cli/page/main.tsx":
      'import "react"\nimport "@agentwire/protocol"\nimport "../../bridge/src/client/Client.ts"\nconst shown = <p />',
    ...files
  }
  for (const [name, dependencies] of [
    ["protocol", ["effect"]],
    ["fixtures", ["@agentwire/protocol"]],
    ["bridge", ["@agentwire/protocol"]],
    ["cli", ["@agentwire/bridge", "@agentwire/protocol"]]
  ] as const) {
    const manifest = {
      name: `@agentwire/${name}`,
      exports: { ".": "./src/index.ts", "./*": "./src/*" },
      dependencies: Object.fromEntries(dependencies.map((each) => [each, "*"]))
    }
    write(folder, `packages/${name}/package.json`, JSON.stringify(manifest))
    mkdirSync(join(folder, "node_modules", "@agentwire"), { recursive: true })
    symlinkSync(join(folder, "packages", name), join(folder, "node_modules", "@agentwire", name))
  }
  for (const name of ["effect", "react"])
    symlinkSync(join(root, "node_modules", name), join(folder, "node_modules", name))
  for (const [path, text] of Object.entries(all)) write(folder, path, text)
  const { status, stderr } = spawnSync(process.execPath, [join(root, "scripts", "imports.mjs"), folder], {
    encoding: "utf8"
  })
  return {
    status,
    findings:
      stderr
        .split("\n\n")[0]
        ?.split("\n")
        .filter((line) => line !== "") ?? []
  }
}

const write = (folder: string, path: string, text: string): void => {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** Files that break the rules, and what is said of each. */
const broken: ReadonlyArray<readonly [what: string, file: string, text: string, finding: string]> = [
  ["a runtime in a face", "packages/protocol/src/agui/Code.ts", 'import "../claude/Fold.ts"', "agui may import"],
  [
    "a type of one",
    "packages/protocol/src/agui/Type.ts",
    'import type { Fold } from "../claude/Fold.ts"\nexport type Mine = Fold',
    "agui may import"
  ],
  [
    "a face in the session",
    "packages/bridge/src/session/Face.ts",
    'import "../face/agui/Agui.ts"',
    "session may import"
  ],
  [
    "an agent's protocol in the session",
    "packages/bridge/src/session/Claude.ts",
    'import type { Fold } from "@agentwire/protocol/claude/Fold.ts"\nexport type Mine = Fold',
    "session may import"
  ],
  [
    "all protocols at once in the session",
    "packages/bridge/src/session/All.ts",
    'import { line } from "@agentwire/protocol"\nexport const mine = line',
    "session may import"
  ],
  [
    "a client's protocol in the log",
    "packages/bridge/src/log/Agui.ts",
    'import "@agentwire/protocol/agui/Write.ts"',
    "log may import"
  ],
  ["a face in a face", "packages/bridge/src/face/mcp/Mcp.ts", 'import "../agui/Agui.ts"', "face/mcp may import"],
  ["a dynamic import", "packages/bridge/src/log/Later.ts", 'void import("../session/Session.ts")', "log may import"],
  [
    "the bridge in the fixtures",
    "packages/fixtures/src/Bridge.ts",
    'import "@agentwire/bridge"',
    "fixtures may import"
  ],
  [
    "a folder nobody listed",
    "packages/bridge/src/misc/Util.ts",
    'import "../log/Log.ts"',
    "no row in scripts/rooms.mjs"
  ],
  [
    "a session in the page",
    "packages/cli/page/Session.tsx",
    'import "@agentwire/bridge"\nconst shown = <p />',
    "runs in a browser, and may import"
  ],
  ["the command in the page", "packages/cli/page/Command.ts", 'import "../src/index.ts"', "runs in a browser"],
  ["Node in the page", "packages/cli/page/Files.ts", 'import "node:fs"', "there is no Node"],
  ["the page in the command", "packages/cli/src/Page.ts", 'import "../page/main.tsx"', "cli may import"],
  ["a cycle of types", "packages/bridge/src/log/Here.ts", 'import type {} from "./There.ts"', "is in a cycle"],
  ["a stranger's package", "packages/bridge/src/log/Stranger.ts", 'import "react"', "no dependency of its package"],
  ["what is not there", "packages/bridge/src/log/Lost.ts", 'import "./Gone.ts"', "it is not there"]
]

const there = { "packages/bridge/src/log/There.ts": 'import type {} from "./Here.ts"' }

describe("the rules of imports", () => {
  it("find nothing in what keeps them", () => {
    expect(check({})).toEqual({ status: 0, findings: [] })
  })

  describe("find", () => {
    let found: ReturnType<typeof check>
    beforeAll(() => {
      found = check({ ...there, ...Object.fromEntries(broken.map(([, file, text]) => [file, text])) })
    })

    it.each(broken)("%s", (_, file, __, finding) => {
      expect(found.status).toBe(1)
      expect(found.findings.filter((each) => each.startsWith(file) && each.includes(finding))).not.toEqual([])
    })

    it("nothing else", () => {
      const files = broken.map(([, file]) => file)
      expect(found.findings.filter((each) => !files.some((file) => each.startsWith(file)))).toEqual([])
    })
  })
})
