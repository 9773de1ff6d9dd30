import { defineConfig } from "tsup"

export default defineConfig({
  // Every file of `src` itself is an entry point.
  entry: ["src/*.ts", "src/client/index.ts", "src/client/gateway/index.ts", "src/react/index.ts"],
  format: "esm",
  target: "node20",
  platform: "node",
  // One copy of each module: services and error classes must keep their identity.
  splitting: true,
  sourcemap: true,
  // `tsc -b` writes the types; tsup must not delete them.
  clean: false,
  dts: false
})
