/**
 * The tools that an application offers with a request, as the model has them.
 */
import type { PageTool } from "../../model/Command.ts"
import { isRecord } from "../../wire/Json.ts"
import type { Tool } from "../RunInput.ts"

/** The tools of an application. Parameters are a JSON Schema only by convention; anything but an object is dropped. */
export const pageTools = (tools: ReadonlyArray<Tool>): ReadonlyArray<PageTool> =>
  tools.map(({ description, name, parameters }) => ({
    name,
    description,
    ...(isRecord(parameters) && { parameters })
  }))
