/**
 * The report as JUnit XML, which CI systems show: a suite for each run, a case for each file or scenario. Findings
 * that fail are in `<failure>`, the others and the wire log in `<system-out>`.
 */
import { requirementOf } from "../Rules.ts"
import type { RuleTally, Run, Subject } from "../Subject.ts"
import { escapeMarkup } from "./Markup.ts"
import { countWords, findingWords } from "./Words.ts"

/** The whole document. */
export const junit = (runs: ReadonlyArray<Run>, strict: boolean): string => {
  const all = runs.flatMap(({ subjects }) => subjects)
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="agentwire conform" ${numbers(all)}>`,
    ...runs.map(({ name, subjects }) =>
      [
        `  <testsuite ${attribute("name", name)} ${numbers(subjects)} skipped="${count(subjects, isSkipped)}">`,
        ...subjects.map((subject) => testcase(name, subject, strict)),
        "  </testsuite>"
      ].join("\n")
    ),
    "</testsuites>",
    ""
  ].join("\n")
}

const attribute = (name: string, value: string): string =>
  `${name}="${escapeMarkup(value).replace(/[\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`)}"`

const isSkipped = ({ verdict }: Subject): boolean => verdict === "skip"
const isError = ({ unreadable }: Subject): boolean => unreadable === true
const isFailure = (subject: Subject): boolean => subject.verdict === "fail" && !isError(subject)

const count = (subjects: ReadonlyArray<Subject>, is: (subject: Subject) => boolean): number =>
  subjects.filter(is).length

const seconds = (milliseconds: number): string => (milliseconds / 1000).toFixed(3)

const numbers = (subjects: ReadonlyArray<Subject>): string =>
  [
    `tests="${subjects.length}"`,
    `failures="${count(subjects, isFailure)}"`,
    `errors="${count(subjects, isError)}"`,
    `time="${seconds(subjects.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0))}"`
  ].join(" ")

const testcase = (suite: string, subject: Subject, strict: boolean): string => {
  const { durationMs = 0, name, reason = "", rules, title, wire } = subject
  const label = title === undefined ? name : `${name} ${title}`
  const head = `    <testcase ${attribute("classname", suite)} ${attribute("name", label)} time="${seconds(durationMs)}"`
  const fails = rules.filter((rule) => isFailing(rule, strict))
  const others = rules.filter((rule) => !fails.includes(rule))
  const text = escapeMarkup(fails.map(ruleText).join("\n"))
  const out = [...others.map(ruleText), ...wire.map(({ dir, text }) => `${dir === "sent" ? ">" : "<"} ${text}`)]
  const inside = [
    ...(isSkipped(subject) ? [`<skipped ${attribute("message", reason)}/>`] : []),
    ...(isError(subject) ? [`<error ${attribute("message", reason)} type="unreadable">${text}</error>`] : []),
    ...(isFailure(subject)
      ? [
          `<failure ${attribute("message", countWords(subject))} ${attribute("type", fails[0]?.rule ?? "conform")}>${text}</failure>`
        ]
      : []),
    ...(out.length > 0 ? [`<system-out>${escapeMarkup(out.join("\n"))}</system-out>`] : [])
  ]
  if (inside.length === 0) return `${head}/>`
  return [`${head}>`, ...inside.map((line) => `      ${line}`), "    </testcase>"].join("\n")
}

const isFailing = ({ count, expected, level }: RuleTally, strict: boolean): boolean =>
  count > expected && (level === "error" || (strict && level === "warning"))

const ruleText = ({ count, level, rule, samples }: RuleTally): string => {
  const requirement = requirementOf(rule)
  const more = count - samples.length
  return [
    `${level} ${rule}${requirement === undefined ? "" : `: ${requirement}`}`,
    ...samples.map((finding) =>
      [`  ${findingWords(finding)}`, ...(finding.excerpt === "" ? [] : [`    ${finding.excerpt}`])].join("\n")
    ),
    ...(more > 0 ? [`  … and ${more} more`] : [])
  ].join("\n")
}
