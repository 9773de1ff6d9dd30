/** The page of error codes. */
import { errorAreas } from "../packages/bridge/src/errors/Catalogue.ts"
import { type RefusalCode, refusalStatus } from "../packages/bridge/src/face/http/HttpRefusal.ts"

const cell = (text: string): string => text.replaceAll("|", "\\|")

const statusOf = (code: string): string => ` (${refusalStatus[code as RefusalCode]})`

/** The page as Markdown. */
export const errorPage = (): string => {
  const sections = errorAreas.map(({ codes, title, where }, index) => {
    const rows = Object.entries(codes).map(
      ([code, { means, todo }]) =>
        `| \`${code}\`${index === 0 ? statusOf(code) : ""} | ${cell(means)} | ${cell(todo)} |`
    )
    return `## ${title}\n\n${where}\n\n| code | what it means | what to do |\n|---|---|---|\n${rows.join("\n")}\n`
  })
  return `# Error codes

Every error of agentwire has a stable code: programs can rely on it, while the words may change. This page is generated
from the sources by \`npm run errors\`.

${sections.join("\n")}`
}
