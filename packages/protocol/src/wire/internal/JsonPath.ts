/** Paths into JSON: `$.message.content[0].text`. */

/** Stands for every element of an array or every value of a record. */
export const each = Symbol("each")

/** A way into JSON, from the outside in. */
export type JsonPath = ReadonlyArray<string | number | typeof each>

/** Renders a path as JSONPath (RFC 9535). */
export const renderPath = (path: JsonPath): string =>
  `$${path.map((step) => (step === each ? "[*]" : typeof step === "number" ? `[${step}]` : renderKey(step))).join("")}`

const renderKey = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)
