/** What `find` runs: the commands of its `-exec` and the like, `-delete`, and the files it writes. */
import { plainWord, type ShellWord, unknownWord } from "./ShellWord.ts"
import { withUnknownMarkers } from "./Wrappers.ts"

/** What was found in the words of a `find`. */
export interface FindActions {
  readonly commands: ReadonlyArray<ReadonlyArray<ShellWord>>
  readonly writes: ReadonlyArray<ShellWord>
  /** A word that may be any of these. */
  readonly unknown: ShellWord | undefined
}

const runs: ReadonlySet<string> = new Set(["-exec", "-execdir", "-ok", "-okdir"])
const writes: ReadonlySet<string> = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"])
const tests: ReadonlySet<string> = new Set(
  "-name -iname -path -ipath -wholename -regex -iregex -type -newer -size -mtime -mmin -maxdepth -mindepth -user -group -perm".split(
    " "
  )
)

/** Reads the words of a `find`. */
export const findActions = (words: ReadonlyArray<ShellWord>): FindActions => {
  const commands: Array<ReadonlyArray<ShellWord>> = []
  const written: Array<ShellWord> = []
  let unknown: ShellWord | undefined
  for (let at = 1; at < words.length; at++) {
    const word = words[at]
    const value = word?.value
    if (value === undefined) unknown ??= word
    else if (runs.has(value)) {
      const rest = words.slice(at + 1)
      const end = rest.findIndex(isEnd)
      if (end < 0) unknown ??= word
      commands.push(rest.slice(0, end < 0 ? undefined : end).map(withUnknownMarkers("{}")))
      at = end < 0 ? words.length : at + 1 + end
    } else if (writes.has(value)) {
      const file = words[++at]
      if (file !== undefined) written.push(file)
    } else if (value === "-delete") commands.push([plainWord("rm"), unknownWord("…", true)])
    // One word after a test is its value, whatever it is; several may be anything.
    else if (tests.has(value) && words[at + 1]?.many === false) at++
  }
  return { commands: commands.filter(({ length }) => length > 0), writes: written, unknown }
}

const isEnd = ({ value }: ShellWord, at: number, all: ReadonlyArray<ShellWord>): boolean =>
  value === ";" || (value === "+" && all[at - 1]?.value === "{}")
