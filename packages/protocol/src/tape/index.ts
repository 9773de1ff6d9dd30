/** Tapes: recorded sessions, their format, redaction and comparison. */
export * from "./Tape.ts"
export * from "./TapeCodec.ts"
