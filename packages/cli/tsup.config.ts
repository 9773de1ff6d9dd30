import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts", "src/vitest.ts"],
  format: "esm",
  target: "node20",
  platform: "node",
  splitting: true,
  sourcemap: true,
  clean: false,
  dts: false,
  // The command is one program: some thirty files start in half the time that Node takes to find and read five hundred.
  noExternal: [/^effect(\/|$)/, /^@agentwire\//]
})
