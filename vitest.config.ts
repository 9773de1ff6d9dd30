import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["agentwire-source"] },
  ssr: { resolve: { conditions: ["agentwire-source", "node", "import", "default"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    testTimeout: 120_000,
    hookTimeout: 300_000
  }
})
