/**
 * The terminal for the tests that drive a program on a screen: tmux, installed with apt-get when it is missing.
 */
import { spawnSync } from "node:child_process"

const isThere = () => spawnSync("tmux", ["-V"]).status === 0

const apt = (...args) =>
  spawnSync("apt-get", args, {
    stdio: ["ignore", 2, 2],
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  }).status === 0

/** Installs tmux, unless it is there, and says so. */
export const ensureTmux = () => {
  if (isThere()) return
  console.error("The tests of terminals need tmux, which is missing: installing it with apt-get …")
  const install = ["install", "-y", "--no-install-recommends", "tmux"]
  const isDone = apt(...install) || (apt("update") && apt(...install))
  if (!isDone || !isThere()) console.error("tmux could not be installed. Install it yourself.")
}
