/** What the model wants of Codex, as requests and answers; and what Codex asks, as requests of the model. */
export { answerOf, type QuestionResult } from "./Answer.ts"
export { dynamicTool, promptInput, threadStart, turnInterrupt, turnStart, turnSteer } from "./Prompt.ts"
export { type QuestionContext, requestOf, subjectOf } from "./Question.ts"
export { dynamicToolResult } from "./ToolResult.ts"
export { isQuestion, type QuestionMethod, questionMethods, type WireQuestion } from "./WireQuestion.ts"
