/**
 * Bundles the command `agentwire`: `packages/cli/src` becomes `packages/cli/dist`, a file for what each command needs.
 *
 * It is one program, with Effect and our packages in it: a few files start in half the time that Node takes to find and
 * read five hundred. It is made from the sources of our packages and by Rollup, which puts each module into the file of
 * those commands that use something of it. esbuild (and so tsup) lets a command load all of a room for one function of
 * it, because the room's index names them all: `decode` took twice as long that way.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const folder = join(root, "packages", "cli")

/** What is not in the bundle: what is native, large and rarely used, or must be the reader's own. */
const external = ["@ag-ui/proto", "@modelcontextprotocol/sdk", "libsql", "re2js", "vitest", "ws"]

const buildCommand = async () => {
  const { build } = await import("vite")
  await build({
    configFile: false,
    root: folder,
    logLevel: "warn",
    publicDir: false,
    ssr: { noExternal: true, external, resolve: { conditions: ["agentwire-source", "node", "import", "default"] } },
    build: {
      ssr: true,
      target: "node20",
      outDir: join(folder, "dist"),
      // `tsc -b` writes the types there, and the page is there, too.
      emptyOutDir: false,
      sourcemap: true,
      rollupOptions: {
        input: { index: join(folder, "src", "index.ts"), vitest: join(folder, "src", "vitest.ts") },
        output: { entryFileNames: "[name].js", chunkFileNames: "[name]-[hash].js", hoistTransitiveImports: false }
      }
    }
  })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (!existsSync(join(root, "node_modules", "vite"))) throw new Error("Run `node scripts/setup.mjs` first.")
  await buildCommand()
}
