/** Puts the examples into the README, so that what it shows is what the tests run: `npm run readme`. */
import { readFileSync, writeFileSync } from "node:fs"

const root = new URL("../", import.meta.url)

/** The README with every marked snippet replaced by the file it names. */
export const withExamples = (readme: string): string =>
  readme.replace(
    /<!-- (examples\/[\w-]+\.ts) -->\n```ts\n[\s\S]*?```/g,
    (_, file: string) => `<!-- ${file} -->\n\`\`\`ts\n${readFileSync(new URL(file, root), "utf8")}\`\`\``
  )

const path = new URL("README.md", root)

if (process.argv[1] === new URL(import.meta.url).pathname) writeFileSync(path, withExamples(readFileSync(path, "utf8")))
