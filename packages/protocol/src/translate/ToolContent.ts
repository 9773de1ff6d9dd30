/** What a tool gave back: see the fold. */
export { toolContent } from "../claude/fold/ToolContent.ts"
