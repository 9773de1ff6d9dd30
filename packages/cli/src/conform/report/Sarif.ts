/**
 * The report as SARIF 2.1.0, which code scanning shows: a run for each server or set of files, the catalogue as its
 * rules, a result for each finding. Expected failures are results with a suppression.
 */
import { isAbsolute } from "node:path"
import { pathToFileURL } from "node:url"
import type { Conform } from "@agentwire/protocol"
import { version } from "../../Version.ts"
import { rules as allRules, staleRule } from "../Rules.ts"
import type { Judged, Run, Subject } from "../Subject.ts"

const levels: Readonly<Record<Conform.Level, string>> = { error: "error", warning: "warning", info: "note" }

/** The whole document. */
export const sarif = (runs: ReadonlyArray<Run>): string =>
  `${JSON.stringify(
    {
      $schema: "https://json.schemastore.org/sarif-2.1.0.json",
      version: "2.1.0",
      runs: runs.map(runOf)
    },
    undefined,
    2
  )}\n`

interface Descriptor {
  readonly id: string
  readonly shortDescription: { readonly text: string }
  readonly defaultConfiguration: { readonly level: string }
  readonly help?: { readonly text: string }
  readonly properties?: object
}

const catalogue: ReadonlyArray<Descriptor> = [
  ...allRules.map(({ dialects, family, id, level, requirement, spec }) => ({
    id,
    shortDescription: { text: requirement },
    help: { text: `${requirement} Source: ${spec}. Holds in AG-UI ${dialects.join(" and ")}.` },
    defaultConfiguration: { level: levels[level] },
    properties: { family, spec, dialects, tags: [family] }
  })),
  {
    id: staleRule.id,
    shortDescription: { text: staleRule.requirement },
    defaultConfiguration: { level: "error" }
  }
]

const runOf = ({ name, subjects }: Run) => {
  const rules = [...catalogue, ...scenarioRules(subjects)]
  const index = new Map(rules.map(({ id }, at) => [id, at]))
  return {
    tool: { driver: { name: "agentwire conform", version: version(), rules } },
    automationDetails: { id: `agentwire conform/${name}` },
    columnKind: "utf16CodeUnits",
    invocations: [
      {
        executionSuccessful: subjects.every(({ unreadable }) => unreadable !== true),
        toolExecutionNotifications: subjects
          .filter(({ unreadable }) => unreadable === true)
          .map(({ reason = "" }) => ({ level: "error", message: { text: reason } }))
      }
    ],
    results: subjects.flatMap((subject) =>
      subject.rules.flatMap(({ samples }) => samples.map((finding) => resultOf(name, subject, finding, index)))
    ),
    // Of each rule and file only the first findings are kept; the counts are whole.
    properties: { verdicts: subjects.map(({ events, name, verdict, ...counts }) => row(name, verdict, events, counts)) }
  }
}

const row = (
  name: string,
  verdict: string,
  events: number | undefined,
  { errors, infos, warnings }: SubjectCounts
) => ({
  name,
  verdict,
  errors,
  warnings,
  infos,
  ...(events !== undefined && { events })
})

type SubjectCounts = Pick<Subject, "errors" | "warnings" | "infos">

/** What is found by a scenario, not by a rule, is its own rule. */
const scenarioRules = (subjects: ReadonlyArray<Subject>): ReadonlyArray<Descriptor> => {
  const known = new Set(catalogue.map(({ id }) => id))
  const found: Array<Descriptor> = []
  for (const { name, rules, title } of subjects) {
    for (const { level, rule } of rules) {
      if (known.has(rule)) continue
      known.add(rule)
      const text = rule === name && title !== undefined ? title : rule
      found.push({ id: rule, shortDescription: { text }, defaultConfiguration: { level: levels[level] } })
    }
  }
  return found
}

const resultOf = (run: string, { kind, name, title }: Subject, finding: Judged, index: ReadonlyMap<string, number>) => {
  const { excerpt, expected, level, line, message, rule } = finding
  return {
    ruleId: rule,
    ruleIndex: index.get(rule) ?? -1,
    level: levels[level],
    message: { text: message },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: kind === "file" ? fileUri(name) : scenarioUri(run) },
          ...(kind === "file" && { region: { startLine: line ?? 1 } })
        },
        ...(kind === "scenario" && {
          logicalLocations: [{ name, kind: "scenario", fullyQualifiedName: `${name} ${title ?? ""}`.trim() }]
        })
      }
    ],
    ...(expected === true && { suppressions: [{ kind: "external", justification: "An expected failure." }] }),
    properties: { event: finding.index, prefix: finding.prefix, ...(excerpt !== "" && { excerpt }) }
  }
}

const fileUri = (file: string): string => {
  if (file === "-") return "stdin"
  if (isAbsolute(file)) return pathToFileURL(file).href
  return file.replaceAll("\\", "/").split("/").map(encodeURIComponent).join("/")
}

/** A server has an address; a program is a file. */
const scenarioUri = (target: string): string =>
  /^https?:/.test(target) && URL.canParse(target) ? new URL(target).href : fileUri(target)
