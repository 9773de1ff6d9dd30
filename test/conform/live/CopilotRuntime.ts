/**
 * Starts a real CopilotKit runtime in front of an agent. It is installed on first use into
 * `${XDG_CACHE_HOME:-~/.cache}/agentwire/outsiders/`, as it is heavy: some 350 packages, 270 MB.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { installPackage } from "../../../packages/fixtures/src/InstallPackage.ts"

/** The version of `@copilotkit/runtime`, as `copilotkit-runtime/package.json` has it. */
const runtimeVersion = "1.75.0"

/**
 * Where it is installed; installs it when it is missing, which takes a minute. It comes with a lock: its ranges lead to
 * packages that the registry does not have, and npm takes minutes to find that out.
 */
export const installRuntime = (): Promise<string> =>
  installPackage({
    folder: `outsiders/copilotkit-runtime-${runtimeVersion}`,
    locked: fileURLToPath(new URL("copilotkit-runtime", import.meta.url)),
    entry: "@copilotkit/runtime/package.json"
  })

/** A runtime that listens. */
export class CopilotRuntime {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(child: ChildProcess, port: string) {
    this.#child = child
    this.url = `http://127.0.0.1:${port}`
  }

  /** Starts a runtime whose agent `default` is at this URL. */
  static async start(agentUrl: string): Promise<CopilotRuntime> {
    const script = fileURLToPath(new URL("copilotkit-runtime.mjs", import.meta.url))
    const child = spawn(process.execPath, [script, await installRuntime(), agentUrl], {
      // It logs what clients do wrong, which is what the scenarios do.
      stdio: ["ignore", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] ?? "", COPILOTKIT_TELEMETRY_DISABLED: "true", DO_NOT_TRACK: "1" }
    })
    for await (const line of createInterface({ input: child.stdout })) {
      child.stdout.resume()
      if (/^\d+$/.test(line)) return new CopilotRuntime(child, line)
    }
    throw new Error("the runtime did not start")
  }

  async close(): Promise<void> {
    const exit = once(this.#child, "exit")
    this.#child.kill()
    await exit
  }
}
