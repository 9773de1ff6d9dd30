/**
 * Codex: whether it is there, how well its version is known, who it works for, whether a prompt gets through to it,
 * whether its sandbox holds, and where it runs commands without asking.
 */
import type { FoundCli, LaunchFailed } from "@agentwire/bridge/claude"
import { compareVersions } from "@agentwire/protocol/claude"
import { measuredVersions } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import { type CodexTrip, codexAnswer, judgeCodexTrip } from "../CodexTrip.ts"
import type { Finding } from "../Finding.ts"
import { type SandboxTrip, sandboxAnswer } from "../SandboxTrip.ts"
import type { Surroundings } from "../Surroundings.ts"
import { type Check, fileOf, typedFile } from "./Check.ts"

/** Installs the newest Codex. */
const install = "npm install -g @openai/codex"

const elsewhere = "or say where another one is with CODEX_PATH, or with --runtime codex --cli PATH"

/** What to do about a Codex that was not found. */
const advice: Readonly<Record<string, string>> = {
  CLI_NOT_FOUND: `Install it (${install}), ${elsewhere}.`,
  CLI_NOT_EXECUTABLE: `Make it executable (chmod +x), ${elsewhere}.`
}

const notFound = ({ code, message }: LaunchFailed, { env, options }: Surroundings): Finding => {
  const facts = { installed: code !== "CLI_NOT_FOUND", code }
  if (options.runtime === "codex")
    return { status: "problem", found: message, advice: advice[code] ?? `${again}, ${elsewhere}.`, facts }
  const isNamed = Boolean(env["CODEX_PATH"])
  if (code === "CLI_NOT_FOUND" && !isNamed)
    return { status: "ok", found: "Not in the PATH. Nothing here needs it.", facts }
  return { status: "ok", found: `${message} Nothing here needs it.`, facts }
}

/** Whether there is a Codex. */
export const codex: Check = {
  name: "codex",
  title: "Codex",
  inspect: (surroundings) =>
    Effect.match(surroundings.findCodex, {
      onFailure: (failed) => notFound(failed, surroundings),
      onSuccess: (found): Finding => ({
        status: "ok",
        found: `${found.version} at ${fileOf(found)}.`,
        facts: { installed: true, version: found.version, path: fileOf(found) }
      })
    })
}

/** A look at Codex, where there is one. That there is none is for the check `codex` to say. */
const withCodex =
  (look: (found: FoundCli, surroundings: Surroundings) => Effect.Effect<Finding>): Check["inspect"] =>
  (surroundings) =>
    Effect.matchEffect(surroundings.findCodex, {
      onFailure: () =>
        Effect.succeed<Finding>(
          surroundings.options.runtime === "codex"
            ? { status: "skipped", found: "There is no Codex to look at." }
            : { status: "ok", found: "There is no Codex to look at, and nothing here needs it." }
        ),
      onSuccess: (found) => look(found, surroundings)
    })

/** The same for what runs it. */
const triedWithCodex = (look: Parameters<typeof withCodex>[0]): Check["inspect"] => {
  const inspect = withCodex(look)
  return (surroundings) =>
    surroundings.options.run
      ? inspect(surroundings)
      : Effect.succeed({ status: "skipped", found: "Not tried, because of --no-run." })
}

/** Whether what is known of Codex was measured on this very version. */
export const codexVersion: Check = {
  name: "codex-version",
  title: "Codex version",
  inspect: withCodex((found) => Effect.succeed(standingOf(found.version, typedFile(found))))
}

const standingOf = (version: string, path: string): Finding => {
  const like = measuredVersions.findLast((each) => compareVersions(each, version) <= 0)
  const drift = `To see what it changed, run: agentwire drift --cli ${path}`
  if (like === version)
    return { status: "ok", found: `${version} was measured.`, facts: { standing: "measured", like } }
  if (like === undefined)
    return {
      status: "warning",
      found: `${version} is older than ${measuredVersions[0]}, the oldest that was measured. It may behave differently.`,
      advice: `Install a newer one: ${install}`,
      facts: { standing: "older" }
    }
  return like === measuredVersions.at(-1)
    ? {
        status: "warning",
        found: `${version} is newer than ${like}, the newest that was measured. What that one does is tried.`,
        advice: drift,
        facts: { standing: "newer", like }
      }
    : {
        status: "ok",
        found: `${version} lies between versions that were measured. What ${like} does is tried.`,
        facts: { standing: "between", like }
      }
}

/** What tells Codex who it works for. Only whether they are set is ever said. */
const credentials: ReadonlyArray<string> = ["OPENAI_API_KEY", "CODEX_API_KEY", "CODEX_ACCESS_TOKEN"]

/** Whether Codex will have an account. */
export const codexLogin: Check = {
  name: "codex-login",
  title: "Codex login",
  inspect: withCodex((_, { codexConfig, env, hasCodexLogin, options }) =>
    Effect.map(Effect.all([hasCodexLogin, codexConfig]), ([hasFile, { path, text }]): Finding => {
      const provider = text && setting(text, "model_provider")
      const ways = [
        ...credentials.filter((name) => (env[name] ?? "") !== "").map((name) => `${name} is set`),
        ...(hasFile ? ["Codex has a login"] : []),
        ...(provider ? [`${path} names the model provider ${provider}`] : [])
      ]
      if (ways.length > 0) return { status: "ok", found: `${ways.join(", ")}.`, facts: { seen: true } }
      const found = "No login was seen in a file. One may be in a keyring."
      return options.runtime === "codex"
        ? { status: "warning", found, advice: "If there is none, run codex login.", facts: { seen: false } }
        : { status: "ok", found, facts: { seen: false } }
    })
  )
}

/** A scripted prompt to Codex, judged. */
export const codexRoundTrip: Check = {
  name: "codex-round-trip",
  title: "Codex round trip",
  inspect: triedWithCodex((found, { codexTrip }) =>
    Effect.match(codexTrip(found), {
      onFailure: ({ message }): Finding => ({
        status: "problem",
        found: `It could not be tried: ${message}.`,
        advice: "It needs a temporary folder that can be written (TMPDIR) and a free port on 127.0.0.1."
      }),
      onSuccess: judged
    })
  )
}

const again = `If it is broken, install it again: ${install}`

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
  inspect: triedWithCodex((found, { sandboxTrip }) =>
    Effect.match(sandboxTrip(found), {
      onFailure: ({ message }): Finding => ({
        status: "warning",
        found: `It could not be tried: ${message}.`,
        advice: "It needs a temporary folder that can be written (TMPDIR) and a free port on 127.0.0.1."
      }),
      onSuccess: sandboxed
    })
  )
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

/** How many rules of the person's let commands run (`prefix_rule(pattern=["ls"], decision="allow")`). */
const allowedIn = (rules: string): number => rules.match(/^[^#\n]*decision\s*=\s*["']allow["']/gm)?.length ?? 0

/** Where Codex runs commands without asking anybody. */
export const codexApprovals: Check = {
  name: "codex-approvals",
  title: "Codex approvals",
  inspect: withCodex((_, { codexConfig, codexRules }) =>
    Effect.map(Effect.all([codexConfig, codexRules]), ([{ path, text }, files]): Finding => {
      const approvals = text && setting(text, "approval_policy")
      const sandbox = text && setting(text, "sandbox_mode")
      const rules = files
        .map((file) => ({ ...file, allowed: allowedIn(file.text) }))
        .filter(({ allowed }) => allowed > 0)
      const allowRules = rules.reduce((sum, { allowed }) => sum + allowed, 0)
      const facts = { path, approvalPolicy: approvals ?? "unset", sandboxMode: sandbox ?? "unset", allowRules }
      const byRule = rules.map(
        ({ allowed, path: file }) =>
          ` By ${allowed === 1 ? "a rule" : `${allowed} rules`} in ${file} commands run unasked and outside of the sandbox.`
      )
      const place = sandbox === undefined ? "in its default sandbox" : `with sandbox_mode ${sandbox}`
      if (approvals === "never")
        return {
          status: "warning",
          found: `It runs everything without asking, ${place}: ${path} has approval_policy = "never".${byRule.join("")}`,
          advice: 'Say approval_policy = "on-request" there, or "untrusted", to be asked.',
          facts
        }
      if (sandbox === "danger-full-access")
        return {
          status: "warning",
          found: `It runs without a sandbox: ${path} has sandbox_mode = "danger-full-access", so what it does not ask about may reach everything.${byRule.join("")}`,
          advice: 'Say sandbox_mode = "workspace-write" there.',
          facts
        }
      return {
        status: "ok",
        found: `${
          approvals === undefined
            ? `${path} sets no approval_policy, so it is on-request: what the sandbox allows runs unasked.`
            : `approval_policy is ${approvals}, ${place}.`
        } serve asks about all of it, unless --permission-mode says otherwise.${byRule.join("")}`,
        facts
      }
    })
  )
}
