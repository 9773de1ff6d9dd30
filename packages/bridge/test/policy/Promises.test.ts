/** The policies in `examples/policies` keep what they promise: what they allow is run, and the files are looked at. */
import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { afterAll, beforeAll } from "vitest"
import { corpusTexts } from "../../../../fuzz/policy/Corpus.ts"
import { explainDecision } from "../../src/policy/Explain.ts"
import { gitTable } from "../../src/policy/program/GitTable.ts"
import { programTable } from "../../src/policy/program/ProgramTable.ts"
import { readPolicy } from "../../src/policy/Rules.ts"
import { claudeToolInputs } from "../../src/runtime/claude/ToolInputs.ts"
import { emptyFolder } from "../Folder.ts"
import { accidents, optionTexts, revealingTexts, wrappedTexts, writingTexts } from "./Evasions.ts"
import { differences, makeSandbox, runAll, type Sandbox, secret, snapshot } from "./Sandbox.ts"

const policyAt = (name: string) =>
  Result.getOrThrow(
    readPolicy(
      readFileSync(new URL(`../../../../examples/policies/${name}.json`, import.meta.url), "utf8"),
      claudeToolInputs
    )
  )

const lineOf = (program: string): string => programTable[program]?.options ?? ""

/** What a sandbox must be like after a text that was allowed. */
interface Promised {
  /** Whether a path may have changed. */
  readonly mayChange: (path: string) => boolean
  readonly mayReveal: boolean
}

interface Case {
  readonly policy: string
  readonly mode?: string
  readonly promised: Promised
  readonly evasions: ReadonlyArray<string>
  readonly options?: ReadonlyArray<string>
  /** What people use such a policy for. */
  readonly everyday: ReadonlyArray<string>
}

const looking: ReadonlyArray<string> = [
  ...[
    "ls",
    "ls -la",
    "ls -lah --color=auto src",
    "cat a.txt",
    "cat -n a.txt b.txt",
    "head -n 5 a.txt",
    "head -5 a.txt"
  ],
  ...[
    "tail -n +2 a.txt",
    "tail -c 10 a.txt",
    "wc -l a.txt",
    "grep -n alpha a.txt",
    "grep -e a -e b --include='*.ts' a.txt"
  ],
  ...[
    "grep -A2 -iE 'a|b' a.txt b.txt",
    "cat a.txt | grep a | head -1",
    "ls src && cat src/a.ts",
    "ls | wc -l",
    "cat src/*.ts"
  ],
  ...[
    "git status",
    "git status -sb",
    "git status --porcelain=v1",
    "git log",
    "git log --oneline -5",
    "git log -n 3 --stat"
  ],
  ...[
    "git log --format='%h %s' --since=2001-01-01",
    "git log --graph --all --decorate",
    "git log HEAD~1..HEAD",
    "env ls"
  ],
  ...[
    "ls > /dev/null",
    "ls 2>&1 | cat",
    "timeout 5 cat a.txt",
    "for f in a.txt b.txt; do ls $f; done",
    "bash -c 'ls; cat a.txt'"
  ]
]

/** Every option of the programs that the read-only policy allows. */
const readingOptions = optionTexts([
  ...["ls", "cat", "head", "tail", "wc"].map((command) => ({ command, options: lineOf(command), rest: "a.txt" })),
  { command: "grep", options: lineOf("grep"), rest: "a a.txt" },
  { command: "git log -1", options: gitTable["log"]?.options ?? "", rest: "" },
  { command: "git status", options: gitTable["status"]?.options ?? "", rest: "" }
])

const cases: ReadonlyArray<Case> = [
  {
    policy: "read-only",
    promised: { mayChange: () => false, mayReveal: true },
    evasions: [...writingTexts, ...corpusTexts("writing"), "cat a.txt\0; touch pwned"],
    options: readingOptions,
    everyday: [...looking, ...corpusTexts("looking"), "grep -rn alpha .", "git log -p -1", "cat .env"]
  },
  {
    policy: "team",
    mode: "planner",
    promised: { mayChange: (path) => path.startsWith("project/plan"), mayReveal: false },
    evasions: [...writingTexts, ...revealingTexts, ...corpusTexts("writing"), ...corpusTexts("revealing")],
    everyday: [
      ...looking,
      "pwd",
      "which ls",
      "find . -name '*.ts'",
      "cd src && cat a.ts",
      "git diff --stat",
      "git diff -- a.txt",
      "git branch --show-current"
    ]
  },
  {
    policy: "team",
    mode: "implementer",
    promised: { mayChange: (path) => path.startsWith("project/"), mayReveal: false },
    evasions: [...revealingTexts, ...accidents, ...corpusTexts("revealing")],
    everyday: [
      ...looking,
      "mkdir -p new",
      "git add a.txt",
      "git commit -qm x --allow-empty",
      "echo x > src/new.ts",
      "git log --output=log.txt"
    ]
  },
  {
    policy: "guard-rails",
    promised: {
      mayChange: (path) =>
        !/^home\/\.(ssh|bashrc|zshrc)|^marks\/|^remote\.git|^project\/(archive\.tar|a\.txt|src)/.test(path),
      mayReveal: true
    },
    evasions: accidents,
    everyday: [
      ...looking,
      "cp a.txt c.txt",
      "touch new",
      "git commit -qm x --allow-empty",
      "sed -n p a.txt",
      "git fetch -q",
      "mkdir -p x/y"
    ]
  }
]

let home: string | undefined

describe.each(cases)("$policy $mode", ({ everyday, evasions, mode, options = [], policy, promised }) => {
  beforeAll(() => {
    home = process.env["HOME"]
  })
  afterAll(() => {
    if (home !== undefined) process.env["HOME"] = home
  })

  const rules = policyAt(policy)
  const allowed = async ({ project, home: own }: Sandbox, texts: ReadonlyArray<string>) => {
    process.env["HOME"] = own
    const kept: Array<string> = []
    for (const command of texts) {
      const use = { toolName: "Bash", input: { command }, cwd: project, mode }
      if ((await Effect.runPromise(explainDecision(rules, use))).decision === "allow") kept.push(command)
    }
    return kept
  }

  /** What was broken by texts that were run one after the other. */
  const brokenBy = (sandbox: Sandbox, texts: ReadonlyArray<string>) => {
    const before = snapshot(sandbox)
    const printed = runAll(sandbox, texts)
    return {
      changed: differences(before, snapshot(sandbox)).filter((path) => !promised.mayChange(path)),
      revealed: promised.mayReveal ? [] : texts.filter((_, at) => printed[at]?.includes(secret))
    }
  }
  const nothing = { changed: [], revealed: [] }

  it.live("allows nothing that breaks its promise", () =>
    Effect.gen(function* () {
      const sandbox = makeSandbox(yield* emptyFolder)
      const texts = yield* Effect.promise(() => allowed(sandbox, [...wrappedTexts(evasions), ...options]))
      assert.deepStrictEqual(brokenBy(sandbox, texts), nothing, texts.join("\n"))
    })
  )

  it.live("allows what it is for, and that keeps the promise, too", () =>
    Effect.gen(function* () {
      const sandbox = makeSandbox(yield* emptyFolder)
      assert.deepStrictEqual(yield* Effect.promise(() => allowed(sandbox, everyday)), everyday)
      assert.deepStrictEqual(brokenBy(sandbox, everyday), nothing)
    })
  )
})
