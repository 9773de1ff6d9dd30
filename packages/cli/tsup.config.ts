import { defineConfig } from "tsup"

export default defineConfig({
  entry: ["src/index.ts", "src/vitest.ts"],
  format: "esm",
  target: "node20",
  platform: "node",
  splitting: true,
  sourcemap: true,
  clean: false,
  dts: false
})
