/** Conformance: the rules a producer of AG-UI keeps, and what finds them broken in a stream of events. */
export { rules } from "./Catalogue.ts"
export * from "./Checker.ts"
export * from "./Fidelity.ts"
export type { Finding } from "./Finding.ts"
export * from "./ResponseHead.ts"
export type { Family, Level, Rule } from "./Rule.ts"
export * from "./SseChecker.ts"
export { windowSize } from "./Window.ts"
