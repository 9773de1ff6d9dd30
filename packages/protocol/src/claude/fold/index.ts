/** The fold: messages of Claude Code as events of the model. */
export { type FinishReason, isOrderly } from "../../model/FinishReason.ts"
export type { Mapping } from "../../model/Mapping.ts"
export { endFold, type Folded, foldMessage, foldPrompt, foldSteer, foldUnheard } from "./Fold.ts"
export { mappingOf } from "./Notice.ts"
export { mcpToolName } from "./PageTools.ts"
export { type FoldOptions, type FoldState, initialFold, pageToolName, withPageTools } from "./State.ts"
