/** Finds programs as a shell does. Loads nothing but Node, for who has to start at once. */
export { type FindProgramOptions, findProgram } from "./process/FindProgram.ts"
