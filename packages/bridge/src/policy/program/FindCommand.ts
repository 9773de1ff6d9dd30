/**
 * What `find` runs: the commands of its `-exec` and the like, `-delete`, and the files it writes.
 *
 * Its words are read as find itself reads them: every primary of the GNU and BSD manuals, with the number of words it
 * takes. A word that none of them knows in its place is not understood.
 */
import { plainWord, type ShellWord, unknownWord } from "../shell/ShellWord.ts"
import { withUnknownMarkers } from "./Wrappers.ts"

/** What was found in the words of a `find`. */
export interface FindActions {
  readonly commands: ReadonlyArray<ReadonlyArray<ShellWord>>
  readonly writes: ReadonlyArray<ShellWord>
  /** A word that may be any of these. */
  readonly unknown: ShellWord | undefined
}

const listed = (text: string): ReadonlySet<string> => new Set(text.split(" "))

/** Options before the folders, but for those that take a word. */
const leading = /^-(?:[HLP]|O\d|[EXdsx]+)$/

const runs: ReadonlySet<string> = listed("-exec -execdir -ok -okdir")
const operators: ReadonlySet<string> = listed("( ) ! , -not -a -and -o -or")

/** Primaries by the number of words they take. */
const primaries: ReadonlyArray<ReadonlySet<string>> = [
  listed(
    [
      "-d -daystart -delete -depth -empty -executable -false -follow -ignore_readdir_race -ls -mount -nogroup -noignore_readdir_race",
      "-noleaf -nouser -nowarn -print -print0 -prune -quit -readable -true -warn -writable -xdev -acl -sparse -xattr"
    ].join(" ")
  ),
  listed(
    [
      "-amin -anewer -atime -Bmin -Btime -Bnewer -cmin -cnewer -context -ctime -files0-from -flags -fls -fprint -fprint0 -fstype",
      "-gid -group -ilname -iname -inum -ipath -iregex -iwholename -links -lname -maxdepth -mindepth -mmin -mnewer -mtime -name",
      "-newer -path -perm -printf -regex -regextype -samefile -size -type -uid -used -user -wholename -xattrname -xtype"
    ].join(" ")
  ),
  listed("-fprintf")
]

const newer = /^-newer[aBcm][aBcmt]$/
const writers: ReadonlySet<string> = listed("-fprint -fprint0 -fls -fprintf")

/** How many words follow a primary; undefined: nobody knows it. */
const valuesOf = (primary: string): number | undefined => {
  if (operators.has(primary)) return 0
  if (newer.test(primary)) return 1
  const count = primaries.findIndex((names) => names.has(primary))
  return count < 0 ? undefined : count
}

/** Reads the words of a `find`. */
export const findActions = (words: ReadonlyArray<ShellWord>): FindActions => {
  const commands: Array<ReadonlyArray<ShellWord>> = []
  const writes: Array<ShellWord> = []
  let unknown: ShellWord | undefined
  for (let at = startOf(words); at < words.length; at++) {
    const word = words[at]
    const value = word?.value
    if (word === undefined || value === undefined) {
      unknown ??= word
      continue
    }
    if (runs.has(value)) {
      const run = commandAfter(words, at)
      if (!run.isSure) unknown ??= word
      if (run.command.length > 0) commands.push(run.command)
      at = run.end
      continue
    }
    const count = valuesOf(value)
    const values = words.slice(at + 1, at + 1 + (count ?? 0))
    // Several words may be anything, and what is no primary is not a folder here.
    if (count === undefined || values.some(({ many }) => many)) unknown ??= word
    else at += count
    if (value === "-delete") commands.push([plainWord("rm"), unknownWord("…", true)])
    if (writers.has(value)) writes.push(...values.slice(0, 1))
  }
  return { commands, writes, unknown }
}

/** Where the expression begins: behind the options and the folders. */
const startOf = (words: ReadonlyArray<ShellWord>): number => {
  const isBefore = ({ value }: ShellWord): boolean =>
    value !== undefined && (leading.test(value) || !(/^-./.test(value) || operators.has(value)))
  let at = 1
  for (let word = words[at]; word !== undefined && isBefore(word); word = words[at]) at++
  return at
}

interface Run {
  readonly command: ReadonlyArray<ShellWord>
  /** Of its last word. */
  readonly end: number
  readonly isSure: boolean
}

const commandAfter = (words: ReadonlyArray<ShellWord>, at: number): Run => {
  const rest = words.slice(at + 1)
  const found = rest.findIndex(isEnd)
  const command = found < 0 ? rest : rest.slice(0, found)
  // A word that is not known may be the end, too; and `+` ends what asks first only in some programs.
  const isKnown = command.every(({ value }) => value !== undefined)
  const isPlus = rest[found]?.value === "+"
  const marked = command.map(withUnknownMarkers("{}"))
  return {
    // `{} +` stands for as many files as there are.
    command: isPlus ? [...marked.slice(0, -1), unknownWord("{}", true)] : marked,
    end: at + 1 + command.length,
    isSure: found >= 0 && isKnown && !(isPlus && /^-ok/.test(words[at]?.value ?? ""))
  }
}

const isEnd = ({ value }: ShellWord, at: number, all: ReadonlyArray<ShellWord>): boolean =>
  value === ";" || (value === "+" && all[at - 1]?.value === "{}")
