import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

const exclude = ["**/node_modules/**"]

/** Packages whose test files leave nothing behind for each other: loading Effect anew for each file would cost more than most of them. */
const together = ["packages/protocol", "packages/bridge"]

const projects = [
  {
    extends: true as const,
    test: {
      name: "together",
      include: together.map((folder) => `${folder}/test/**/*.test.ts`),
      exclude,
      isolate: false
    }
  },
  {
    extends: true as const,
    test: {
      name: "apart",
      include: ["packages/{cli,fixtures}/test/**/*.test.ts", "test/**/*.test.ts"],
      exclude
    }
  }
]

/** What `npm test` does a part of, whole: every tape, many generated sessions. */
const sweep = {
  extends: true as const,
  test: {
    name: "sweep",
    include: ["test/translate/*.test.ts", "test/conform/*.test.ts"],
    env: { AGENTWIRE_SWEEP: "1" },
    testTimeout: 1_800_000
  }
}

export default defineConfig(({ mode }) => ({
  resolve: { conditions: ["agentwire-source"] },
  // These reach `require` of CommonJS packages, too, so `import` is not among them.
  ssr: { resolve: { conditions: ["agentwire-source", "node"] } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Half of the tests wait for programs most of the time. The default leaves one core of two idle.
    maxWorkers: availableParallelism() + 1,
    projects: mode === "sweep" ? [sweep] : projects
  }
}))
