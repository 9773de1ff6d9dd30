/** The file of extensions: what it names is found from its folder, and what is wrong with it is said. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { loadExtensionFile } from "../../src/extension/ExtensionFile.ts"
import { folder } from "./Hosting.ts"

const written = (text: string) =>
  Effect.map(folder, (path) => {
    writeFileSync(join(path, "one.mjs"), "")
    const file = join(path, "extensions.json")
    writeFileSync(file, text)
    return { file, path }
  })

describe("the file of extensions", () => {
  it.live("names modules, configurations and limits", () =>
    Effect.gen(function* () {
      const { file, path } = yield* written(
        '{"extensions": [{"module": "./one.mjs", "config": {"a": 1}, "limits": {"methodMs": 5}}, {"module": "one.mjs"}]}'
      )
      expect(yield* loadExtensionFile(file)).toEqual([
        { module: join(path, "one.mjs"), config: { a: 1 }, limits: { methodMs: 5 } },
        { module: join(path, "one.mjs") }
      ])
    }).pipe(Effect.scoped)
  )

  it.live.each([
    ["what is no JSON", "{", "EXTENSIONS_INVALID", "is not JSON"],
    ["another document", "[]", "EXTENSIONS_INVALID", "does not fit"],
    ["a module that is none", '{"extensions": [{"module": 1}]}', "EXTENSIONS_INVALID", "$.extensions[0].module"],
    ["a key that nobody reads", '{"extensions": [{"module": "one.mjs", "confg": {}}]}', "EXTENSIONS_INVALID", "confg"],
    [
      "a limit that there is not",
      '{"extensions": [{"module": "one.mjs", "limits": {"x": 1}}]}',
      "EXTENSIONS_INVALID",
      "x"
    ],
    [
      "a module that is not there",
      '{"extensions": [{"module": "none.mjs"}]}',
      "EXTENSION_MODULE_MISSING",
      "$.extensions[0].module"
    ]
  ] as const)("is refused with %s", ([, text, code, words]) =>
    Effect.gen(function* () {
      const { file } = yield* written(text)
      const failure = yield* Effect.flip(loadExtensionFile(file))
      expect(failure.code).toBe(code)
      expect(failure.message).toContain(words)
    }).pipe(Effect.scoped)
  )

  it.live("is refused when it is not there", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(loadExtensionFile("/none/at/all.json"))).toMatchObject({
        code: "EXTENSIONS_UNREADABLE"
      })
    })
  )
})
