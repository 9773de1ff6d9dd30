import { mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import fc from "fast-check"
import { explainDecision } from "../../src/policy/Explain.ts"
import { verdicts } from "../../src/policy/PolicyFile.ts"
import { type PolicyRules, readPolicy } from "../../src/policy/Rules.ts"
import type { ToolInputs } from "../../src/policy/ToolInputs.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"
import { emptyFolder } from "../Folder.ts"
import { gates, mutated, programs, spellings, syntax, wrapped } from "./shell/Wrappings.ts"

const policyOf = (policy: object): PolicyRules =>
  Result.getOrThrow(readPolicy(JSON.stringify({ version: 1, ...policy }), claudeToolInputs))

const judged = (
  policy: PolicyRules,
  toolName: string,
  input: Record<string, unknown>,
  cwd = "/nowhere",
  mode?: string
) => explainDecision(policy, { toolName, input, cwd, mode })

const bash = (policy: PolicyRules, command: string, cwd?: string) => judged(policy, "Bash", { command }, cwd)

const shell = policyOf({
  allow: [
    {
      tool: "Bash",
      command: ["ls *", "cat *", "echo *", "find *", "git *", "cd *", ":", "true", "alpha *", "./run.sh *"]
    },
    { tool: ["Read", "Write"], path: "src/**" }
  ],
  deny: [{ tool: "Bash", command: ["rm *", "git push *", "./deploy.sh *"] }],
  ask: [{ tool: "Bash", command: "git commit *" }]
})

describe("explain, on Bash", () => {
  it.effect.each([
    ...[
      "ls; rm -rf /",
      "ls $(rm x)",
      "ls\nrm x",
      "find . -exec rm {} \\;",
      "find . -delete",
      "FOO=1 rm x",
      "\\rm x",
      'r"m" x'
    ],
    ...[
      "/bin/rm x",
      "./rm x",
      "RM x",
      "$'\\x72m' x",
      "{ rm x; }",
      "if rm x; then :; fi",
      "f() { rm x; }",
      "git push",
      "rm"
    ],
    ...["echo a | xargs rm", "sudo rm x", "env rm x", "nohup rm x", "time rm x", "bash -c 'rm x'", "bash <<< 'rm x'"],
    ...[
      "./deploy.sh",
      "bash deploy.sh/../deploy.sh",
      "sh -e ./deploy.sh",
      "/nowhere/deploy.sh x",
      "deploy.sh/../deploy.sh",
      "busybox rm x",
      "ssh host rm x",
      'ls "`rm x`"'
    ]
  ])("denies %j", (command) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* bash(shell, command)).decision, "deny")
    })
  )

  it.effect.each([
    ...[
      "a=rm; $a x",
      "{rm,x}",
      "git -C . push",
      "git --no-pager push",
      "git $x",
      "git commit -m x",
      "git -C . commit",
      "ls '"
    ],
    ...[
      "unknown",
      "./ls",
      "/tmp/ls",
      "~/ls",
      "ls > out",
      "ls < in",
      "ls > src/../out",
      "cd src; ls > src/x",
      "PATH=. ls"
    ],
    ...[
      "sudo ls",
      "ssh host ls",
      "./run.sh; ./other.sh",
      "x/deploy.sh",
      "run.sh",
      "bash run.sh",
      "",
      "# x",
      "x=1",
      "bash -c ''"
    ]
  ])("asks about %j", (command) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* bash(shell, command)).decision, "ask")
    })
  )

  it.effect.each([
    ...[
      "ls",
      "ls -la $x",
      "/bin/ls",
      "ls | cat && echo x; ls",
      "ls > src/x 2>&1",
      "cat < src/x",
      "ls > /dev/null",
      "env ls"
    ],
    ...[
      "timeout 5 ls",
      "bash -c 'ls; cat x'",
      "find . -name x -exec cat {} +",
      "ls | xargs cat",
      "echo rm x",
      "git status"
    ],
    ...['for f in *; do cat "$f"; done', "./run.sh x", "echo 'rm x'", "cat <<'E'\nrm x\nE", "time ls", "echo $(ls)"]
  ])("allows %j", (command) =>
    Effect.gen(function* () {
      const { decision, reason } = yield* bash(shell, command)
      assert.strictEqual(decision, "allow", reason)
    })
  )

  const hidden = fc
    .tuple(fc.constantFrom(...spellings), fc.constantFrom("rm x", "git push", "./deploy.sh"))
    .map(([spell, command]) => {
      const [name = "", ...words] = command.split(" ")
      return [spell(name), ...words].join(" ")
    })
  const everywhere = { ...syntax, ...programs, ...gates }
  const open = policyOf({
    default: "allow",
    deny: [{ tool: "Bash", command: ["rm *", "git push *", "./deploy.sh *"] }]
  })

  it.effect.each([
    ["what it lists", shell],
    ["everything else", open]
  ] as const)("never allows a denied command, however it is wrapped, when it allows %s", ([, policy]) =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(wrapped(hidden, everywhere), async (command) => {
          assert.notStrictEqual((await Effect.runPromise(bash(policy, command))).decision, "allow")
        }),
        { numRuns: 1000 }
      )
    )
  )

  it.effect("goes on allowing what is made of allowed commands", () => {
    const simple = fc.constantFrom(
      "ls",
      "ls -la",
      "cat a b",
      "echo 'a b'",
      "git status",
      "find . -name x",
      "true",
      "./run.sh"
    )
    const chain = fc
      .array(fc.tuple(simple, fc.constantFrom(" ; ", " && ", " || ", " | ", "\n", " |& ")), {
        minLength: 1,
        maxLength: 6
      })
      .map((parts) => `${parts.map((part) => part.join("")).join("")}ls`)
    const ways = ["group", "substitution", "quoted", "condition", "for", "process"] as const
    const around = {
      ...Object.fromEntries(ways.map((way) => [way, syntax[way] ?? ((text: string) => text)])),
      // Two parentheses that meet may be arithmetic, and the parser does not always find out that they are not.
      subshell: (text: string) => ` ( ${text}\n)`
    }
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(wrapped(chain, around), async (command) => {
          const { decision, reason } = await Effect.runPromise(bash(shell, command))
          assert.strictEqual(decision, "allow", reason)
        }),
        { numRuns: 500 }
      )
    )
  })

  it.effect("answers whatever the text is", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(mutated(wrapped(hidden, everywhere)), async (command) => {
          const { reason } = await Effect.runPromise(bash(open, command))
          assert.notStrictEqual(reason, "")
        }),
        { numRuns: 1000 }
      )
    )
  )

  it.effect("tells the rules with their place, and every command", () =>
    Effect.gen(function* () {
      const { decision, parts, reason } = yield* bash(shell, "env ls; rm x > out")
      assert.strictEqual(decision, "deny")
      assert.include(reason, "`rm x`: $.deny[0] fits")
      assert.deepStrictEqual(
        parts.map((part) => [part.what, part.decision, part.findings.map(({ place }) => place)]),
        [
          ["env ls", undefined, []],
          ["ls", "allow", ["$.allow[0]"]],
          ["rm x", "deny", ["$.deny[0]"]],
          ["write out", "ask", []]
        ]
      )
    })
  )

  it.effect("suspects a program it does not know of running what stands behind it, where the default is to allow", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* bash(open, "somewrapper --fast rm x")).decision, "ask")
      assert.strictEqual((yield* bash(open, "somewrapper ls")).decision, "allow")
      assert.strictEqual((yield* bash(open, "echo rm x")).decision, "allow")
    })
  )
})

describe("explain, on rules", () => {
  const rule = fc.record({
    effect: fc.constantFrom(...verdicts),
    tool: fc.constantFrom("A", "B", "*", "A*")
  })

  it.effect("refuses before it asks, and asks before it allows, in whatever order the rules stand", () =>
    Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.array(rule), fc.constantFrom("allow", "ask", "deny"), async (rules, fallback) => {
          const rulesOf = (wanted: string) =>
            rules.filter(({ effect }) => effect === wanted).map(({ tool }) => ({ tool }))
          const lists = { allow: rulesOf("allow"), ask: rulesOf("ask"), deny: rulesOf("deny") }
          const fits = rules.filter(({ tool }) => tool !== "B").map(({ effect }) => effect)
          const strictest = (["deny", "ask", "allow"] as const).find((effect) => fits.includes(effect)) ?? fallback
          const { decision } = await Effect.runPromise(judged(policyOf({ default: fallback, ...lists }), "A", {}))
          assert.strictEqual(decision, strictest)
        })
      )
    )
  )

  const modes = policyOf({
    default: "allow",
    deny: [{ tool: "Evil" }],
    modes: {
      planner: { default: "deny", allow: [{ tool: "Look" }, { tool: "Evil" }] },
      other: { ask: [{ tool: "Look" }] }
    }
  })

  it.effect.each([
    ["Look", undefined, "allow"],
    ["Look", "planner", "allow"],
    ["Change", "planner", "deny"],
    ["Evil", "planner", "deny"],
    ["Look", "other", "ask"],
    ["Change", "other", "allow"],
    ["Change", "unheard-of", "ask"],
    ["Evil", "unheard-of", "deny"],
    ["Change", "__proto__", "ask"]
  ] as const)("says about %s in mode %s: %s", ([tool, mode, decision]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* judged(modes, tool, {}, "/", mode)).decision, decision)
    })
  )

  const inputs = policyOf({
    default: "allow",
    deny: [{ tool: "mcp__github__*", input: { branch: "main*", force: true } }],
    ask: [{ tool: "WebFetch", input: { url: "http://*" } }]
  })

  it.effect.each([
    ["mcp__github__push", { branch: "main", force: true }, "deny"],
    ["mcp__github__push", { branch: "main-2", force: true }, "deny"],
    ["mcp__github__push", { branch: "main", force: false }, "allow"],
    ["mcp__github__push", { branch: "main", force: "true" }, "allow"],
    ["mcp__github__push", { branch: ["main"], force: true }, "ask"],
    ["mcp__github__push", {}, "allow"],
    ["mcp__gitlab__push", { branch: "main", force: true }, "allow"],
    ["WebFetch", { url: "http://x" }, "ask"],
    ["WebFetch", { url: "https://http://" }, "allow"]
  ] as const)("says about %s with %j: %s", ([tool, input, decision]) =>
    Effect.gen(function* () {
      assert.strictEqual((yield* judged(inputs, tool, input)).decision, decision)
    })
  )
})

describe("explain, on paths", () => {
  const files = policyOf({
    allow: [{ tool: ["Read", "Glob", "Grep", "Write"], path: ["**", "../shared/*.md"] }],
    deny: [
      { tool: ["Read", "Write", "Grep"], path: ["secret/**", "~/.ssh/**"] },
      { tool: "Write", path: "/**/.env" }
    ]
  })

  const project = Effect.map(emptyFolder, (base) => {
    for (const path of ["work/src", "work/secret", "shared", "elsewhere"])
      mkdirSync(join(base, path), { recursive: true })
    writeFileSync(join(base, "work/src/a"), "")
    symlinkSync("../secret", join(base, "work/src/innocent"))
    symlinkSync("../elsewhere", join(base, "work/out"))
    symlinkSync(join(base, "work"), join(base, "again"))
    symlinkSync("loop", join(base, "work/loop"))
    return { base, work: join(base, "work") }
  })

  it.effect.each([
    ["Read", { file_path: "src/a" }, "allow"],
    ["Read", { file_path: "{work}/src/a" }, "allow"],
    ["Read", { file_path: "{base}/again/src/a" }, "allow"],
    ["Read", { file_path: "src/new/file" }, "allow"],
    ["Read", { file_path: "../shared/x.md" }, "allow"],
    ["Read", { file_path: "../shared/deep/x.md" }, "ask"],
    ["Read", { file_path: "../elsewhere/x" }, "ask"],
    ["Read", { file_path: "out/x" }, "ask"],
    ["Read", { file_path: "out/../src/a" }, "ask"],
    ["Read", { file_path: "/etc/passwd" }, "ask"],
    ["Read", { file_path: "loop/x" }, "ask"],
    ["Read", { file_path: " src/a" }, "ask"],
    ["Read", {}, "ask"],
    ["Read", { file_path: ["src/a"] }, "ask"],
    ["Read", { file_path: "secret/key" }, "deny"],
    ["Read", { file_path: "src/../secret/key" }, "deny"],
    ["Read", { file_path: "src/innocent/key" }, "deny"],
    ["Read", { file_path: "{base}/again/secret/key" }, "deny"],
    ["Read", { file_path: "~/.ssh/id" }, "deny"],
    ["Read", { file_path: "{home}/.ssh/id" }, "deny"],
    ["Write", { file_path: "src/.env" }, "deny"],
    ["Write", { file_path: "/somewhere/.env" }, "deny"],
    ["Edit", { file_path: "src/a" }, "ask"],
    ["Glob", { pattern: "**/*.ts" }, "allow"],
    ["Glob", { pattern: "/etc/*" }, "ask"],
    ["Glob", { pattern: "../elsewhere/*" }, "ask"],
    ["Grep", { pattern: "x", path: "src" }, "allow"],
    ["Grep", { pattern: "x", path: "secret" }, "deny"],
    // It would find what is in the folder that may not be read.
    ["Grep", { pattern: "x" }, "ask"]
  ] as const)("says about %s %j: %s", ([tool, input, decision]) =>
    Effect.gen(function* () {
      const { base, work } = yield* project
      const text = JSON.stringify(input).replace("{work}", work).replace("{base}", base).replace("{home}", homedir())
      const said = yield* judged(files, tool, JSON.parse(text), work)
      assert.strictEqual(said.decision, decision, said.reason)
    })
  )

  it.effect("sees a working folder that is a link", () =>
    Effect.gen(function* () {
      const { base } = yield* project
      const said = (path: string) =>
        Effect.map(judged(files, "Read", { file_path: path }, join(base, "again")), (all) => all.decision)
      assert.strictEqual(yield* said("src/a"), "allow")
      assert.strictEqual(yield* said("secret/key"), "deny")
    })
  )
})

it.effect("is about the tools of whichever agent it was read for", () =>
  Effect.gen(function* () {
    const tools: ToolInputs = {
      paths: { open: { field: "where" }, save: { field: "where" } },
      shells: { exec: "script" },
      files: { read: "open", write: "save" }
    }
    const read = (file: object) => readPolicy(JSON.stringify({ version: 1, ...file }), tools)
    const policy = Result.getOrThrow(
      read({ allow: [{ tool: "exec", command: "echo *" }], deny: [{ tool: "save", path: "/etc/**" }] })
    )
    const decisionOf = (toolName: string, input: Record<string, unknown>) =>
      Effect.map(judged(policy, toolName, input), ({ decision }) => decision)
    assert.strictEqual(yield* decisionOf("exec", { script: "echo hi" }), "allow")
    assert.strictEqual(yield* decisionOf("exec", { script: "echo hi > /etc/passwd" }), "deny")
    assert.strictEqual(yield* decisionOf("save", { where: "/etc/passwd" }), "deny")
    assert.strictEqual(yield* decisionOf("save", {}), "ask")
    assert.strictEqual(yield* decisionOf("Bash", { command: "echo hi" }), "ask")
    assert.strictEqual(Result.isFailure(read({ deny: [{ tool: "Bash", command: "rm *" }] })), true)
  })
)

it.effect.each([
  ["git push --force", "deny"],
  ["git push --forc", "ask"],
  ["git push --f", "ask"],
  ["git push --follow-tags", "allow"],
  ["git push -- x", "allow"]
] as const)("takes the beginning of a long option for what may be denied: %s, %s", ([command, decision]) =>
  Effect.gen(function* () {
    const careful = policyOf({ default: "allow", deny: [{ tool: "Bash", command: "git push * --force* *" }] })
    assert.strictEqual((yield* bash(careful, command)).decision, decision)
  })
)

describe("explain, on files among arguments", () => {
  const guarded = policyOf({
    allow: [
      {
        tool: "Bash",
        command: ["cat *", "grep *", "git *", "cp *", "sed *", "sort *", "cd *", "echo *", "npm *", "ls *"]
      },
      { tool: "Bash", command: ["uniq -c *", "shuf -o *", "env *", "tar *", "head *", "xargs *"] }
    ],
    deny: [{ tool: "Read", path: [".env*", "secret/**"], reason: "It is a secret." }],
    ask: [{ tool: "Write", path: "lock" }]
  })

  it.effect.each([
    ["cat .env", "deny"],
    ["cat .env.local a", "deny"],
    ["grep x .env", "deny"],
    ["grep .env x", "allow"],
    ["head -n1 < .env", "deny"],
    ["cp .env y", "deny"],
    ["cp y lock", "ask"],
    ["cp y .env", "allow"],
    ["git show HEAD:.env", "deny"],
    ["git diff -- .env", "deny"],
    ["git diff -- src", "allow"],
    ["git diff", "ask"],
    ["git log", "allow"],
    ["tar cf - .env", "deny"],
    ["env cat secret/x", "deny"],
    ["cd secret && cat x", "deny"],
    ["cd src; cat ../.env", "deny"],
    ["cd src && cat x", "allow"],
    ["(cd secret; cat x)", "ask"],
    ["cat .e*", "ask"],
    ["cat *", "ask"],
    ["cat *.ts src/*", "allow"],
    ["cat $x", "ask"],
    ["echo $x", "allow"],
    ["cat a\\", "ask"],
    ["echo a | xargs cat", "ask"],
    ["grep -r x .", "ask"],
    ["grep -r x src", "allow"],
    ["cat a b c", "allow"],
    // No rule is about writing these, but a program that reads otherwise needs one.
    ["sort a", "allow"],
    ["sort -o b a", "ask"],
    ["sed -i s/a/b/ a", "ask"],
    ["shuf -o b a", "allow"],
    ["shuf -o lock a", "ask"],
    // A program that is not known here is asked about only when it names such a file.
    ["npm run x", "allow"],
    ["npm run x $y", "allow"],
    ["npm run x -- --file=secret/key", "ask"],
    ["npm run .env", "ask"]
  ] as const)("says about %j: %s", ([command, decision]) =>
    Effect.gen(function* () {
      const said = yield* bash(guarded, command)
      assert.strictEqual(said.decision, decision, said.reason)
    })
  )

  it.effect("tells the file with the rule, and leaves out files that no rule is about", () =>
    Effect.gen(function* () {
      const { parts, reason } = yield* bash(guarded, "cat a .env b")
      assert.deepStrictEqual(
        parts.map(({ decision, what }) => [what, decision]),
        [
          ["cat a .env b", "allow"],
          ["read .env", "deny"]
        ]
      )
      assert.include(reason, "`read .env`: $.deny[0] fits. It is a secret.")
    })
  )

  it.effect("finds what links hide", () =>
    Effect.gen(function* () {
      const base = yield* emptyFolder
      writeFileSync(join(base, ".env"), "")
      symlinkSync(".env", join(base, "innocent"))
      assert.strictEqual((yield* bash(guarded, "cat innocent", base)).decision, "deny")
    })
  )

  const long = (piece: (n: number) => string): string => {
    let text = ""
    for (let n = 0; text.length < 65_000; n++) text += piece(n)
    return text.slice(0, 65_536)
  }

  // Work is bounded by a number of commands, of files and of lookups, so a text ten times as long as any real one takes
  // no longer than a moment.
  it.effect.each([
    ["commands", long((n) => `cat f${n};`)],
    ["arguments", `cat ${long((n) => `f${n} `).slice(0, -6)}`],
    ["arguments of a program that is not known", `npm ${long((n) => `f${n} `).slice(0, -6)}`],
    ["folders", `cat ${long(() => "a/").slice(0, -6)}`],
    ["globs", `cat ${long((n) => `a*${n} `).slice(0, -6)}`]
  ] as const)("is never sure of very many %s", ([, command]) =>
    Effect.gen(function* () {
      const { decision, parts } = yield* bash(guarded, command)
      assert.strictEqual(decision, "ask")
      assert.isAtMost(parts.length, 700)
    })
  )
})
