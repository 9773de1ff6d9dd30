/** What cannot be asked of `agentwire conform`, and that it says so in one paragraph. */
import { describe, expect, it } from "vitest"
import { run } from "../run.ts"

describe("agentwire conform", () => {
  it.each([
    [[], "conform needs a FILE, a URL, - for standard input, --cli PATH or --app-server CMD."],
    [["-", "--dialect", "2.0"], '--dialect takes 1.0 or 0.0, not "2.0".'],
    [["http://a.test", "http://b.test"], "conform judges one URL at a time."],
    [["http://a.test", "file"], "conform judges one URL at a time."],
    [["http://a.test", "--transport", "x"], '--transport takes agui, copilotkit-rest or copilotkit-single, not "x".'],
    [["http://a.test", "--timeout", "0"], '--timeout takes a number of seconds over 0, not "0".'],
    [["http://a.test", "--timeout", "soon"], '--timeout takes a number of seconds over 0, not "soon".'],
    [["ftp://a.test"], "ftp://a.test is not a URL of a server"],
    [["http://"], "http:// is not a URL of a server"],
    [["http://a.test", "--dialect", "1.0"], "--dialect does not go with a URL, but with recorded events, --list."],
    [["-", "--agent", "a"], "--agent does not go with recorded events, but with a URL."],
    [["--merge", "a.json", "--only", "x"], "--only does not go with --merge"],
    [["--merge"], "--merge needs at least one report that --json wrote."],
    [["--list", "file"], "--list takes no FILE or URL: what is file?"],
    [["--list", "--merge"], "--list and --merge do not go together."],
    [["-", "--html", "-"], "A report file needs a name"],
    [["-", "--html", "."], "Cannot write .: it is a folder, not a file."],
    [["-", "--input", "no-such.json"], "Cannot read no-such.json: there is no such file."],
    [["-", "--expected-failures", "no-such.txt"], "Cannot read no-such.txt: there is no such file."],
    [["--merge", "no-such.json"], "Cannot read no-such.json: there is no such file."]
  ])("says why it cannot do %j", async (args, words) => {
    const { code, err, out } = await run(["conform", ...args])
    expect({ code, out }).toEqual({ code: 2, out: "" })
    expect(err).toContain(words)
    expect(err.trim()).not.toContain("\n")
  })
})
