/** Writes the page of error codes: `npm run errors`. */
import { writeFileSync } from "node:fs"
import { errorPage } from "./ErrorPage.ts"

writeFileSync(new URL("../docs/errors.md", import.meta.url), errorPage())
console.log("docs/errors.md")
