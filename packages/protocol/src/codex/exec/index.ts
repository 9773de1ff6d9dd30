/** The fold of `codex exec --json`: what it says as events of the model. */
export {
  type ExecDecoded,
  type ExecFolded,
  type ExecFoldOptions,
  type ExecFoldState,
  endExecFold,
  foldExec,
  foldExecPrompt,
  initialExecFold,
  withExecSpending,
  withNewExecThread
} from "./Fold.ts"
