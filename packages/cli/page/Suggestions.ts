/** What a person may have the agent remember: the rules that "always" means, and more that they choose by name. */

import { isRecord } from "@agentwire/protocol/wire"

/** More than a rule that the agent suggests to accept with an answer. */
export interface MoreToAllow {
  /** What the button says. */
  readonly label: string
  /** The suggestion, word for word: the answer names it so. */
  readonly suggestion: object
}

/** What "always" would remember, in words. */
export const rememberedBy = (remember: unknown): ReadonlyArray<string> =>
  list(remember).flatMap(({ label }) => (typeof label === "string" ? [label] : []))

/** What the agent suggests beside rules: another mode, more folders. */
export const moreToAllow = (suggestions: unknown): ReadonlyArray<MoreToAllow> =>
  list(suggestions).flatMap((suggestion) => {
    const { directories, mode, type } = suggestion
    if (type === "setMode" && typeof mode === "string") return [{ label: `Allow and switch to ${mode}`, suggestion }]
    if (type === "addDirectories" && Array.isArray(directories))
      return [{ label: `Allow and open ${directories.join(", ")}`, suggestion }]
    return []
  })

const list = (values: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(values) ? values.filter(isRecord) : []
