/**
 * Ids in texts: what in a text differs from run to run, by its looks. Which patterns these are is a table; a text is cut
 * into the tokens that they find, words, and what is between.
 */

/**
 * What in a text is an id, by kind; a kind only stands for the same kind. `random` is what looks made up by a
 * machine: six or more letters and digits, some of each.
 */
export const idPatterns: Readonly<Record<string, string>> = {
  placeholder: "REDACTED_[a-z-]+_\\d+",
  uuid: "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
  prefixed: "(?:msg|toolu|srvtoolu|mcptoolu|req|file|container|task|session|cse)_[A-Za-z0-9]+",
  workflow: "wf_[0-9a-f]{8}-[0-9a-f]{3}",
  peer: "(?<=session is [\\w.]{1,60}-)[0-9a-z]+",
  named: "(?<=\\b(?:ID|agentId|agent_id|task_id|run_id|runId)(?:: ?|>))[A-Za-z0-9][\\w-]{5,}",
  bracketed: "(?<=\\[)[0-9a-f]{6}(?=\\])",
  dated: "(?<=-1\\d{12}-)[a-z0-9]{4,10}(?![A-Za-z0-9])",
  temporary: "(?<=[/-](?:tmp|T)[/-][\\w.]{1,60}-)[A-Za-z0-9]{6}(?![A-Za-z0-9])",
  process: "(?<=cc-socks/)\\d+|(?<=/tmp/claude-(?:\\d+/)?)\\d+(?=/)",
  port: "(?<=(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):)\\d{2,5}",
  random: "(?<![A-Za-z0-9])(?=[A-Za-z]*\\d)(?=\\d*[A-Za-z])[A-Za-z0-9]{6,}"
}

/** What in a text is a time or a size: not compared. */
export const ignoredPatterns: Readonly<Record<string, string>> = {
  // Codex paints the times of its log, and names its session files by day and time.
  painted: "(?<=\\x1b\\[)\\d+m\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z?",
  rollout: "(?<=/sessions/)\\d{4}/\\d\\d/\\d\\d(?=/rollout-)|(?<=rollout-)\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d",
  instant: "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?Z?",
  epoch: "(?<![A-Za-z0-9])1\\d{12}(?![A-Za-z0-9])",
  measure: "(?<=(?:duration_ms|total_tokens|subagent_tokens|tool_uses)\\W{1,4})\\d+"
}

const kinds = [...Object.entries(ignoredPatterns), ...Object.entries(idPatterns), ["word", "[A-Za-z0-9]+"] as const]

/** By the numbers of their groups: names would be an object for every word of a tape, and most of the time it takes. */
const token = new RegExp(kinds.map(([, pattern]) => `(${pattern})`).join("|"), "gu")

/** What a pattern found in a text. */
export interface Token {
  readonly kind: string
  readonly text: string
}

/** The tokens of a text and what is between them: always one more of these. */
export const tokenize = (
  text: string
): { readonly tokens: ReadonlyArray<Token>; readonly between: ReadonlyArray<string> } => {
  const tokens: Array<Token> = []
  const between: Array<string> = []
  let from = 0
  token.lastIndex = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    let group = kinds.length
    while (group > 1 && match[group] === undefined) group--
    between.push(text.slice(from, match.index))
    tokens.push({ kind: kinds[group - 1]?.[0] ?? "word", text: match[0] })
    from = token.lastIndex
  }
  between.push(text.slice(from))
  return { tokens, between }
}

/** A text without its ids, times and sizes: each is the name of its kind. */
export const anonymous = (text: string): string => {
  const { between, tokens } = tokenize(text)
  return between.map((part, index) => part + nameOf(tokens[index])).join("")
}

const nameOf = (one: Token | undefined): string =>
  one === undefined ? "" : one.kind === "word" ? one.text : `<${one.kind}>`
