/**
 * What programs do with their words, as far as people want to see it: those that read, list and search, and those that
 * only pass on what they are given. A program that is not here is a command.
 */

/** What a program does with the words that are no options. */
export type ProgramUse =
  /** They are files, which it reads. Without any it passes on what it is given. */
  | "read"
  /** The first is what it looks for, unless an option says that; the others are where. */
  | "search"
  /** They are folders, whose files it lists. */
  | "list"
  /** The first is a pattern for names, the others are folders. */
  | "names"
  /** They are nothing to see. */
  | "nothing"

/** A program. */
export interface Program {
  readonly use: ProgramUse
  /** Options that take the next word: letters, and long names. */
  readonly letters?: string
  readonly names?: ReadonlyArray<string>
  /** Options with which it does something else, such as write a file or run a program. */
  readonly unless?: ReadonlyArray<string>
  /** Options that say what it looks for. */
  readonly pattern?: ReadonlyArray<string>
  /** Options with which it goes through folders, where it needs one; `always`: it does so without. */
  readonly recursive?: ReadonlyArray<string> | "always"
  /** Options with which it does another thing of this table. */
  readonly instead?: Readonly<Record<string, ProgramUse>>
  /** How many files it may be given before one of them is its output. */
  readonly most?: number
}

const grep: Program = {
  use: "search",
  letters: "efmABCdD",
  names: [
    "regexp",
    "file",
    "max-count",
    "after-context",
    "before-context",
    "context",
    "include",
    "exclude",
    "exclude-dir",
    "exclude-from",
    "label",
    "directories",
    "devices"
  ],
  unless: ["f", "file"],
  pattern: ["e", "regexp"],
  recursive: ["r", "R", "recursive", "dereference-recursive"]
}

const ripgrep: Program = {
  use: "search",
  letters: "efgtTABCmdjMrE",
  names: [
    "regexp",
    "file",
    "glob",
    "iglob",
    "type",
    "type-not",
    "after-context",
    "before-context",
    "context",
    "max-count",
    "max-depth",
    "max-columns",
    "max-filesize",
    "threads",
    "replace",
    "encoding",
    "engine",
    "sort",
    "sortr",
    "color",
    "colors",
    "type-add",
    "ignore-file"
  ],
  unless: ["f", "file", "pre", "hostname-bin", "type-list"],
  pattern: ["e", "regexp"],
  recursive: "always",
  instead: { files: "list" }
}

const reads = (letters = "", names: ReadonlyArray<string> = []): Program => ({ use: "read", letters, names })

/** Programs by their names. */
export const programs: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["cat", reads()],
  ["head", reads("nc", ["lines", "bytes"])],
  ["tail", reads("ncs", ["lines", "bytes", "pid", "sleep-interval"])],
  ["less", reads("bhjkoOpPtTxyz")],
  ["more", reads("n")],
  ["nl", reads("bdfhilnsvw")],
  ["bat", reads("lHrm", ["language", "line-range", "highlight-line", "theme", "style", "color", "paging"])],
  ["wc", { ...reads(), unless: ["files0-from"] }],
  ["stat", reads("c", ["format", "printf"])],
  ["file", { ...reads("emFP"), unless: ["f", "files-from", "C", "compile"] }],
  ["cut", reads("bcdf", ["bytes", "characters", "delimiter", "fields", "output-delimiter"])],
  [
    "sort",
    { ...reads("ktST", ["key", "field-separator"]), unless: ["o", "output", "compress-program", "files0-from"] }
  ],
  ["uniq", { ...reads("fsw", ["skip-fields", "skip-chars", "check-chars"]), most: 1 }],
  ["tac", reads("s", ["separator"])],
  ["rev", reads()],
  ["grep", grep],
  ["egrep", grep],
  ["fgrep", grep],
  ["rg", ripgrep],
  ["ls", { use: "list", letters: "ITw", names: ["ignore", "hide", "tabsize", "width"] }],
  ["tree", { use: "list", letters: "LPIH", names: ["charset", "filelimit", "sort"], unless: ["o", "R"] }],
  [
    "fd",
    {
      use: "names",
      letters: "edtESoj",
      names: ["extension", "max-depth", "min-depth", "exact-depth", "type", "exclude", "size", "owner", "threads"],
      unless: ["x", "X", "exec", "exec-batch"]
    }
  ],
  ...["pwd", "echo", "printf", "true", "false", ":", "tr", "test", "["].map((name): readonly [string, Program] => [
    name,
    { use: "nothing" }
  ])
])

/** Where programs with well-known names are. */
export const programFolders: ReadonlySet<string> = new Set([
  "/bin/",
  "/usr/bin/",
  "/usr/local/bin/",
  "/opt/homebrew/bin/"
])

/** What `find` may be asked that takes the next word and changes nothing, and what changes something. */
export const findTests = {
  names: new Set(["-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-iregex"]),
  valued: new Set(
    "-maxdepth -mindepth -type -size -mtime -atime -ctime -mmin -amin -cmin -newer -user -group -perm -regextype -printf".split(
      " "
    )
  ),
  plain: new Set(
    "-not ! -o -or -a -and ( ) -print -print0 -ls -empty -prune -depth -readable -writable -xdev".split(" ")
  )
}

/** Shells that are given a text to run. */
export const shells: ReadonlySet<string> = new Set(["bash", "sh", "zsh", "dash"])
