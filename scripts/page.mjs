/**
 * Bundles the page that `agentwire serve --page` serves: `packages/cli/page` becomes `packages/cli/dist/page`. Quick
 * when there is nothing to do.
 *
 * CopilotKit's chat brings diagrams, formulas, three hundred grammars and an inspector along, which are ten times the
 * size of all the rest. Small stand-ins take their places.
 */
import { cpSync, existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

/** Where the page's sources are. */
const pageSources = join(root, "packages", "cli", "page")

/** Where the page is built. */
const pageBuilt = join(root, "packages", "cli", "dist", "page")

const standIn = (name) => join(pageSources, "stand-ins", name)

const standIns = {
  "@copilotkit/web-inspector": standIn("Nothing.ts"),
  "katex/dist/katex.min.css": standIn("nothing.css"),
  katex: standIn("Katex.ts"),
  mermaid: standIn("Mermaid.ts"),
  shiki: standIn("Shiki.ts")
}

/** Of the sentences of `zod` in all languages, the English ones. */
const englishZod = {
  name: "english-zod",
  setup: ({ onLoad }) => {
    onLoad({ filter: /zod[\\/]v4[\\/]locales[\\/]index\.js$/ }, () => ({
      contents: 'export { default as en } from "./en.js"',
      loader: "js"
    }))
  }
}

/** Aliases of esbuild stand for whole folders of a package, too; `shiki/core` is to stay. */
const exactAliases = {
  name: "exact-aliases",
  setup: ({ onResolve }) => {
    onResolve(
      { filter: /^(?:@copilotkit\/web-inspector|katex(?:\/dist\/katex\.min\.css)?|mermaid|shiki)$/ },
      ({ path }) => ({
        path: standIns[path]
      })
    )
  }
}

/** Builds the page. */
const buildPage = async () => {
  const { build } = await import("esbuild")
  rmSync(pageBuilt, { recursive: true, force: true })
  await build({
    entryPoints: { page: join(pageSources, "main.tsx") },
    outdir: pageBuilt,
    bundle: true,
    format: "esm",
    splitting: true,
    minify: true,
    target: "es2022",
    jsx: "automatic",
    conditions: ["agentwire-source"],
    define: { "process.env.NODE_ENV": '"production"' },
    entryNames: "[name]",
    chunkNames: "chunks/[name]-[hash]",
    legalComments: "linked",
    logLevel: "warning",
    plugins: [exactAliases, englishZod]
  })
  // Last: who finds it finds all of the page.
  cpSync(join(pageSources, "index.html"), join(pageBuilt, "index.html"))
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, "node_modules", "esbuild"))) throw new Error("Run `node scripts/setup.mjs` first.")
  await buildPage()
}
