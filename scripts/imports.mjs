/**
 * Holds the source to the table of `rooms.mjs`: who may import whom, and no cycles. A part of `npm run lint`.
 *
 *   node scripts/imports.mjs [FOLDER]
 *
 * Types count like code: a type of a room is knowledge of that room, and a cycle of types is one that the next edit
 * makes real. dependency-cruiser reads the source with swc, because TypeScript 7 has no compiler API for it to use.
 */
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import swc from "@swc/core"
import { cruise } from "dependency-cruiser"
import { browserCode, packages } from "./rooms.mjs"

const source = (name) => `^packages/${name}/src/`
const folder = (name, room) => `${source(name)}${room}/`
const listed = (names) => (names.length === 0 ? "nothing" : names.join(", "))
const below = (folder) => `^${folder}/`
const browserFolders = Object.keys(browserCode)
const error = (name, from, to) => ({ name, severity: "error", from, to })

/** The rules of every package. */
const common = [
  error("there is a cycle", {}, { circular: true }),
  error("it is not there", {}, { couldNotResolve: true }),
  error(
    "it is no dependency of its package",
    { pathNot: browserFolders.map(below) },
    { dependencyTypes: ["npm-dev", "npm-no-pkg", "npm-unknown"], dependencyTypesNot: ["npm-peer"] }
  )
]

const rulesOf = ([name, { packages: others, protocol = {}, rooms = {} }]) => {
  const names = Object.keys(rooms)
  return [
    error(
      `of the packages, ${name} may import ${listed(others)}`,
      { path: source(name) },
      { path: "^packages/", pathNot: [name, ...others].map(source) }
    ),
    ...names.map((room) =>
      error(
        `of ${name}, ${room} may import ${listed(rooms[room])}`,
        { path: folder(name, room) },
        { path: source(name), pathNot: [room, ...rooms[room]].map((each) => folder(name, each)) }
      )
    ),
    ...Object.entries(protocol).map(([room, known]) =>
      error(
        `of protocol, ${name}'s ${room} may import ${listed(known)}`,
        { path: folder(name, room) },
        { path: source("protocol"), pathNot: known.map((each) => `${source("protocol")}${each}`) }
      )
    ),
    ...(names.length === 0
      ? []
      : [
          error(
            "its folder has no row in scripts/rooms.mjs",
            { path: `${source(name)}.+/`, pathNot: names.map((room) => folder(name, room)) },
            {}
          )
        ])
  ]
}

const browserRulesOf = ([folder, others]) => [
  error(
    `${folder} runs in a browser, and may import ${listed(others)}`,
    { path: below(folder) },
    { path: "^packages/", pathNot: [folder, ...others].map(below) }
  ),
  error(`${folder} runs in a browser, where there is no Node`, { path: below(folder) }, { dependencyTypes: ["core"] })
]

const cruiseOptions = {
  ruleSet: {
    forbidden: [
      ...common,
      ...Object.entries(packages).flatMap(rulesOf),
      ...Object.entries(browserCode).flatMap(browserRulesOf)
    ]
  },
  validate: true,
  parser: "swc",
  doNotFollow: { path: ["node_modules", "/dist/"] }
}

/** Packages are read from their source, as the tests read them. */
const resolveOptions = {
  conditionNames: ["agentwire-source", "import", "node", "default"],
  exportsFields: ["exports"],
  extensions: [".ts", ".tsx", ".mjs", ".js", ".json"]
}

const sentence = ({ cycle, from, rule, to }) =>
  cycle === undefined
    ? `${from} imports ${to}: ${rule.name}.`
    : `${from} is in a cycle: ${cycle.map(({ name }) => name).join(" → ")}.`

/** dependency-cruiser does not tell swc that a file may have JSX in it, and has no option that would. */
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith(".tsx") })

/** What is wrong below a folder, a sentence each. */
const findingsIn = async (root) => {
  const folders = [...Object.keys(packages).map((name) => `packages/${name}/src`), ...browserFolders]
  const { output } = await cruise(folders, { ...cruiseOptions, baseDir: root }, resolveOptions)
  return output.summary.violations.map(sentence)
}

const root = resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url)))
const findings = await findingsIn(root)
for (const finding of findings) console.error(finding)
if (findings.length > 0) {
  console.error(
    `\n${findings.length} findings by the rules of scripts/rooms.mjs. CONTRIBUTING.md says what they are for.`
  )
  process.exitCode = 1
}
