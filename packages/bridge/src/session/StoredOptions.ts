/**
 * What was chosen about the agent of a thread, as it is kept.
 */
import type { AgentOptions } from "./Runtime.ts"

/** What is kept of the choices about an agent. */
export type KeptOptions = Pick<AgentOptions, "model" | "permissionMode">

/** The choices among what is kept of a thread. What is not understood is left out: a later version may have written it. */
export const keptOptions = ({ model, permissionMode }: Readonly<Record<string, unknown>>): KeptOptions => ({
  ...(typeof model === "string" && { model }),
  ...(typeof permissionMode === "string" && { permissionMode })
})
