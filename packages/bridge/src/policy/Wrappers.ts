/**
 * Programs that run another program: where the other one begins in their words. One table.
 *
 * What the table does not list for a program (an option, an abbreviation) is not understood, and what is not
 * understood is never allowed.
 */
import { type ShellWord, unknownWord } from "./ShellWord.ts"

/** How to find the inner command. */
export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags?: string
  /** Letters of options with a value, in the same word or in the next. */
  readonly values?: string
  /** Letters of options whose value, if any, is in the same word. */
  readonly attached?: string
  readonly longFlags?: ReadonlyArray<string>
  readonly longValues?: ReadonlyArray<string>
  /** Options with which it only tells about the command. */
  readonly queries?: string
  /** Takes `NAME=value` before the command. */
  readonly assigns?: true
  /** How many words stand between the options and the command. */
  readonly operands?: number
  /** Gives its words to a shell, in one line. */
  readonly isText?: true
  /** Adds words of its own to the end; the value of this option marks where, instead. */
  readonly adds?: { readonly marker: string }
  /** Changes who runs the command, or where: a rule must allow this, too. */
  readonly isGate?: true
  /** Without a command it starts a shell. */
  readonly isShell?: true
}

/** By the program's name. */
export const wrappers: Readonly<Record<string, Wrapper>> = {
  command: { flags: "p", queries: "vV" },
  builtin: {},
  exec: { flags: "cl", values: "a" },
  eval: { isText: true },
  env: {
    flags: "i0v",
    values: "u",
    longFlags: ["ignore-environment", "null", "debug"],
    longValues: ["unset"],
    assigns: true
  },
  nohup: {},
  setsid: { flags: "cfw", longFlags: ["ctty", "fork", "wait"] },
  nice: { flags: "0123456789", values: "n", longValues: ["adjustment"] },
  ionice: { flags: "t", values: "cn", longFlags: ["ignore"], longValues: ["class", "classdata"] },
  time: { flags: "pvq", values: "f", longFlags: ["portability", "verbose", "quiet"], longValues: ["format"] },
  timeout: {
    flags: "fpv",
    values: "ks",
    longFlags: ["foreground", "preserve-status", "verbose"],
    longValues: ["kill-after", "signal"],
    operands: 1
  },
  stdbuf: { values: "ioe", longValues: ["input", "output", "error"] },
  xargs: {
    flags: "0rtpxo",
    values: "adEILnPs",
    attached: "eil",
    longFlags: ["null", "no-run-if-empty", "verbose", "interactive", "exit", "open-tty"],
    longValues: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars"],
    adds: { marker: "I" }
  },
  busybox: {},
  toybox: {},
  watch: {
    flags: "bcdegptwr",
    values: "n",
    longFlags: ["beep", "color", "differences", "errexit", "chgexit", "precise", "no-title"],
    longValues: ["interval"],
    isText: true
  },
  sudo: {
    flags: "nEHSAbBPkK",
    values: "ugphCTrt",
    longFlags: ["non-interactive", "preserve-env", "set-home", "stdin", "askpass", "background"],
    longValues: ["user", "group", "prompt", "host"],
    assigns: true,
    isGate: true,
    isShell: true
  },
  doas: { flags: "nL", values: "u", isGate: true, isShell: true },
  chroot: { longValues: ["userspec", "groups"], operands: 1, isGate: true, isShell: true },
  ssh: {
    flags: "46AaCfGgKkMNnqsTtVvXxYy",
    values: "BbcDIiJLlmpQRWw",
    operands: 1,
    isText: true,
    isGate: true,
    isShell: true
  }
}

/** What a wrapper's words say. */
export interface Unwrapped {
  /** The words of the inner command; empty: there is none. */
  readonly inner: ReadonlyArray<ShellWord>
  /** The variables that are set for it. */
  readonly assigned: ReadonlyArray<string>
  /** The letters of all options. */
  readonly letters: string
}

/** Finds the inner command, or says which word was not understood. */
export const unwrapCommand = (
  wrapper: Wrapper,
  words: ReadonlyArray<ShellWord>
): Unwrapped | { readonly notUnderstood: string } => {
  let at = 1
  let marker: string | undefined
  let letters = ""
  for (; at < words.length; at++) {
    const word = words[at]
    if (word?.value === undefined) break
    if (word.value === "--") {
      at++
      break
    }
    if (!word.value.startsWith("-") || word.value === "-") break
    const option = optionOf(wrapper, word.value)
    if (option === undefined) return { notUnderstood: word.text }
    letters += option.letters
    if (option.isQuery) return { inner: [], assigned: [], letters }
    const value = option.takesNext ? words[at + 1]?.value : option.value
    if (option.takesNext && value === undefined) return { notUnderstood: word.text }
    if (option.name === wrapper.adds?.marker || option.name === "i") marker = value === "" ? "{}" : value
    if (option.takesNext) at++
  }
  const assigned: Array<string> = []
  for (; wrapper.assigns === true && at < words.length; at++) {
    const name = /^([^=]*)=/.exec(words[at]?.value ?? "")?.[1]
    if (name === undefined) break
    assigned.push(name)
  }
  for (const operand of words.slice(at, at + (wrapper.operands ?? 0)))
    if (operand.value === undefined || operand.value.startsWith("-")) return { notUnderstood: operand.text }
  const inner = words.slice(at + (wrapper.operands ?? 0))
  if (wrapper.adds === undefined || inner.length === 0) return { inner, assigned, letters }
  const added = marker === undefined ? [...inner, unknownWord("…", true)] : inner.map(withUnknownMarkers(marker))
  return { inner: added, assigned, letters }
}

/** The word as it is when something unknown stands at its markers. */
export const withUnknownMarkers =
  (marker: string) =>
  (word: ShellWord): ShellWord =>
    word.value?.includes(marker) === true ? unknownWord(word.text, false) : word

interface Option {
  /** Of the one that has a value. */
  readonly name: string
  readonly letters: string
  readonly value: string
  readonly takesNext: boolean
  readonly isQuery: boolean
}

const optionOf = (wrapper: Wrapper, text: string): Option | undefined => {
  const { attached = "", flags = "", longFlags = [], longValues = [], queries = "", values = "" } = wrapper
  const plain: Option = { name: "", letters: "", value: "", takesNext: false, isQuery: false }
  if (text.startsWith("--")) {
    const [name = "", value] = text.slice(2).split(/=(.*)/s)
    if (value === undefined && longFlags.includes(name)) return plain
    return longValues.includes(name)
      ? { ...plain, name, value: value ?? "", takesNext: value === undefined }
      : undefined
  }
  const letters = text.slice(1)
  const isQuery = [...letters].some((letter) => queries.includes(letter))
  for (let at = 1; at < text.length; at++) {
    const name = text.charAt(at)
    const value = text.slice(at + 1)
    if (attached.includes(name)) return { ...plain, name, value, isQuery }
    if (values.includes(name)) return { ...plain, name, value, takesNext: value === "", isQuery }
    if (!flags.includes(name) && !queries.includes(name)) return undefined
  }
  return { ...plain, letters, isQuery }
}
