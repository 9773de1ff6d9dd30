#!/usr/bin/env node
/**
 * The command `agentwire`, which is built into `dist`. This file is not built, because npm links the commands of a
 * checkout while it installs: what does not exist by then is left out for good, and `npx agentwire` finds nothing.
 */
import { existsSync } from "node:fs"

const built = new URL("../dist/index.js", import.meta.url)

if (existsSync(built)) await import(built.href)
else {
  console.error("agentwire is not built yet. Run `npm start` or `npm run build` in the checkout first.")
  process.exitCode = 2
}
