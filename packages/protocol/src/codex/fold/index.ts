/** The fold: what `codex app-server` says as events of the model. */
export type { Mapping } from "../../model/Mapping.ts"
export { endFold, type Folded, foldMessage, foldPrompt, foldSteer, foldUnheard } from "./Fold.ts"
export { mappingOf, noticeName } from "./Notice.ts"
export { type FoldOptions, type FoldState, initialFold, withPageTools } from "./State.ts"
