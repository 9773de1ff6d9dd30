/** The Claude Code CLI: where it is, how well its version is known, how it will be spoken to, and who it is. */
import type { LaunchFailed } from "@agentwire/bridge/claude"
import * as Claude from "@agentwire/protocol/claude"
import * as Effect from "effect/Effect"
import type { Finding } from "../Finding.ts"
import type { Surroundings } from "../Surroundings.ts"
import { type Check, fileOf, typedFile, withCli } from "./Check.ts"

/** Installs the newest CLI. */
export const install = "npm install -g @anthropic-ai/claude-code"

const elsewhere = "or say where another one is with --cli PATH or CLAUDE_PATH"

/** Said of an agent that is not there and that nobody asked for. */
const notNeeded = "Nothing here needs it."

/** Who named the CLI. */
const namedBy = ({ env, options }: Surroundings): string =>
  isWanted(options) && options.cli !== undefined ? "--cli" : env["CLAUDE_PATH"] ? "CLAUDE_PATH" : "the PATH"

const isWanted = ({ runtime }: Surroundings["options"]): boolean => runtime === "claude"

/** What to do about a CLI that was not found. */
const advice: Readonly<Record<string, string>> = {
  CLI_NOT_FOUND: `Install it (${install}), ${elsewhere}.`,
  CLI_NOT_EXECUTABLE: `Make it executable (chmod +x), ${elsewhere}.`,
  CLI_VERSION_UNKNOWN: `Try it with --version yourself. If it is broken, install it again (${install}), ${elsewhere}.`
}

const notFound = ({ code, message }: LaunchFailed, surroundings: Surroundings): Finding => {
  if (!isWanted(surroundings.options)) return { status: "ok", found: `${message} ${notNeeded}`, facts: { code } }
  const by = namedBy(surroundings)
  const wanted = surroundings.options.cli ?? surroundings.env["CLAUDE_PATH"]
  return {
    status: "problem",
    found:
      code !== "CLI_NOT_FOUND"
        ? message.replace("the path that was given", "--cli")
        : by === "the PATH"
          ? "There is no claude in the PATH."
          : `There is no ${wanted}, which ${by} names.`,
    advice: advice[code] ?? `Install it again (${install}), ${elsewhere}.`,
    facts: { code }
  }
}

/** Whether there is a CLI. */
export const cli: Check = {
  name: "cli",
  title: "Claude Code",
  inspect: (surroundings) =>
    Effect.match(surroundings.findCli, {
      onFailure: (failed) => notFound(failed, surroundings),
      onSuccess: (found): Finding => {
        const path = fileOf(found)
        const { version } = found
        return {
          status: "ok",
          found: `${version} at ${path}, named by ${namedBy(surroundings)}.`,
          facts: { version, path }
        }
      }
    })
}

/** Whether what is known of the CLI was measured on this very version. */
export const version: Check = {
  name: "version",
  title: "Version",
  inspect: withCli((found) => Effect.succeed(standingOf(found.version, typedFile(found))))
}

const standingOf = (version: string, path: string): Finding => {
  const before = Claude.measuredVersions.findLast((each) => Claude.compareVersions(each, version) <= 0)
  const after = Claude.measuredVersions.find((each) => Claude.compareVersions(each, version) >= 0)
  if (before === undefined)
    return {
      status: "warning",
      found: `${version} is older than ${after}, the oldest that was measured. It may behave differently.`,
      advice: `Install a newer one: ${install}`,
      facts: { standing: "older" }
    }
  if (after === undefined)
    return {
      status: "warning",
      found: `${version} is newer than ${before}, the newest that was measured. What that one does is tried.`,
      advice: `To see what it changed, run: agentwire drift --cli ${path}`,
      facts: { standing: "newer", like: before }
    }
  return before === after
    ? { status: "ok", found: `${version} was measured.`, facts: { standing: "measured", like: before } }
    : {
        status: "ok",
        found: `${version} lies between ${before} and ${after}, which were measured. What both of them do, it does; the rest is tried.`,
        facts: { standing: "between", like: before }
      }
}

/** How the CLI will be spoken to. */
export const transport: Check = {
  name: "transport",
  title: "Transport",
  inspect: withCli(({ version }, { options }) => {
    const { assumed, value: hasSocket } = Claude.lookup("sdkUrl", version)
    if (options.transport !== "ws")
      return Effect.succeed({
        status: "ok",
        found: `stdio, which every version has${
          hasSocket ? `; ${version} can also be spoken to with --transport ws` : ""
        }.`,
        facts: { transport: "stdio" }
      })
    const facts = { transport: "ws" }
    if (assumed)
      return Effect.succeed({
        status: "warning",
        found: `ws, as --transport says; whether ${version} accepts it on loopback is not known.`,
        advice: "Leave --transport out if it does not: stdio always works.",
        facts
      })
    return Effect.succeed(
      hasSocket
        ? { status: "ok", found: `ws, as --transport says; ${version} accepts it on loopback.`, facts }
        : {
            status: "problem",
            found: `ws was asked for, which ${version} refuses on loopback; 2.1.120 is the last that accepts it.`,
            advice: "Leave --transport out, or say --transport stdio.",
            facts
          }
    )
  })
}

/** What tells a CLI who it works for. Only whether they are set is ever said. */
export const credentials: ReadonlyArray<string> = [
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_AUTH_TOKEN",
  "CLAUDE_CODE_OAUTH_TOKEN",
  "CLAUDE_CODE_USE_BEDROCK",
  "CLAUDE_CODE_USE_VERTEX",
  "CLAUDE_CODE_USE_FOUNDRY"
]

/** Whether the agents of `serve` will have an account. */
export const login: Check = {
  name: "login",
  title: "Login",
  inspect: ({ env, hasLogin, options, platform }) =>
    Effect.map(hasLogin, (hasFile): Finding => {
      const set = credentials.filter((name) => (env[name] ?? "") !== "")
      const ways = [...set.map((name) => `${name} is set`), ...(hasFile ? ["Claude Code has a login"] : [])]
      if (ways.length > 0) return { status: "ok", found: `${ways.join(", ")}.`, facts: { seen: true } }
      if (!isWanted(options)) return { status: "ok", found: "No login and no key was seen.", facts: { seen: false } }
      return platform === "darwin"
        ? { status: "ok", found: "A login may be in the keychain; nothing else is set.", facts: { seen: false } }
        : {
            status: "warning",
            found: "No login and no key was seen. The CLI will start, and say that it has none.",
            advice: "Run claude and log in, or set ANTHROPIC_API_KEY.",
            facts: { seen: false }
          }
    })
}
