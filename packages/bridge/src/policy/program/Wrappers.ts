/**
 * Programs that run another program: where the other one begins in their words. One table.
 *
 * What the table does not list for a program (an option, an abbreviation) is not understood, and what is not
 * understood is never allowed.
 */
import { plainWord, type ShellWord, unknownWord } from "../shell/ShellWord.ts"

/** How to find the inner command. */
export interface Wrapper {
  /** Letters of options without a value. */
  readonly flags?: string
  /** Letters of options with a value, in the same word or in the next. */
  readonly values?: string
  /** Letters of options whose value, if any, is in the same word. */
  readonly attached?: string
  /** Letters of options whose value is the next word, even if letters follow: those are understood at the end only. */
  readonly separate?: string
  readonly longFlags?: ReadonlyArray<string>
  readonly longValues?: ReadonlyArray<string>
  /** Long options whose value, if any, is in the same word. */
  readonly longAttached?: ReadonlyArray<string>
  /** Options with which it only tells about the command. */
  readonly queries?: string
  /** Takes `NAME=value` before the command. */
  readonly assigns?: true
  /** How many words stand between the options and the command. */
  readonly operands?: number
  /** Gives its words to a shell, in one line. */
  readonly isText?: true
  /** Adds words of its own to the end of the command. */
  readonly adds?: Adds
  /** Changes who runs the command, or where: a rule must allow this, too. */
  readonly isGate?: true
  /** Without a command it starts a shell. */
  readonly isShell?: true
}

/** How a wrapper adds words. */
export interface Adds {
  /** The value of these options marks where, instead of the end. */
  readonly markers: ReadonlyArray<string>
  /** Each of these takes that back, and is taken back by it: the last one counts. */
  readonly counts: ReadonlyArray<string>
  /** What it runs when it is given no command. */
  readonly otherwise: string
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
  // GNU and BSD. BSD's -J, -R and -S change what the words are added to.
  xargs: {
    flags: "0rtpxo",
    values: "adEILnPs",
    attached: "eil",
    longFlags: ["null", "no-run-if-empty", "verbose", "interactive", "exit", "open-tty", "show-limits"],
    longValues: ["arg-file", "delimiter", "max-args", "max-procs", "max-chars"],
    longAttached: ["eof", "replace", "max-lines"],
    adds: {
      markers: ["I", "i", "replace"],
      counts: ["L", "l", "n", "max-lines", "max-args"],
      otherwise: "echo"
    }
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
  /** The options that may have a value, each with that. */
  readonly options: ReadonlyArray<{ readonly name: string; readonly value: string }>
}

/** Finds the inner command, or says which word was not understood. */
export const unwrapCommand = (
  wrapper: Wrapper,
  words: ReadonlyArray<ShellWord>
): Unwrapped | { readonly notUnderstood: string } => {
  let at = 1
  let letters = ""
  const options: Array<Option & { readonly given: string }> = []
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
    if (option.isQuery) return { inner: [], assigned: [], letters, options: [] }
    const given = option.takesNext ? words[at + 1]?.value : option.value
    if (given === undefined) return { notUnderstood: word.text }
    options.push({ ...option, given })
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
  const read = { assigned, letters, options: options.map(({ given, name }) => ({ name, value: given })) }
  if (wrapper.adds === undefined) return { inner, ...read }
  const { counts, markers, otherwise } = wrapper.adds
  const marking = options.filter(({ name }) => markers.includes(name))
  const counting = options.find(({ name }) => counts.includes(name))
  // Programs do not agree on which of them counts.
  const isOdd = marking.some(({ given, name }) => name === "I" && given === "")
  if (isOdd || marking.length > 1 || (marking.length === 1 && counting !== undefined))
    return { notUnderstood: marking.map(({ given, name }) => `${name} ${given}`).join(" and ") }
  const command = inner.length === 0 ? [plainWord(otherwise)] : inner
  const marker = marking[0]?.given
  return {
    inner:
      marker === undefined ? [...command, unknownWord("…", true)] : command.map(withUnknownMarkers(marker || "{}")),
    ...read
  }
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
  const { attached = "", flags = "", queries = "", separate = "", values = "" } = wrapper
  if (text.startsWith("--")) return longOption(wrapper, text)
  const isQuery = [...text.slice(1)].some((letter) => queries.includes(letter))
  for (let at = 1; at < text.length; at++) {
    const name = text.charAt(at)
    const value = text.slice(at + 1)
    const letters = text.slice(1, at + 1)
    if (attached.includes(name)) return { name, letters, value, takesNext: false, isQuery }
    if (values.includes(name)) return { name, letters, value, takesNext: value === "", isQuery }
    if (separate.includes(name)) return value === "" ? { name, letters, value, takesNext: true, isQuery } : undefined
    if (!flags.includes(name) && !queries.includes(name)) return undefined
  }
  return { name: "", letters: text.slice(1), value: "", takesNext: false, isQuery }
}

const longOption = (
  { longAttached = [], longFlags = [], longValues = [] }: Wrapper,
  text: string
): Option | undefined => {
  const [name = "", value] = text.slice(2).split(/=(.*)/s)
  const option: Option = { name, letters: "", value: value ?? "", takesNext: false, isQuery: false }
  if (longAttached.includes(name) || (value === undefined && longFlags.includes(name))) return option
  return longValues.includes(name) ? { ...option, takesNext: value === undefined } : undefined
}
