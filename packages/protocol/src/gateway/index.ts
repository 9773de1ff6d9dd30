/** The gateway: schemas of its frames, methods and events, the model written as events, requests read. */
export {
  AgentBlock,
  BlockSource,
  blocksOf,
  readContent,
  SaidBlock,
  SaidContent,
  ToolResult
} from "./Block.ts"
export { type GatewayCursor, initialGateway, type OpenBlock, type OpenMessage } from "./Cursor.ts"
export { Effort, thinkingTokens } from "./Effort.ts"
export {
  GatewayUsage,
  gatewayPayloads,
  type PayloadOf,
  type PayloadType,
  type SessionEvent,
  sessionEvents
} from "./Event.ts"
export { EventFrame, RequestFrame, ResponseFrame } from "./Frame.ts"
export { messagesOf, usageOf } from "./History.ts"
export {
  AnswerParam,
  ApplicationTool,
  GatewayHealthReport,
  type GatewayMethod,
  gatewayMethods,
  HistoryMessage,
  OpenQuestion,
  type ParamsOf,
  Position,
  type ResultOf,
  SessionConfig,
  SessionRecord,
  WorkspaceRecord
} from "./Method.ts"
export { isPattern, matchesEvent, namedOnly } from "./Pattern.ts"
export { isGatewayMethod, type ReadRefusal, readAnswer, readFrame, readParams } from "./Read.ts"
export { type GatewayWritten, joinGateway, joinsAfter, type LoggedEvent, modelEvent, writeGateway } from "./Write.ts"
