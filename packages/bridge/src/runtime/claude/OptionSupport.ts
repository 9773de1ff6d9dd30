/**
 * Whether a version of the CLI knows what it is to be started with. What it does not know it would leave out, or end
 * with words about flags: the session is told which option it is instead. What nobody knows is tried.
 */
import * as Claude from "@agentwire/protocol/claude"
import { LaunchFailed, type LaunchRequest } from "./Agent.ts"
import { taken } from "./FrontendServer.ts"

/** Why a version is not started with these options; undefined when it is. */
export const optionProblem = (
  { frontendServer, hookEvents = [], options }: Pick<LaunchRequest, "frontendServer" | "hookEvents" | "options">,
  version: string
): LaunchFailed | undefined => {
  const option = optionsIn(options).find((name) => isUnknown(Claude.lookupOption(name, version)))
  if (option !== undefined)
    return unsupported(version, `the option ${option} (${Claude.launchOptions[option].how})`, firstWith(option))
  const event = [...Object.keys(options.hooks ?? {}), ...hookEvents].find((name) =>
    isUnknown(Claude.lookupHookEvent(name, version))
  )
  if (event !== undefined) return unsupported(version, `hooks for ${JSON.stringify(event)}`, firstWithEvent(event))
  if (options.hooks !== undefined && options.extraArgs?.some(isSettings) === true)
    return conflict("The option hooks and the flag --settings exclude each other: put the hooks into those settings.")
  return Object.hasOwn(options.mcpServers ?? {}, frontendServer) ? conflict(taken(frontendServer)) : undefined
}

const conflict = (message: string): LaunchFailed => new LaunchFailed({ code: "OPTION_CONFLICT", message })

/** The options that are set. A switch that is off asks nothing of the agent. */
const optionsIn = (options: LaunchRequest["options"]): ReadonlyArray<Claude.LaunchOptionName> =>
  (Object.keys(Claude.launchOptions) as ReadonlyArray<Claude.LaunchOptionName>).filter(
    (name) => options[name] !== undefined && options[name] !== false
  )

const isUnknown = ({ assumed, value }: Claude.KnowledgeFinding): boolean => value === "unknown" && !assumed

const isSettings = (flag: string): boolean => /^--settings(?:=|$)/.test(flag)

const unsupported = (version: string, what: string, first: string | undefined): LaunchFailed =>
  new LaunchFailed({
    code: "OPTION_UNSUPPORTED",
    message: `Claude Code ${version} does not know ${what}. ${first === undefined ? "No version that was tried does." : `${first} does: use a newer version, or leave it out.`}`
  })

const firstKnown = (row: Claude.KnowledgeRow = {}): string | undefined =>
  Object.keys(row)
    .filter((version) => row[version] === "known")
    .sort(Claude.compareVersions)[0]

const firstWith = (option: Claude.LaunchOptionName): string | undefined =>
  firstKnown(Claude.launchOptions[option].versions)

const firstWithEvent = (event: string): string | undefined =>
  firstKnown(
    Object.hasOwn(Claude.hookEventVersions, event)
      ? Claude.hookEventVersions[event as keyof typeof Claude.hookEventVersions]
      : undefined
  )
