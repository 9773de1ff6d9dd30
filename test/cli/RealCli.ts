/** The CLI that comes with the official SDK. */
import { createRequire } from "node:module"

/** Its path. */
export const cliOfTheSdk = (): string =>
  createRequire(import.meta.url).resolve(
    `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}/${process.platform === "win32" ? "claude.exe" : "claude"}`
  )
