/**
 * Codex: whether it is there, whether a prompt gets through to it, whether its sandbox holds, and where it runs commands
 * without asking.
 */
import * as Effect from "effect/Effect"
import { type CodexTrip, codexAnswer, judgeCodexTrip } from "../CodexTrip.ts"
import type { Finding } from "../Finding.ts"
import { type SandboxTrip, sandboxAnswer } from "../SandboxTrip.ts"
import type { Check } from "./Check.ts"

/** Another agent on the PATH. */
export const codex: Check = {
  name: "codex",
  title: "Codex",
  inspect: ({ program }) =>
    Effect.match(program("codex"), {
      onFailure: ({ code }): Finding =>
        code === "CLI_NOT_FOUND"
          ? { status: "ok", found: "Not in the PATH. Nothing here needs it.", facts: { installed: false } }
          : { status: "ok", found: "In the PATH; it does not say its version.", facts: { installed: true } },
      onSuccess: ({ program: path, version }): Finding => ({
        status: "ok",
        found: `${version} at ${path}.`,
        facts: { installed: true, version, path }
      })
    })
}

const absent: Finding = { status: "ok", found: "There is no Codex to look at, and nothing here needs it." }

/** A scripted prompt to Codex, judged. */
export const codexRoundTrip: Check = {
  name: "codex-round-trip",
  title: "Codex round trip",
  inspect: ({ codexTrip, options, program }) =>
    options.run
      ? Effect.matchEffect(program("codex"), {
          onFailure: () => Effect.succeed(absent),
          onSuccess: (cli) =>
            Effect.match(codexTrip(cli), {
              onFailure: ({ message }): Finding => ({
                status: "problem",
                found: `It could not be tried: ${message}.`,
                advice: "It needs a temporary folder that can be written (TMPDIR) and a free port on 127.0.0.1."
              }),
              onSuccess: judged
            })
        })
      : Effect.succeed({ status: "skipped", found: "Not tried, because of --no-run." })
}

const again = "If it is broken, install it again: npm install -g @openai/codex"

const judged = (trip: CodexTrip): Finding => {
  const { events, milliseconds, problems, stderr } = trip
  const { broken, said } = judgeCodexTrip(trip)
  const facts = { milliseconds, events: events.length }
  if (said !== codexAnswer)
    return {
      status: "problem",
      found: `The model said ${JSON.stringify(codexAnswer)}, and ${said === undefined ? "nothing" : JSON.stringify(said)} came back${problems[0] === undefined ? "" : `: ${problems[0]}`}.${stderr === "" ? "" : ` Its last words: ${stderr.slice(0, 200)}`}`,
      advice: `A slow machine may need more: --timeout SECONDS. ${again}`,
      facts
    }
  if (broken !== undefined)
    return {
      status: broken.level === "error" ? "problem" : "warning",
      found: `The answer came back, but its events break ${broken.rule}: ${broken.message}`,
      advice: "Record a session with `agentwire record` and look at it with `agentwire decode`.",
      facts
    }
  return {
    status: "ok",
    found: `A scripted prompt was answered in ${(milliseconds / 1000).toFixed(1)} s, in ${events.length} events that keep the rules.`,
    facts
  }
}

/** What `serve --runtime codex-exec` relies on: nobody is asked there. */
export const codexSandbox: Check = {
  name: "codex-sandbox",
  title: "Codex sandbox",
  inspect: ({ options, program, sandboxTrip }) =>
    options.run
      ? Effect.matchEffect(program("codex"), {
          onFailure: () => Effect.succeed(absent),
          onSuccess: (cli) =>
            Effect.match(sandboxTrip(cli), {
              onFailure: ({ message }): Finding => ({
                status: "warning",
                found: `It could not be tried: ${message}.`,
                advice: "It needs a temporary folder that can be written (TMPDIR) and a free port on 127.0.0.1."
              }),
              onSuccess: sandboxed
            })
        })
      : Effect.succeed({ status: "skipped", found: "Not tried, because of --no-run." })
}

const sandboxed = ({ exitCode, milliseconds, said, stderr }: SandboxTrip): Finding => {
  const facts = { milliseconds, exitCode: exitCode ?? "none" }
  if (said !== sandboxAnswer)
    return {
      status: "warning",
      found: `codex exec did not answer a scripted prompt.${stderr === "" ? "" : ` Its last words: ${stderr.slice(0, 200)}`}`,
      advice: `A slow machine may need more: --timeout SECONDS. ${again}`,
      facts
    }
  if (exitCode === 0)
    return {
      status: "problem",
      found: "The sandbox read-only let a command of codex exec write a file.",
      advice:
        "Do not use --runtime codex-exec on this machine: nobody is asked there, and nothing holds commands back.",
      facts
    }
  return {
    status: "ok",
    found: `codex exec answered in ${(milliseconds / 1000).toFixed(1)} s, and its sandbox read-only let nothing be written.`,
    facts
  }
}

/** What the settings outside of all tables say: those are what a session begins with. */
const setting = (config: string, key: string): string | undefined => {
  const [before = ""] = config.split(/^\s*\[/m)
  return new RegExp(`^\\s*${key}\\s*=\\s*["']([^"'\\n]*)["']`, "m").exec(before)?.[1]
}

/** Where Codex runs commands without asking anybody. */
export const codexApprovals: Check = {
  name: "codex-approvals",
  title: "Codex approvals",
  inspect: ({ codexConfig, program }) =>
    Effect.matchEffect(program("codex"), {
      onFailure: () => Effect.succeed(absent),
      onSuccess: () =>
        Effect.map(codexConfig, ({ path, text }): Finding => {
          const approvals = text && setting(text, "approval_policy")
          const sandbox = text && setting(text, "sandbox_mode")
          const facts = { path, approvalPolicy: approvals ?? "unset", sandboxMode: sandbox ?? "unset" }
          const place = sandbox === undefined ? "in its default sandbox" : `with sandbox_mode ${sandbox}`
          if (approvals === "never")
            return {
              status: "warning",
              found: `It runs everything without asking, ${place}: ${path} has approval_policy = "never".`,
              advice: 'Say approval_policy = "on-request" there, or "untrusted", to be asked.',
              facts
            }
          if (sandbox === "danger-full-access")
            return {
              status: "warning",
              found: `It runs without a sandbox: ${path} has sandbox_mode = "danger-full-access", so what it does not ask about may reach everything.`,
              advice: 'Say sandbox_mode = "workspace-write" there.',
              facts
            }
          return {
            status: "ok",
            found:
              approvals === undefined
                ? `${path} sets no approval_policy: what Codex asks about is its own default.`
                : `approval_policy is ${approvals}, ${place}.`,
            facts
          }
        })
    })
}
