import { defineConfig } from "tsup"

export default defineConfig({
  // The whole package, and each room by itself. Every file of `src` itself is an entry point, too.
  entry: ["src/*.ts", "src/*/index.ts"],
  format: "esm",
  target: "node20",
  platform: "neutral",
  // One copy of each module: error classes and schemas must keep their identity.
  splitting: true,
  sourcemap: true,
  // `tsc -b` writes the types; tsup must not delete them.
  clean: false,
  dts: false
})
