/**
 * What of an agent may be others while it runs, whatever kind it is: its model, how much it may do unasked, how hard it
 * thinks.
 *
 * Which of them a kind can be told is in its capabilities (`settingsLater`); a runtime says it on its wire. What was set is
 * kept with the thread, so the next process has it, too.
 */
import * as Schema from "effect/Schema"
import type { AgentOptions } from "./AgentOptions.ts"

/** What of an agent may be others while it runs. What is not named stays. */
export interface Settings {
  /** The model; null for the default of the agent. */
  readonly model?: string | null
  readonly permissionMode?: string
  readonly effort?: NonNullable<AgentOptions["effort"]>
}

/** A setting of an agent, by its name. */
export type SettingName = keyof Settings

/** The names of all settings. */
export const settingNames = ["model", "permissionMode", "effort"] as const satisfies ReadonlyArray<SettingName>

/** Whether something is the name of a setting. */
export const isSetting = (name: string): name is SettingName => (settingNames as ReadonlyArray<string>).includes(name)

/** The agent has not what it was set to. */
export class SettingFailed extends Schema.TaggedError<SettingFailed>()("SettingFailed", {
  /** Stable: `UNSUPPORTED`, `REFUSED`, `GONE`, `TIMEOUT`, `BAD_ANSWER`. */
  code: Schema.String,
  /** Which of the settings. */
  setting: Schema.String,
  message: Schema.String
}) {}

/** The names of what is set. */
export const settingsIn = (settings: Settings): ReadonlyArray<SettingName> =>
  settingNames.filter((name) => settings[name] !== undefined)

/** What of some settings a kind of agent has nothing for while it runs. */
export const unsupportedSetting = (
  settings: Settings,
  {
    capabilities,
    name
  }: { readonly name: string; readonly capabilities: { readonly settingsLater: ReadonlyArray<string> } }
): SettingFailed | undefined => {
  const { settingsLater } = capabilities
  const setting = settingsIn(settings).find((each) => !settingsLater.includes(each))
  if (setting === undefined) return undefined
  const can = settingsLater.length === 0 ? "nothing" : settingsLater.join(", ")
  return new SettingFailed({
    code: "UNSUPPORTED",
    setting,
    message: `${name} takes ${setting} only when its session is made; what may be set later: ${can}.`
  })
}

/** A model that nobody names, of an agent that has no word for its default. */
export const noDefaultModel = (agent: string): SettingFailed =>
  new SettingFailed({
    code: "UNSUPPORTED",
    setting: "model",
    message: `${agent} cannot be told to go back to its default model: name one.`
  })

/** What of some settings is another than what was chosen. */
export const newSettings = (settings: Settings, now: AgentOptions): Settings =>
  Object.fromEntries(
    settingsIn(settings).flatMap((name) => (settings[name] === now[name] ? [] : [[name, settings[name]]]))
  )
