/**
 * The tools that an application offers with a request, as the model has them.
 */
import type { PageTool } from "../../model/Command.ts"
import { isObject } from "../../wire/internal/Shape.ts"
import type { Tool } from "../RunInput.ts"

/** The tools of an application. Parameters are a JSON Schema only by convention; anything but an object is dropped. */
export const pageTools = (tools: ReadonlyArray<Tool>): ReadonlyArray<PageTool> =>
  tools.map(({ description, name, parameters }) => ({
    name,
    description,
    ...(isObject(parameters) && { parameters })
  }))
