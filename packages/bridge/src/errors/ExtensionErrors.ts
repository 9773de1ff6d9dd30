/**
 * What can be wrong with extensions, in words.
 */
import type { ExtensionCode } from "../extension/ExtensionFailed.ts"
import { type Explained, explained } from "./Explained.ts"

/** Why an extension is not there, or did not do what it was asked: `ExtensionFailed`, and `lastError` of its health. */
export const extensionErrors: { readonly [C in ExtensionCode]: Explained } = {
  EXTENSION_NOT_FOUND: explained("There is no extension of this name.", "`GET /extensions` lists them."),
  EXTENSION_METHOD_UNKNOWN: explained(
    "No extension has a method of this name.",
    "`GET /extensions` lists the methods of each; a name begins with that of its extension."
  ),
  EXTENSION_UNAVAILABLE: explained(
    "The extension does not run: it failed to start, it ended, or it is being started again.",
    "`GET /extensions` says why (`lastError`); the log has it, too."
  ),
  EXTENSION_FAILED: explained(
    "The extension threw something, or answered with what is no JSON or too long.",
    "The message is its own; the log of the bridge has it, too."
  ),
  EXTENSION_TIMEOUT: explained(
    "The extension did not answer in time. One whose event loop stands still is ended and started again.",
    "Ask again, or give it more time with `limits` in the file of extensions."
  ),
  EXTENSION_BUSY: explained(
    "The extension has as much to do, is owed as many answers, or keeps as much as it may.",
    "Ask again later, or raise its `limits`."
  ),
  EXTENSION_BAD_REQUEST: explained(
    "The extension asked the bridge for something that does not fit: a prompt, a key, a pattern, or an event that is not in its `events`.",
    "Read the message; docs/extensions.md says what there is."
  ),
  EXTENSION_INVALID: explained(
    "What the extension says about itself does not fit, or another has its id or its source route.",
    "Read the message, and compare it with docs/extensions.md."
  ),
  EXTENSION_STORE_FAILED: explained(
    "What the extension keeps, or what is owed to it, cannot be read or written.",
    "Check the folder `extensions` below that of `--data`, and the disk."
  ),
  EXTENSION_PROMPT_REFUSED: explained(
    "The session did not take the prompt of the extension. The message has the code of why.",
    "Look that code up; a busy session takes the prompt when it is done, or with `--busy queue`."
  )
}

/** Why the file of extensions cannot be used: `ExtensionFileInvalid`. */
export const extensionFileErrors: Readonly<Record<string, Explained>> = {
  EXTENSIONS_UNREADABLE: explained("The file of extensions cannot be read.", "Check its path and its permissions."),
  EXTENSIONS_INVALID: explained(
    "The file of extensions is not JSON, or does not fit. The message says where.",
    "Compare it with docs/extensions.md."
  ),
  EXTENSION_MODULE_MISSING: explained(
    "There is no module where the file says.",
    "Name a JavaScript file, from the folder of the file of extensions."
  )
}
