import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type InlineConfig, type TestSpecification } from "vitest/node"

/** What takes longest. A file that is begun last is what everybody waits for in the end. */
const longest = [
  "test/clone.test.ts",
  "test/page/page.test.ts",
  "test/shell/shell.test.ts",
  "test/bridge/serve.test.ts",
  "test/bridge/turns.test.ts",
  "test/conform/live.test.ts",
  "test/translate/laws.test.ts"
]

/** Begins with what takes longest. Vitest itself would go by the size of the files, and page.test.ts is small. */
class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = longest.findIndex((name) => moduleId.endsWith(name))
      return place === -1 ? longest.length : place
    }
    return (await super.sort(files)).sort((one, other) => placeOf(one) - placeOf(other))
  }
}

const exclude = ["**/node_modules/**"]

/** Tests that start programs of ours again and again, or read all that was ever recorded or found. */
const patient = [
  "fuzz/test/**/*.test.ts",
  "packages/bridge/test/policy/{Fuzz,Promises,shell/ShellText}.test.ts",
  "packages/bridge/test/store/sqlite/{Damage,Killed,SqliteStore,TwoBridges}.test.ts",
  "packages/cli/test/commands/{drift,history,model}.test.ts",
  "packages/cli/test/conform/memory.test.ts",
  "packages/cli/test/{Console,exports,files,hostile,terminal}.test.ts",
  "packages/cli/test/record/{Recorder,record}.test.ts",
  "packages/cli/test/replay/*.test.ts",
  "packages/fixtures/test/Recording.test.ts"
]

/** Without outsiders: neither a real CLI, nor a browser, nor the official clients. `npm run test:fast` */
const fast = { include: ["packages/*/test/**/*.test.ts"], exclude: [...exclude, ...patient] }

/**
 * Everything: what is fast, what is patient, and what needs outsiders, which `scripts/setup.mjs --outsiders` installs. All
 * together, so that a worker loads and transforms what they share once.
 */
const all = { include: ["packages/*/test/**/*.test.ts", "fuzz/test/**/*.test.ts", "test/**/*.test.ts"], exclude }

/** What `npm test` does a part of, whole: every tape, many generated sessions. `npm run sweep` */
const sweep = {
  include: [
    "packages/cli/test/commands/{decode,tape}.test.ts",
    "packages/cli/test/conform/memory.test.ts",
    "packages/cli/test/hostile.test.ts",
    "packages/cli/test/record/Recorder.test.ts",
    "packages/cli/test/replay/AsCli.test.ts",
    "packages/protocol/test/JsonSchema.test.ts",
    "packages/bridge/test/face/agui/{Branching,SentToClient}.test.ts",
    "packages/bridge/test/runtime/claude/tolerance.test.ts",
    "packages/bridge/test/store/memory/MemoryStore.test.ts",
    "packages/bridge/test/store/sqlite/{Damage,Killed,SqliteStore}.test.ts",
    "packages/protocol/test/agui/{Differential,Downgrade,write/commute}.test.ts",
    "packages/protocol/test/claude/{,fold/}tolerance.test.ts",
    "packages/protocol/test/claude/fold/Anchored.test.ts",
    "packages/protocol/test/claude/transcript/laws.test.ts",
    "packages/protocol/test/claudeappserver/laws.test.ts",
    "packages/protocol/test/codex/{exec/laws,fold/tolerance}.test.ts",
    "packages/protocol/test/{gateway,normalised}/commute.test.ts",
    "packages/protocol/test/conform/{Checker,Fidelity}.test.ts",
    "packages/protocol/test/tape/{Redact,Replay,ReplayHost,secret/Pass}.test.ts",
    "packages/protocol/test/translate/{DeltaLine,Mapping,SseTranslator,TapeHistory}.test.ts",
    "packages/protocol/test/wire/internal/Check.test.ts",
    "test/agui/*.test.ts",
    "test/bridge/{adopt,agents,attacks/limits,branches,bridge,codex,codexQuestions,codexTurns,conform}.test.ts",
    "test/bridge/{cuts,defects/{once,page-tools,restart,stop},demo,faults/cli,forks,hooks,oldversions}.test.ts",
    "test/bridge/{openturns,options,policy,readers,serve,threads,turns,versions}.test.ts",
    "test/cli/replay-as-host.test.ts",
    "test/appserver/judges.test.ts",
    "test/clone.test.ts",
    "test/codex/{rollouts,versions}.test.ts",
    "test/conform/*.test.ts",
    "test/kills/restarts.test.ts",
    "test/page/*.test.ts",
    "test/{embedding,record,replay}.test.ts",
    "test/shell/*.test.ts",
    "test/transcripts/scenarios.test.ts",
    "test/translate/{,codex/}*.test.ts"
  ],
  exclude,
  env: { AGENTWIRE_SWEEP: "1" },
  testTimeout: 1_800_000
}

/** Which tests are run, by `--mode`. */
const selections: Readonly<Record<string, Pick<InlineConfig, "include" | "exclude" | "env" | "testTimeout">>> = {
  fast,
  sweep
}

export default defineConfig(({ mode }) => ({
  resolve: { conditions: ["agentwire-source"] },
  // These reach `require` of CommonJS packages, too, so `import` is not among them.
  ssr: { resolve: { conditions: ["agentwire-source", "node"] } },
  test: {
    // Only there to end a hang: tests wait for what happens, and a busy machine takes its time.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Where nobody can look, a second try tells a race from a failure; the report names the tests that needed it.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // Half of the tests wait for programs most of the time. The default leaves one core of two idle.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    // Files leave nothing behind for each other, and loading Effect anew would cost more than most of them.
    isolate: mode === "sweep",
    ...(selections[mode] ?? all)
  }
}))
