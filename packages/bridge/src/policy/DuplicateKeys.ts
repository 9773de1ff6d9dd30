/** Keys that occur twice in one object of a JSON text. `JSON.parse` keeps the last, and a list of rules would be lost. */

/** Every such key, once, in the order of the text, which must be valid JSON. */
export const duplicateKeys = (json: string): ReadonlyArray<string> => {
  const found = new Set<string>()
  const open: Array<Set<string> | undefined> = []
  let text = ""
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === "{") open.push(new Set())
    else if (token === "[") open.push(undefined)
    else if (token === "}" || token === "]") open.pop()
    else if (token !== ":") text = token
    else {
      const keys = open.at(-1)
      const key = String(JSON.parse(text))
      if (keys?.has(key) === true) found.add(key)
      keys?.add(key)
    }
  }
  return [...found]
}
