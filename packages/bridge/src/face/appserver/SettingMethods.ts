/**
 * What clients ask of the server itself before they show anything: who it is, which models and modes there are, whether
 * the folder is trusted. What Codex has and a bridge has not is an empty answer, where clients cannot do without one.
 */
import { resolve } from "node:path"
import { schemaVersion } from "@agentwire/protocol/codex"
import * as Effect from "effect/Effect"
import { mcpServersOf, skillsOf } from "./AgentLists.ts"
import type { Call, Handlers } from "./Call.ts"
import { profilesOf } from "./Leave.ts"
import { modelsOf } from "./Models.ts"
import { refuse } from "./Refusals.ts"

const homeOf = ({ client }: Call): string => client.shared.options.home ?? client.shared.options.cwd

/** What is asked of the server itself. */
export const settingHandlers = {
  initialize: ({ capabilities, clientInfo }, call) =>
    Effect.sync(() => {
      const { name, version } = clientInfo
      call.client.introduce({
        name,
        version,
        experimental: capabilities?.experimentalApi === true,
        optOut: new Set(capabilities?.optOutNotificationMethods ?? [])
      })
      const own = call.client.shared.options.version ?? "0.0.0"
      return {
        // Clients read the version of the protocol off it.
        userAgent: `${name}/${schemaVersion} (agentwire ${own}) (${name}; ${version})`,
        codexHome: resolve(homeOf(call)),
        platformFamily: process.platform === "win32" ? "windows" : "unix",
        platformOs: process.platform === "darwin" ? "macos" : process.platform
      }
    }),
  // There is no account: whoever the agent's own program is logged in as pays.
  "account/read": () => Effect.succeed({ account: null, requiresOpenaiAuth: false, workspaceRouting: null }),
  "account/rateLimits/read": () => Effect.succeed({ rateLimits: noRateLimits }),
  getAuthStatus: () => Effect.succeed({ authMethod: null, authToken: null, requiresOpenaiAuth: false }),
  "model/list": (_, call) => Effect.map(modelsOf(call), (data) => ({ data, nextCursor: null })),
  "modelProvider/capabilities/read": () => Effect.succeed({ imageGeneration: false, webSearch: true }),
  "permissionProfile/list": (_, call) =>
    Effect.sync(() => ({ data: profilesOf(call.client.shared.options), nextCursor: null })),
  "collaborationMode/list": () => Effect.succeed({ data: [] }),
  "experimentalFeature/list": () => Effect.succeed({ data: [], nextCursor: null }),
  "mcpServerStatus/list": mcpServersOf,
  "skills/list": (params, call) =>
    Effect.map(skillsOf(foldersOf(params.cwds, call), params, call), (data) => ({ data })),
  "hooks/list": ({ cwds }, call) =>
    Effect.succeed({ data: foldersOf(cwds, call).map((cwd) => ({ cwd, hooks: [], warnings: [], errors: [] })) }),
  "plugin/list": () => Effect.succeed({ marketplaces: [], featuredPluginIds: [], marketplaceLoadErrors: [] }),
  "configRequirements/read": () => Effect.succeed({ requirements: null, supportsIndependentSpeedModes: false }),
  "config/read": ({ cwd, includeLayers }, call) =>
    Effect.sync(() => ({
      config: {
        model: call.client.shared.options.agent?.model ?? null,
        model_provider: call.client.shared.options.runtime,
        // Where agents may work is for the operator to say, and refused elsewhere: there is nothing left to ask the person.
        projects: Object.fromEntries(
          [cwd, call.client.shared.options.cwd].flatMap((folder) =>
            typeof folder === "string" ? [[folder, { trust_level: "trusted" }]] : []
          )
        )
      },
      origins: {},
      layers: includeLayers === true ? [] : null
    })),
  // Clients write down that a folder is trusted, and their own looks. Nothing of it is kept: `config/read` says the rest.
  "config/batchWrite": ({ edits }, call) =>
    Effect.suspend(() => {
      const [foreign] = edits.filter(({ keyPath }) => !harmless.test(keyPath))
      return foreign === undefined
        ? Effect.succeed({
            filePath: resolve(homeOf(call), "config.toml"),
            status: "ok" as const,
            version: "0",
            overriddenMetadata: null
          })
        : refuse(`${foreign.keyPath} cannot be written here: options of agents are the operator's`, "OPTION_REFUSED")
    })
} as const satisfies Handlers

/** What is for the looks of a client, or said by `config/read` whatever was written. */
const harmless = /^(?:projects|tui|notice|notify)\b/

const foldersOf = (cwds: ReadonlyArray<string> | undefined, { client }: Call): ReadonlyArray<string> =>
  cwds === undefined || cwds.length === 0 ? [client.shared.options.cwd] : cwds

const noRateLimits = {
  limitId: null,
  limitName: null,
  primary: null,
  secondary: null,
  credits: null,
  planType: null,
  rateLimitReachedType: null
}
