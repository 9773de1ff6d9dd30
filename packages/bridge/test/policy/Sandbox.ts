/**
 * A project with a repository, a home and a few programs that only leave a mark, in which texts are run by the real
 * bash: what changed afterwards, and what was printed.
 */
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { asNobody, giveFolderToNobody } from "../../../../fuzz/policy/Nobody.ts"

/** What is in the files that nobody may read. */
export const secret = "TOPSECRET"

/** A sandbox. */
export interface Sandbox {
  readonly project: string
  readonly home: string
  /** Where the programs are that only leave a mark, and the marks. */
  readonly base: string
}

/** Programs that must not run: each leaves a mark instead. */
const marking = ["sudo", "doas", "su", "shutdown", "reboot", "mkfs.ext4", "rm", "shred", "truncate", "kill", "pkill"]

const files: Readonly<Record<string, string>> = {
  "project/a.txt": "alpha\nbeta\n",
  "project/b.txt": "beta\ngamma\n",
  "project/src/a.ts": "export const a = 1\n",
  "project/plan/plan.md": "# Plan\n",
  "project/dir/.bashrc": "evil\n",
  "project/.env": `KEY=${secret}\n`,
  "project/.env.local": `KEY=${secret}\n`,
  "project/sub/.env": `KEY=${secret}\n`,
  "project/package.json": "{}\n",
  "home/.ssh/id_rsa": `${secret}\n`,
  "home/.aws/credentials": `${secret}\n`,
  "home/.bashrc": "# mine\n",
  "home/.zshrc": "# mine\n"
}

const variables = ({ base, home }: Sandbox): Record<string, string> => ({
  PATH: `${base}/bin:/usr/local/bin:/usr/bin:/bin`,
  HOME: home,
  LC_ALL: "C.UTF-8",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "A",
  GIT_AUTHOR_EMAIL: "a@example.com",
  GIT_COMMITTER_NAME: "A",
  GIT_COMMITTER_EMAIL: "a@example.com",
  TMPDIR: `${base}/tmp`
})

/** Fills an empty folder. */
export const makeSandbox = (base: string): Sandbox => {
  const sandbox: Sandbox = { base, project: join(base, "project"), home: join(base, "home") }
  for (const folder of ["bin", "marks", "tmp", "out"]) mkdirSync(join(base, folder))
  for (const name of marking) {
    writeFileSync(join(base, "bin", name), `#!/bin/sh\n: > "${base}/marks/${name}"\n`)
    chmodSync(join(base, "bin", name), 0o755)
  }
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(base, path, ".."), { recursive: true })
    writeFileSync(join(base, path), text)
    // Files that are as new as the index make git write it again.
    utimesSync(join(base, path), 1_000_000_000, 1_000_000_000)
  }
  symlinkSync(".env", join(sandbox.project, "innocent"))
  symlinkSync("sub", join(sandbox.project, "folder"))
  const setup = [
    "git init -q --bare -b main ../remote.git",
    "git init -q -b main",
    "git remote add origin ../remote.git",
    "git add -A",
    "git commit -qm first",
    "git push -q origin main",
    "echo more >> b.txt",
    "git add b.txt",
    "git commit -qm second",
    "tar cf archive.tar -C dir .bashrc",
    "touch -d 2001-01-01 archive.tar b.txt",
    "git add -A",
    "git commit -qm third"
  ].join(" && ")
  giveFolderToNobody(base)
  const { status, stderr } = spawnSync("/bin/bash", ["-c", setup], {
    cwd: sandbox.project,
    env: variables(sandbox),
    ...asNobody
  })
  if (status !== 0) throw new Error(String(stderr))
  return sandbox
}

/** Every file with its mode and its content, by its path; the folders of the test itself aside. */
export const snapshot = ({ base }: Sandbox): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  const visit = (path: string): void => {
    const stat = lstatSync(join(base, path))
    const content = stat.isSymbolicLink()
      ? readlinkSync(join(base, path))
      : stat.isFile()
        ? readFileSync(join(base, path), "latin1")
        : ""
    found.set(path, `${stat.mode.toString(8)} ${content}`)
    if (stat.isDirectory()) for (const name of readdirSync(join(base, path))) visit(join(path, name))
  }
  for (const folder of ["project", "home", "marks", "remote.git"]) visit(folder)
  return found
}

/** The paths in which two snapshots differ. */
export const differences = (
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>
): ReadonlyArray<string> =>
  [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))

/** Runs texts one after the other, all in one bash, and returns what each printed. */
export const runAll = (sandbox: Sandbox, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const out = join(sandbox.base, "out")
  texts.forEach((text, at) => {
    writeFileSync(join(out, `${at}.sh`), text)
  })
  const driver = `for ((n = 0; n < ${texts.length}; n++)); do bash "${out}/$n.sh" < /dev/null > "${out}/$n" 2>&1; done`
  const { error } = spawnSync("/bin/bash", ["-c", driver], {
    cwd: sandbox.project,
    env: variables(sandbox),
    ...asNobody,
    timeout: 120_000
  })
  if (error !== undefined) throw error
  return texts.map((_, at) => readFileSync(join(out, String(at)), "latin1"))
}
