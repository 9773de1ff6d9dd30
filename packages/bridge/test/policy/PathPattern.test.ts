import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { matchText } from "../../src/policy/Match.ts"
import { globsMeet, matchPlace, pathPatternFrom, shellGlob } from "../../src/policy/PathPattern.ts"

const match = (pattern: string, path: string, more: object = {}) =>
  Effect.map(
    Effect.promise(() => pathPatternFrom("/w", pattern)),
    (from) =>
      matchPlace(
        from,
        { written: path, real: [path], ...("isCaseless" in more ? { isCaseless: true as const } : {}) },
        { isStrict: true, isSearch: false, ...more }
      )
  )

describe("matchPlace", () => {
  it.effect.each([
    [".env", "/w/.ENV", {}, "no"],
    [".env", "/w/.ENV", { isCaseless: true }, "yes"],
    ["/**/.ssh/*", "/W/.\u017fSH/x", { isCaseless: true }, "yes"],
    ["/**/.ssh/*", "/w/.s\u200csh/x", { isCaseless: true }, "yes"],
    ["caf\u0065\u0301", "/w/caf\u00e9", {}, "yes"],
    ["secret/**", "/w", { isSearch: true }, "maybe"],
    ["secret/**", "/w/src", { isSearch: true }, "no"],
    [".env*", "/w/src", { isSearch: true }, "no"],
    ["/**/.env", "/w/src", { isSearch: true }, "maybe"],
    [".env", "/w", { globs: [".e*"] }, "maybe"],
    [".env", "/w", { globs: ["*"] }, "maybe"],
    [".env", "/w", { globs: ["*.ts"] }, "no"],
    ["/**/.env.*", "/w/src", { globs: ["*.ts"] }, "no"],
    ["secret/**", "/w", { globs: ["s*", "x"] }, "maybe"],
    ["secret/**", "/w", { globs: ["a*", "x"] }, "no"],
    ["app/[id]/x", "/w/app/[id]/x", {}, "yes"]
  ] as const)("says about %s and %s with %j: %s", ([pattern, path, more, expected]) =>
    Effect.gen(function* () {
      assert.strictEqual(yield* match(pattern, path, more), expected)
    })
  )

  it.effect("allows what globs find only below a folder that is allowed altogether, and never in another case", () =>
    Effect.gen(function* () {
      const allow = { isStrict: false }
      assert.strictEqual(yield* match("src/**", "/w/src", { ...allow, globs: ["*.ts"] }), "yes")
      assert.strictEqual(yield* match("src/*", "/w/src", { ...allow, globs: ["*.ts"] }), "no")
      assert.strictEqual(yield* match("src/**", "/w/SRC/x", { ...allow, isCaseless: true }), "no")
    })
  )
})

describe("globsMeet", () => {
  const glob = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 5 })
  const name = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 5 })

  it("is true wherever one name fits both", () => {
    fc.assert(
      fc.property(glob, glob, name, (one, other, both) => {
        if (matchText(one, both) && matchText(other, both)) assert.strictEqual(globsMeet(one, other), true)
      }),
      { numRuns: 5000 }
    )
  })

  it.each([
    [".env", ".e*", true],
    [".env", "*env", false],
    [".env", ".[a-f]nv", true],
    ["a*c", "b*", false],
    ["*.key", "id_*", true],
    [".env", "?env", false]
  ] as const)("says about %s and %s: %s", (one, other, expected) => {
    assert.strictEqual(globsMeet(one, other), expected)
  })
})

it.each([
  ["a/*.ts", ["a", ["*.ts"]]],
  ["*", [".", ["*"]]],
  ["/*/x", ["/", ["*", "x"]]],
  ["a/b", ["a/b", []]]
] as const)("cuts the glob %s where it begins", (text, expected) => {
  assert.deepStrictEqual(shellGlob(text), expected)
})
