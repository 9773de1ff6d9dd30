/** Tapes: recorded sessions, their format, redaction and comparison. */
export * from "./IdBijection.ts"
export * from "./IdKeys.ts"
export { idPatterns, ignoredPatterns } from "./IdText.ts"
export * from "./ParseTape.ts"
export * from "./Redact.ts"
export * from "./Rename.ts"
export * from "./Replay.ts"
export * from "./ReplayHost.ts"
export * from "./ReplayMatch.ts"
export * from "./ReplayScript.ts"
export { signatureOf } from "./Signature.ts"
export {
  findSecrets,
  type Secret,
  type SecretOptions,
  type SecretPattern,
  type SecretRule,
  secretRules
} from "./secret/Scanner.ts"
export * from "./Tape.ts"
export * from "./TapeCodec.ts"
export * from "./TapeDiff.ts"
export * from "./TranscriptTape.ts"
export type { Difference, MatchMode } from "./Trial.ts"
export * from "./versions/Versions.ts"
