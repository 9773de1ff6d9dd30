import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { isPlainAwk, isPlainSed } from "../../../src/policy/program/ScriptDoubts.ts"
import { emptyFolder } from "../../Folder.ts"

describe("isPlainSed", () => {
  it.each([
    ...[
      "p",
      "1,5p",
      "$d",
      "/a/,/b/p",
      "s/a/b/",
      "s/a/b/g;s,x,y,2p",
      "1!d",
      "/a/{s/b/c/;p}",
      "y/ab/cd/",
      "10q",
      "1~2p",
      "a\\\nw x"
    ],
    ...[
      "s/[ab]/w x/",
      "/^#/d",
      ":a;N;$!ba;s/\\n/ /g",
      "i text w x",
      "s|a|b|I",
      "\\,a,p",
      "5,+3p",
      "# w x\np",
      "s/a\\/b/c/"
    ]
  ])("takes %j for plain", (script) => {
    assert.strictEqual(isPlainSed(script), true)
  })

  it.each([
    ...[
      "w x",
      "1w x",
      "/a/w x",
      "s/a/b/w x",
      "s/a/b/e",
      "e ls",
      "1e",
      "r x",
      "R x",
      "W x",
      "p;w x",
      "{w x}",
      "$!w x",
      "1,2 w x"
    ],
    ...[
      "s/[/]/x/;w y/",
      "s/a/b",
      "y/a/b/w x",
      "p\nw x",
      "1!{p;w x}",
      "s/a/b/gw x",
      "\\xaxw y",
      "s\na\nb\nw x",
      "#n\nw x",
      "v;w x"
    ]
  ])("does not take %j for plain", (script) => {
    assert.strictEqual(isPlainSed(script), false)
  })

  it.live("never takes a script for plain with which the real sed writes a file", () =>
    Effect.gen(function* () {
      const folder = yield* emptyFolder
      const piece = fc.constantFrom(
        ...[
          "w out",
          "s/a/b/",
          "w",
          " out",
          "1",
          "$",
          "!",
          "/a/",
          ",",
          ";",
          "\n",
          "{",
          "}",
          "p",
          "\\",
          "/",
          "[",
          "]",
          "s",
          "y",
          "e",
          "touch out",
          "a"
        ]
      )
      const scripts = fc.sample(
        fc
          .array(piece, { minLength: 1, maxLength: 7 })
          .map((all) => all.join(""))
          .filter((script) => isPlainSed(script)),
        { numRuns: 300, seed: 7 }
      )
      const lines = scripts.map((script) => `printf 'a\\nb\\n' | timeout 2 sed -- '${script.replaceAll("'", "")}'`)
      spawnSync("/bin/bash", ["-c", lines.join("\n")], { cwd: folder, stdio: "ignore" })
      assert.strictEqual(existsSync(join(folder, "out")), false)
    })
  )
})

describe("isPlainAwk", () => {
  it.each(["{print $1}", "$3 > 5 {print}", "NR==1 || NR==3", "{a[$1]++} END {for (k in a) print k, a[k]}", "/x/"])(
    "takes %j for plain",
    (program) => {
      assert.strictEqual(isPlainAwk(program), true)
    }
  )
  it.each([
    '{print > "x"}',
    '{print "a;" >> "x"}',
    '{print | "sh"}',
    '"ls" | getline',
    'BEGIN{system("ls")}',
    '@load "x"',
    "BEGIN{ARGV[1]=1}"
  ])("does not take %j for plain", (program) => {
    assert.strictEqual(isPlainAwk(program), false)
  })
})
