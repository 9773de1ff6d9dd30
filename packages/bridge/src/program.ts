/** Finds programs as a shell does. Loads nothing but Node, for commands that must start quickly. */
export { type FindProgramOptions, findProgram } from "./process/FindProgram.ts"
