/** Reads what a message of Claude Code says of itself; `wire/Fields.ts` has what no answer depends on. */
export { fieldsIn, listIn, textIn, textsIn } from "../../wire/Fields.ts"

/** Who a message is from: the call that started its sub-agent, or null for the main thread. */
export const speakerOf = ({ parent_tool_use_id: parent }: { readonly parent_tool_use_id?: unknown }): string | null =>
  typeof parent === "string" ? parent : null
