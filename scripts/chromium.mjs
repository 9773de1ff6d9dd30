/**
 * The browser for the tests of the page: Debian's Chromium, installed with apt-get when it is missing. Where there is
 * no apt-get, the variable CHROMIUM says where a Chromium or a Chrome is.
 */
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"

/** Where the browser is. */
const chromiumPath = process.env["CHROMIUM"] ?? "/usr/bin/chromium"

const apt = (...args) =>
  spawnSync("apt-get", args, {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  }).status === 0

/** Installs the browser, unless it is there, and says so. */
export const ensureChromium = () => {
  if (existsSync(chromiumPath)) return
  console.error("The tests of the page need Chromium, which is missing: installing it with apt-get …")
  const isDone =
    apt("install", "-y", "--no-install-recommends", "chromium") ||
    (apt("update") && apt("install", "-y", "--no-install-recommends", "chromium"))
  if (isDone && existsSync(chromiumPath)) return
  console.error(
    `Chromium could not be installed. Install it yourself, or say where it is: CHROMIUM=/path/to/chromium npm test`
  )
}
