/** Text made safe for XML and HTML. */

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

/**
 * Escapes a text for an element or a quoted attribute. What XML 1.0 cannot hold at all, not even escaped (most control
 * characters, halves of surrogate pairs, U+FFFE and U+FFFF), becomes U+FFFD.
 */
export const escapeMarkup = (text: string): string =>
  text.replace(unfit, "\ufffd").replace(/[&<>"']/g, (character) => entities[character] ?? "")

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is meant
const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu
