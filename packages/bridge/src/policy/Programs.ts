/**
 * What is known about programs and about the shell's own commands that do more than their words say. Tables.
 */
import type { ShellWord } from "./ShellWord.ts"

/** Shells: they run a text, a file, or what they read. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh"])

/** The options of shells, in the form of a wrapper's. */
export const shellOptions = {
  flags: "abcefhilmnprstuvxBCEHPT",
  values: "oO",
  longFlags: ["login", "noprofile", "norc", "posix", "restricted", "verbose", "noediting"]
} as const

/** Folders whose programs are what their names say. */
export const trustedFolders: ReadonlySet<string> = new Set([
  "/bin",
  "/sbin",
  "/usr/bin",
  "/usr/sbin",
  "/usr/local/bin",
  "/usr/local/sbin",
  "/opt/homebrew/bin"
])

/** What these run, or what they change about later commands, is not followed. */
export const opaquePrograms: ReadonlySet<string> = new Set(
  [
    "source . - alias unalias bind caller compgen complete compopt enable fc hash history let mapfile readarray shopt trap",
    "getopts wait autoload emulate functions noglob nocorrect repeat sched setopt unsetopt zle zmodload disable",
    "su runuser parallel script screen tmux at batch crontab expect gdb strace ltrace unshare nsenter setarch linux32",
    "linux64 chrt taskset flock rlwrap unbuffer systemd-run start-stop-daemon entr dbus-run-session proot fakeroot",
    "setpriv capsh firejail bwrap pkexec run0 fish csh tcsh nu pwsh"
  ].flatMap((line) => line.split(" "))
)

/** Commands that change the folder in which the next ones run. */
export const folderChangers: ReadonlySet<string> = new Set(["cd", "pushd", "popd", "chdir"])

/** Variables that programs read and that change nothing about what runs. */
const harmless: ReadonlySet<string> = new Set(
  "LANG LANGUAGE TZ IFS NO_COLOR FORCE_COLOR CLICOLOR CLICOLOR_FORCE TERM COLUMNS LINES CI NODE_ENV RUST_BACKTRACE".split(
    " "
  )
)

/** Variables in small letters that are not just the script's own: proxies, and what zsh ties to its insides. */
const special: ReadonlySet<string> = new Set(
  [
    "http_proxy https_proxy ftp_proxy all_proxy no_proxy histchars auto_resume",
    "path fpath cdpath manpath mailpath module_path fignore psvar prompt argv aliases galiases saliases functions commands",
    "options widgets keymaps nameddirs userdirs builtins modules parameters"
  ].flatMap((line) => line.split(" "))
)

/** Whether setting a variable leaves the meaning of other commands alone. */
export const isHarmlessVariable = (name: string): boolean =>
  harmless.has(name) || /^LC_[A-Z]+$/.test(name) || (/^[a-z_][a-z0-9_]*$/.test(name) && !special.has(name))

/** Options of the shell's `declare` and the like that set no arithmetic, no reference and no function. */
const declaring = /^[-+][aAgrxlu]+$/

const names = /^[A-Za-z_]\w*$/

const declares = (words: ReadonlyArray<ShellWord>): boolean =>
  words.every(({ value }) => {
    if (value === undefined) return false
    const [name = ""] = value.split("=")
    return declaring.test(value) || (names.test(name) && isHarmlessVariable(name))
  })

/** Whether the words of a shell's own command do no more than they say: some of them evaluate their arguments. */
export const builtins: Readonly<Record<string, (words: ReadonlyArray<ShellWord>) => boolean>> = {
  declare: declares,
  typeset: declares,
  export: declares,
  readonly: declares,
  local: declares,
  read: (words) => {
    const values = words.map(({ value }) => value)
    return values.every(
      (value) => value !== undefined && (/^-[rs]+$/.test(value) || (names.test(value) && isHarmlessVariable(value)))
    )
  },
  unset: (words) =>
    words.every(
      ({ value }) => value === "-v" || (value !== undefined && names.test(value) && isHarmlessVariable(value))
    ),
  set: (words) =>
    words.every(({ value }) => value !== undefined && /^([-+][euxo]+|pipefail|errexit|nounset)$/.test(value)),
  printf: ([first]) => first?.value !== undefined && !first.value.startsWith("-v"),
  test: (words) => words.every(({ many, value }) => !many && value !== "-v" && value !== "-R"),
  "[": (words) => words.every(({ many, value }) => !many && value !== "-v" && value !== "-R")
}
