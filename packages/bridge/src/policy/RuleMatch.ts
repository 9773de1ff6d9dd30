/** How the rules of a policy meet the parts of one call: they are made ready once, then compared with each part. */
import { type CallPart, own } from "./CallParts.ts"
import { type CommandMatcher, commandMatcher, mentionMatcher, namesOption } from "./CommandPattern.ts"
import { betterMatch, type Match, matchOf, matchText, worseMatch } from "./Match.ts"
import { matchPlace, type PathPattern, pathPatternFrom } from "./PathPattern.ts"
import type { ToolUse } from "./Policy.ts"
import type { Disk } from "./RealPath.ts"
import type { PlacedRule, RuleSet } from "./Rules.ts"
import type { ToolInputs } from "./ToolInputs.ts"

/** A rule, seen from a working folder. */
export interface ReadyRule {
  readonly rule: PlacedRule
  readonly isStrict: boolean
  readonly commands: ReadonlyArray<ReadyCommand> | undefined
  readonly paths: ReadonlyArray<PathPattern> | undefined
}

interface ReadyCommand {
  readonly pattern: string
  readonly match: CommandMatcher
  /** Whether a command has one among its words that the pattern fits. */
  readonly isMentioned: (words: Parameters<CommandMatcher>[0]) => boolean
}

/** Makes the rules ready. */
export const readyRules = ({ rules }: RuleSet, cwd: string, disk: Disk): Promise<ReadonlyArray<ReadyRule>> =>
  Promise.all(
    rules.map(async (rule) => {
      const isStrict = rule.effect !== "allow"
      return {
        rule,
        isStrict,
        commands: rule.commands?.map((pattern) => ({
          pattern,
          match: commandMatcher(pattern, cwd, isStrict),
          isMentioned: mentionMatcher(pattern, cwd)
        })),
        paths:
          rule.paths === undefined
            ? undefined
            : await Promise.all(rule.paths.map((pattern) => pathPatternFrom(cwd, pattern, disk)))
      }
    })
  )

/** A rule that names files, and not only a tool. */
const isAboutFiles = ({ input, paths }: PlacedRule): boolean => paths !== undefined || Object.keys(input).length > 0

/** Whether a rule refuses some files to the tools that read and write them, or asks about them. */
export const hasFileRules = ({ rules }: RuleSet, { files }: ToolInputs): boolean =>
  rules.some(
    (rule) =>
      rule.effect !== "allow" &&
      isAboutFiles(rule) &&
      rule.tools.some((tool) => matchText(tool, files.read) || matchText(tool, files.write))
  )

/** How a rule matches a part. */
export const matchRule = ({ commands, isStrict, paths, rule }: ReadyRule, part: CallPart): Match => {
  const { orTool = part.tool } = part
  if (!rule.tools.some((tool) => matchText(tool, part.tool) || matchText(tool, orTool))) return "no"
  // Arguments need no leave of their own, and a tool that is refused altogether is not what they are about.
  if (part.isArgument === true && !(isStrict && isAboutFiles(rule))) return "no"
  let match: Match = part.orTool === undefined ? "yes" : "maybe"
  for (const [field, wanted] of Object.entries(rule.input))
    match = worseMatch(match, matchField(wanted, part.input, field))
  if (commands !== undefined) {
    const words = part.command?.words
    match = worseMatch(match, words === undefined ? "no" : anyOf(commands, (command) => command.match(words)))
  }
  return paths === undefined ? match : worseMatch(match, matchPaths(paths, part, isStrict))
}

/** Whether a rule refuses a command that stands among the words of a part. */
export const isMentionedIn = ({ commands, isStrict }: ReadyRule, { command, isReader }: CallPart): boolean =>
  command !== undefined &&
  isReader !== true &&
  isStrict &&
  commands?.some(({ isMentioned }) => isMentioned(command.words)) === true

/** Whoever allows `sed -i *` allows the file to be written, by the name of the option. */
export const allowsByOption = ({ commands, isStrict, rule }: ReadyRule, { allowedBy }: CallPart): boolean =>
  allowedBy !== undefined &&
  !isStrict &&
  rule.tools.some((tool) => matchText(tool, allowedBy.tool)) &&
  commands?.some(
    ({ match, pattern }) => namesOption(pattern, allowedBy.option) && match(allowedBy.command.words) === "yes"
  ) === true

const anyOf = <A>(all: ReadonlyArray<A>, matchOne: (one: A) => Match): Match => {
  let best: Match = "no"
  for (const one of all) {
    best = betterMatch(best, matchOne(one))
    if (best === "yes") return best
  }
  return best
}

const matchPaths = (
  patterns: ReadonlyArray<PathPattern>,
  { at, isPlaceUnknown }: CallPart,
  isStrict: boolean
): Match => {
  if (at === undefined) return isPlaceUnknown === true ? "maybe" : "no"
  const { places, ...reach } = at
  return anyOf(patterns, (pattern) => {
    const [meant = "no", ...possible] = places.map((place) => matchPlace(pattern, place, { ...reach, isStrict }))
    if (!isStrict) return possible.reduce(worseMatch, meant)
    return possible.map((match) => worseMatch(match, "maybe")).reduce(betterMatch, meant)
  })
}

const matchField = (wanted: string | number | boolean, input: ToolUse["input"], field: string): Match => {
  const value = own(input, field)
  if (value === undefined || value === null) return "no"
  if (typeof value === "object") return "maybe"
  return matchOf(typeof wanted === "string" ? matchText(wanted, String(value)) : wanted === value)
}
