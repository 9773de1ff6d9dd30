import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

const exclude = ["**/node_modules/**"]

export default defineConfig({
  resolve: { conditions: ["agentwire-source"] },
  // These reach `require` of CommonJS packages, too, so `import` is not among them.
  ssr: { resolve: { conditions: ["agentwire-source", "node"] } },
  test: {
    testTimeout: 120_000,
    hookTimeout: 300_000,
    // Half of the tests wait for programs most of the time. The default leaves one core of two idle.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        // Pure: the files leave nothing behind for each other, and loading Effect anew for each costs more than most.
        test: { name: "protocol", include: ["packages/protocol/test/**/*.test.ts"], exclude, isolate: false }
      },
      {
        extends: true,
        test: {
          name: "all else",
          include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
          exclude: [...exclude, "packages/protocol/**"]
        }
      }
    ]
  }
})
