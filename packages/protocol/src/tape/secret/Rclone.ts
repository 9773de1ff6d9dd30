/**
 * Keys in the configuration of rclone: in some sections the name is only `key`, which would be a secret nowhere else. So
 * the `type` above it has to say which storage it is of.
 */
import { newLine } from "./Line.ts"
import { type Look, matchAt, nothing, type Sighting } from "./Rule.ts"
import { isSecretValue } from "./Value.ts"

/** The storages whose key is called `key`. */
export const rcloneTypes: ReadonlyArray<string> = ["b2", "azureblob", "azurefiles", "swift"]

const line = new RegExp(`${newLine}([a-z]\\w{0,40})[ \\t]{0,2}=[ \\t]{0,2}([^\\r\\n"'\`]{0,600})`, "y")
const mostLines = 30

/** The keys of the section that a `type` begins. */
export const rcloneSection = (text: string, at: number, word: string): Look => {
  const secrets: Array<Sighting> = []
  let end = at + word.length
  for (let count = 0; count < mostLines; count++) {
    const match = matchAt(line, text, end)
    if (match === null) break
    const [whole, name, value = ""] = match
    end += whole.length
    if (name === "key" && isSecretValue("key", value, { isQuoted: false, isAssigned: false, isOwnLine: true }))
      secrets.push({ start: end - value.length, end })
  }
  return secrets.length === 0 ? { ...nothing(end + 1), reach: end + 660 } : { seen: end + 1, reach: end + 660, secrets }
}
