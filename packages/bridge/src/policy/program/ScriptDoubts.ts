/** Whether the scripts that stand among the words of `sed` and `awk` only change what is printed. */

/** The commands of sed that print, delete and copy, and have no file and no program. */
const plainCommands = "pPdDqQ=nNhHgGxlzF"

/** Whether a script of sed opens no file and runs no program, as far as can be seen. */
export const isPlainSed = (script: string): boolean => {
  let at = 0
  const skip = (pattern: RegExp): void => {
    while (at < script.length && pattern.test(script.charAt(at))) at++
  }
  /** The end of what a delimiter closes; undefined: it is not closed, or sed's kinds do not agree on where. */
  const section = (delimiter: string): boolean => {
    const start = at
    for (; at < script.length && script.charAt(at) !== delimiter; at++) if (script.charAt(at) === "\\") at++
    if (at >= script.length) return false
    const inside = script.slice(start, at++)
    return (inside.match(/\[/g)?.length ?? 0) <= (inside.match(/\]/g)?.length ?? 0)
  }
  const address = (): boolean => {
    const first = script.charAt(at)
    if (first === "/" || first === "\\") {
      at += first === "/" ? 1 : 2
      if (!section(script.charAt(at - 1))) return false
      skip(/[IM]/)
      return true
    }
    skip(/[0-9$~+]/)
    return true
  }
  const command = (): boolean => {
    const name = script.charAt(at++)
    if (name === "s" || name === "y") {
      const delimiter = script.charAt(at++)
      if (/[\s\\]|^$/.test(delimiter) || !section(delimiter) || !section(delimiter)) return false
      if (name === "s") skip(/[gpIiMm0-9]/)
    } else if (plainCommands.includes(name) && name !== "") skip(/[ \t0-9]/)
    else if (/[btT:]/.test(name)) skip(/[\w \t-]/)
    else if (/[aic]/.test(name)) {
      while (at < script.length && script.charAt(at) !== "\n") at += script.charAt(at) === "\\" ? 2 : 1
    } else return false
    skip(/[ \t]/)
    return at >= script.length || /[;\n}#]/.test(script.charAt(at))
  }
  while (at < script.length) {
    skip(/[\s;{}]/)
    if (script.charAt(at) === "#") {
      skip(/[^\n]/)
      continue
    }
    if (at >= script.length) break
    if (!address()) return false
    skip(/[ \t]/)
    if (script.charAt(at) === ",") {
      at++
      skip(/[ \t]/)
      if (!address()) return false
    }
    skip(/[\s!]/)
    if (script.charAt(at) === "{") continue
    if (!command()) return false
  }
  return true
}

/** Whether a program of awk opens no file and runs no program: it has no pipe, no `>` behind a `print`, no `getline`. */
export const isPlainAwk = (program: string): boolean =>
  !/(^|[^|])\|([^|]|$)|@|system|getline|ARG[VC]|print[\s\S]*>/.test(program)
