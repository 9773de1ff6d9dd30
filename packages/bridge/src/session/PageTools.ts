/**
 * The tools that the application has brought, as one list.
 */
import type { Model } from "@agentwire/protocol"

/**
 * The tools of a thread after a client brought some: a later definition wins, in the place of the earlier one. Names
 * that differ only in what tool names cannot have (`a.b`, `a_b`) are one tool, for models refuse two of a name. When
 * nothing is new it is the same array as before.
 */
export const mergeTools = (
  known: ReadonlyArray<Model.PageTool>,
  fresh: ReadonlyArray<Model.PageTool>
): ReadonlyArray<Model.PageTool> => {
  const merged = lastOfEach([...known, ...fresh])
  return JSON.stringify(known) === JSON.stringify(merged) ? known : merged
}

/** Each tool once: the last of those with one name. */
export const lastOfEach = (tools: ReadonlyArray<Model.PageTool>): ReadonlyArray<Model.PageTool> => [
  ...new Map(tools.map((tool) => [plainName(tool.name), tool])).values()
]

/** A name with nothing but letters, digits, `_` and `-`. */
export const plainName = (name: string): string => name.replace(/[^A-Za-z0-9_-]/g, "_")
