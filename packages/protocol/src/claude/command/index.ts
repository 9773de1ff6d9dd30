/** What the model wants of Claude Code, as lines; and what Claude Code asks, as requests of the model. */
export { answerResponse, type Verdict, verdictOf } from "./Answer.ts"
export { type AnswerLine, controlError, controlSuccess } from "./ControlResponse.ts"
export { hostPrompt } from "./HostPrompt.ts"
export { type PromptBlock, promptLine } from "./Prompt.ts"
export { type FormQuestion, isToolQuestion, requestOf, type ToolQuestion, type WireQuestion } from "./Question.ts"
export { type CallToolContent, type CallToolResult, callToolResult } from "./ToolResult.ts"
