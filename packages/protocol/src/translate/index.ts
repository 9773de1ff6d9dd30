/** The translator: Claude Code's messages as AG-UI's events, and the way back. */
export * from "./Inbound.ts"
export * from "./Mapping.ts"
export * from "./Options.ts"
export * from "./SseTranslator.ts"
export * from "./TapeHistory.ts"
export * from "./TranslateStream.ts"
export * from "./Translator.ts"
