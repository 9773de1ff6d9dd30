import { defineConfig } from "vitest/config"

export default defineConfig({
  resolve: { conditions: ["agentwire-source"] },
  // These reach `require` of CommonJS packages, too, so `import` is not among them.
  ssr: { resolve: { conditions: ["agentwire-source", "node"] } },
  test: {
    include: ["packages/*/test/**/*.test.ts", "test/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    testTimeout: 120_000,
    hookTimeout: 300_000
  }
})
