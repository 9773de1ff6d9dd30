/** What the model wants of Codex, as requests and answers; and what Codex asks, as requests of the model. */
export { answerOf, type QuestionResult } from "./Answer.ts"
export { dynamicTool, promptInput, threadStart, turnInterrupt, turnStart, turnSteer } from "./Prompt.ts"
export {
  isQuestion,
  type QuestionContext,
  type QuestionMethod,
  questionMethods,
  requestOf,
  subjectOf,
  type WireQuestion
} from "./Question.ts"
export { dynamicToolResult } from "./ToolResult.ts"
