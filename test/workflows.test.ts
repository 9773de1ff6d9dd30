/** The workflows, the templates and the documents call what there is. */
import { accessSync, constants, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Yaml } from "effect/encoding"
import { describe, expect, it } from "vitest"
import manifest from "../package.json" with { type: "json" }

const root = fileURLToPath(new URL("..", import.meta.url))
const read = (file: string): string => readFileSync(join(root, file), "utf8")
const below = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))

const github = below(".github").filter((name) => /\.(?:yml|md)$/.test(name))
const documents = ["README.md", "CONTRIBUTING.md", ...github, ...below("docs/decisions")]

describe("every script that is named", () => {
  it.each(documents)("in %s exists", (file) => {
    const named = [...read(file).matchAll(/npm run ([\w:-]+)/g)].map(([, script]) => script)
    expect(named.filter((script) => !Object.hasOwn(manifest.scripts, String(script)))).toEqual([])
  })
})

type Json = Readonly<Record<string, unknown>>
interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: ReadonlyArray<Json>; readonly strategy?: Json }>>
}

const workflow = (name: string): Workflow => Yaml.parse(read(`.github/workflows/${name}`)) as unknown as Workflow

describe("the workflows", () => {
  it("run everything on the oldest Node that is promised, and what is fast on the later ones", () => {
    const matrix = workflow("ci.yml").jobs["test"]?.strategy?.["matrix"] as Json | undefined
    expect(matrix?.["include"]).toEqual([
      { node: manifest.engines.node.replace(">=", ""), command: ".ci/run" },
      { node: "22", command: "npm run test:fast" },
      { node: "24", command: "npm run test:fast" }
    ])
  })

  it("run programs that are there and can be run", () => {
    const steps = ["ci.yml", "release.yml"].flatMap((name) =>
      Object.values(workflow(name).jobs).flatMap((job) => job.steps.map((step) => String(step["run"] ?? "")))
    )
    const programs = [...steps, ".ci/run"].flatMap((run) => /(?:^|node )(\.ci\/\S+|scripts\/\S+)/.exec(run)?.[1] ?? [])
    expect(programs).toContain("scripts/setup.mjs")
    for (const program of programs) {
      accessSync(join(root, program), program.startsWith("scripts/") ? constants.R_OK : constants.X_OK)
    }
  })
})

describe("every template of an issue", () => {
  const templates = github.filter((name) => name.includes("ISSUE_TEMPLATE") && !name.endsWith("config.yml"))

  it("is one of three", () => {
    expect(templates).toHaveLength(3)
  })

  it.each(templates)("%s asks for something, under ids of their own", (file) => {
    const form = Yaml.parse(read(file)) as unknown as { readonly name: string; readonly body: ReadonlyArray<Json> }
    const ids = form.body.map(({ id }) => id)
    expect(form.name).not.toBe("")
    expect(new Set(ids).size).toBe(ids.length)
    expect(form.body.some(({ validations }) => (validations as Json | undefined)?.["required"] === true)).toBe(true)
  })
})
