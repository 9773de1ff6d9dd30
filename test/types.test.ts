/** Our types against the official ones: `typetest/` compiles. (`npm run types` compiles everything here.) */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))
const here = fileURLToPath(new URL(".", import.meta.url))

const compile = (project: string): string => {
  try {
    return execFileSync(process.execPath, [join(root, "node_modules", "typescript", "bin", "tsc"), "-p", project], {
      encoding: "utf8"
    })
  } catch (error) {
    return (error as { readonly stdout: string }).stdout
  }
}

describe("the official types", () => {
  it("fit ours, and none of theirs is missing", () => {
    expect(compile(join(here, "typetest"))).toBe("")
  })

  it("would fail by name, were a message of theirs missing from ours", () => {
    const folder = mkdtempSync(join(here, "typetest-broken-"))
    try {
      // The same test without our `system/init`, as if it were new upstream.
      const source = readFileSync(join(here, "typetest", "SdkMessage.ts"), "utf8")
      const table = /from "(.*\/System\.ts)"/.exec(source)?.[1]
      expect(table).toBeDefined()
      writeFileSync(
        join(folder, "System.ts"),
        `import { systemMessages as all } from "${table}"\nconst { init: _, ...systemMessages } = all\nexport { systemMessages }\nexport type * from "${table}"\n`
      )
      writeFileSync(join(folder, "SdkMessage.ts"), source.replace(String(table), "./System.ts"))
      const options = {
        noEmit: true,
        composite: false,
        emitDeclarationOnly: false,
        declaration: false,
        declarationMap: false
      }
      const config = { extends: "../../tsconfig.base.json", compilerOptions: options, files: ["SdkMessage.ts"] }
      writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config))
      expect(compile(folder)).toContain("system/init")
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
