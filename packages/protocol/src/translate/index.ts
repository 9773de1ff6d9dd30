/** The translator: Claude Code's messages as AG-UI's events, by way of the model. */
export * from "./Mapping.ts"
export * from "./Options.ts"
export * from "./SseTranslator.ts"
export * from "./TapeHistory.ts"
export * from "./TranslateStream.ts"
export * from "./Translator.ts"
