/**
 * What can be wrong with an extension, or with what is asked of it.
 */
import * as Schema from "effect/Schema"

/** The codes, and what they mean. */
export const extensionCodes = {
  /** No extension has this name, or this method. */
  EXTENSION_NOT_FOUND: "There is no such extension.",
  EXTENSION_METHOD_UNKNOWN: "No extension has this method.",
  /** It does not run: it could not be started, or is being started again. */
  EXTENSION_UNAVAILABLE: "The extension does not run.",
  /** It threw, or answered what cannot be passed on. */
  EXTENSION_FAILED: "The extension failed.",
  EXTENSION_TIMEOUT: "The extension did not answer in time.",
  /** It has too much to do, or asks for too much. */
  EXTENSION_BUSY: "The extension has too much to do.",
  /** What it asks for does not fit. */
  EXTENSION_BAD_REQUEST: "The extension asks for something that does not exist.",
  /** What it says about itself does not fit, or is another's already. */
  EXTENSION_INVALID: "The extension says something about itself that does not fit.",
  /** What it keeps cannot be read or written. */
  EXTENSION_STORE_FAILED: "What the extension keeps cannot be read or written.",
  /** The session would not take its prompt. */
  EXTENSION_PROMPT_REFUSED: "The session did not take the prompt."
} as const

/** A code of a failure. */
export type ExtensionCode = keyof typeof extensionCodes

/** An extension failed, or cannot be asked. */
export class ExtensionFailed extends Schema.TaggedError<ExtensionFailed>()("ExtensionFailed", {
  code: Schema.Literals(Object.keys(extensionCodes) as ReadonlyArray<ExtensionCode>),
  message: Schema.String
}) {}

/** A failure of a code. */
export const extensionFailed = (code: ExtensionCode, message: string): ExtensionFailed =>
  new ExtensionFailed({ code, message })
