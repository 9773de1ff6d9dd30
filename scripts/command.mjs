/**
 * Bundles the command `agentwire`: `packages/cli/src` becomes `packages/cli/dist`, a file for what each command needs.
 *
 * It is one program, with Effect and our packages in it: a few files start in half the time that Node takes to find and
 * read five hundred. It is made from the sources of our packages and by Rolldown, which puts each module into the file of
 * those commands that use something of it. esbuild (and so tsup) lets a command load all of a room for one function of
 * it, because the room's index names them all: `decode` took twice as long that way. Rollup makes files that start as fast,
 * and takes five times as long for it.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "packages", "cli")

/** What is not in the bundle: what is native, large and rarely used, or must be the reader's own. */
const external = ["@ag-ui/proto", "@modelcontextprotocol/sdk", "libsql", "re2js", "vitest", "ws"]

const isExternal = (id) => external.some((name) => id === name || id.startsWith(`${name}/`))

const buildCommand = async () => {
  const { rolldown } = await import("rolldown")
  const bundle = await rolldown({
    cwd: folder,
    input: { index: join(folder, "src", "index.ts"), vitest: join(folder, "src", "vitest.ts") },
    platform: "node",
    external: isExternal,
    resolve: { conditionNames: ["agentwire-source", "node", "import", "default"] },
    transform: { target: "node20" }
  })
  // The folder is not emptied: `tsc -b` writes the types there, and the page is there, too.
  await bundle.write({
    dir: join(folder, "dist"),
    format: "esm",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "[name]-[hash].js"
  })
  await bundle.close()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, "node_modules", "rolldown"))) throw new Error("Run `node scripts/setup.mjs` first.")
  await buildCommand()
}
