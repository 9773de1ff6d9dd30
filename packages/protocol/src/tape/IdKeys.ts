/** Keys of JSON by what is under them: ids, what is not compared, and what says which message it is. */

/** Keys whose strings are ids, whatever they look like. */
export const idKeys: ReadonlyArray<RegExp> = [
  /^id$/,
  /^uuids?$/i,
  /_ids?$/,
  /[a-z]Ids?$/,
  /_uuids?$/,
  /[a-z]Uuids?$/,
  /^cancelled$/
]

/** Keys that look like those of ids but are not: names that a host or the CLI gave on purpose. */
export const notIdKeys: ReadonlyArray<RegExp> = [/^callback_id$/, /^hookCallbackIds$/, /^model_?id$/i]

/** Keys of times, costs, durations and token counts: not compared, present or not. */
export const ignoredKeys: ReadonlyArray<RegExp> = [
  /_ms$/,
  /[a-z]Ms$/,
  /_usd$/i,
  /USD$/,
  /tokens?$/i,
  /Tokens?[A-Z]/,
  /^tokens_/,
  /_tokens_/,
  /^timestamp$/,
  /_at$/,
  /[a-z]At$/,
  /_time$/,
  /^mtime$/,
  /Time$/,
  /^duration/i,
  /[dD]uration(Seconds)?$/,
  /_seconds$/,
  /^percentage$/,
  /^squareFullness$/,
  /^gridRows$/,
  /^pid$/,
  /^(time_to_request|ttft)/,
  /^startup_/,
  /_phases?$/,
  /^progressToken$/
]

/** Keys whose values say what a message is: compared in every mode. */
export const discriminators: ReadonlySet<string> = new Set(["type", "subtype", "role", "behavior", "method"])

const someMatch = (patterns: ReadonlyArray<RegExp>, key: string): boolean =>
  patterns.some((pattern) => pattern.test(key))

const memo = (test: (key: string) => boolean): ((key: string) => boolean) => {
  const known = new Map<string, boolean>()
  return (key) => {
    const found = known.get(key)
    if (found !== undefined) return found
    const value = test(key)
    // Keys come from the wire: the memory is bounded whatever it sends.
    if (known.size < 10_000) known.set(key, value)
    return value
  }
}

/** Whether the strings under this key are ids. */
export const isIdKey: (key: string) => boolean = memo((key) => someMatch(idKeys, key) && !someMatch(notIdKeys, key))

/** Whether what is under this key is not compared. */
export const isIgnoredKey: (key: string) => boolean = memo((key) => someMatch(ignoredKeys, key))
