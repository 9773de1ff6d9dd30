/** Puts the examples into the READMEs, so that what they show is what the tests run: `npm run readme`. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs"

const root = new URL("../", import.meta.url)

/** The READMEs: of the repository, and of each package. */
export const readmes: ReadonlyArray<string> = [
  "README.md",
  ...readdirSync(new URL("packages/", root)).map((name) => `packages/${name}/README.md`)
]

/** A README with every marked snippet replaced by the file it names. */
export const withExamples = (readme: string): string =>
  readme.replace(
    /<!-- (examples\/[\w/-]+\.ts) -->\n```ts\n[\s\S]*?```/g,
    (_, file: string) => `<!-- ${file} -->\n\`\`\`ts\n${readFileSync(new URL(file, root), "utf8")}\`\`\``
  )

if (process.argv[1] === new URL(import.meta.url).pathname) {
  for (const name of readmes) {
    const path = new URL(name, root)
    writeFileSync(path, withExamples(readFileSync(path, "utf8")))
  }
}
