/**
 * Codex's app-server as a face: the model written as Codex's clients read it (dialect v2, 0.166.0), their answers and
 * inputs read, the turns of a thread with their items.
 */
export { type AnswerOutcome, readAnswer } from "./Answer.ts"
export {
  type AppServerCursor,
  type AppServerOptions,
  currentTurnId,
  initialAppServer,
  type OpenCall,
  type OpenLane,
  type OpenSpeech,
  type OpenTurn,
  type Spending
} from "./Cursor.ts"
export { ThreadHistory, turnsOf } from "./History.ts"
export { laneThreadId, stableUuid, turnIdOf } from "./Ids.ts"
export { type InputPart, type LocalImage, type ReadInput, readUserInput } from "./Input.ts"
export {
  type AppServerOut,
  type Ask,
  type AskMethod,
  askMethods,
  type Notification,
  type NotificationParams,
  type QuestionParams,
  type Resolved,
  type Timed
} from "./Message.ts"
export { isReviewId, reviewIdOf, reviewOf, reviewPrompt } from "./Review.ts"
export {
  type Autonomy,
  permissionProfiles,
  type ReadSettings,
  type Surroundings,
  sessionSettings,
  type ThreadChoices
} from "./Settings.ts"
export { statusOf } from "./Status.ts"
export { type AppServerWritten, openQuestions, writeAppServer } from "./Write.ts"
