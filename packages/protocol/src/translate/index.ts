/** The translator: what Claude Code or Codex says as AG-UI's events, by way of the model. */
export * from "./Mapping.ts"
export * from "./Options.ts"
export type { FoldStates, RuntimeMessages, RuntimeName } from "./Runtimes.ts"
export * from "./SseTranslator.ts"
export * from "./TapeHistory.ts"
export * from "./TranslateStream.ts"
export * from "./Translator.ts"
