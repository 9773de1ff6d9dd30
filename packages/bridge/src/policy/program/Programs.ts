/**
 * What is known about programs and about the shell's own commands that do more than their words say. Tables.
 */
import type { ShellWord } from "../shell/ShellWord.ts"

/** Shells: they run a text, a file, or what they read. */
export const shells: ReadonlySet<string> = new Set(["sh", "bash", "rbash", "dash", "ash", "zsh", "ksh", "mksh"])

/** The options of shells, in the form of a wrapper's, but for those that make them interactive: then they run more. */
export const shellOptions = {
  flags: "abcefhlmnprstuvxBCEPT",
  separate: "oO",
  longFlags: ["login", "noprofile", "norc", "posix", "restricted", "verbose", "noediting"]
} as const

/** What `-o` and `-O` may name: nothing that changes how a text is read. */
export const shellModes: ReadonlySet<string> = new Set(
  [
    "allexport errexit errtrace functrace noclobber noexec noglob nounset pipefail verbose xtrace",
    "dotglob failglob globstar inherit_errexit lastpipe nocaseglob nullglob"
  ].flatMap((line) => line.split(" "))
)

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
    "source . - alias unalias bg bind caller compgen complete compopt disown enable fc fg hash history jobs let mapfile",
    "readarray shopt suspend trap getopts wait",
    "autoload emulate functions noglob nocorrect repeat sched setopt unsetopt zle zmodload disable",
    "su runuser parallel script screen tmux at batch crontab expect gdb strace ltrace unshare nsenter setarch linux32",
    "linux64 chrt taskset flock rlwrap unbuffer systemd-run start-stop-daemon entr dbus-run-session proot fakeroot",
    "setpriv capsh firejail bwrap pkexec run0 fish csh tcsh nu pwsh"
  ].flatMap((line) => line.split(" "))
)

/** Programs that do not read what they are given: a shell that reads its text from there reads all of it. */
export const deafPrograms: ReadonlySet<string> = new Set(
  ": [ basename cd date dirname echo export false ls mkdir printf pwd set sleep test touch true uname whoami".split(" ")
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
    const [name = "", text = ""] = value.split(/=(.*)/s)
    // Bash takes `(…)` apart once more where the variable is an array.
    return declaring.test(value) || (names.test(name) && isHarmlessVariable(name) && !text.startsWith("("))
  })

const unaryTests = /^-[abcdefghknoprstuwxzGLNOS]$/
const binaryTests = /^(?:==?|!=|<|>|-(?:eq|ne|lt|le|gt|ge|nt|ot|ef|a|o))$/

/** Whether it is certain which words are operators, and that none of those evaluates the next word, as `-v` does. */
const tests = (words: ReadonlyArray<ShellWord>): boolean => {
  const values = words.map(({ value }) => value)
  if (words.some(({ many }) => many) || values.includes("-v") || values.includes("-R")) return false
  if (!values.includes(undefined) || words.length === 1) return true
  const [first = "", second = ""] = values
  if (first === "!") return tests(words.slice(1))
  return words.length === 2 ? unaryTests.test(first) : words.length === 3 && binaryTests.test(second)
}

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
  test: tests,
  "[": (words) => tests(words.slice(0, -1))
}
