/** Where secrets turn up on the wire of a coding agent: files, commands and what prints them. */

const json = JSON.stringify
const lines = (text: string, line: (line: string, at: number) => string): string =>
  text.split("\n").map(line).join("\n")

/** A value beside a name: what files and programs make of the two. */
export const beside: ReadonlyArray<readonly [place: string, write: (name: string, value: string) => string]> = [
  [".env", (name, value) => `# local\nMODE=fast\n${name}=${value}\nPORT=80\n`],
  [".env in quotes", (name, value) => `${name}="${value}"\n`],
  ["export", (name, value) => `export ${name}=${value}`],
  ["export in single quotes", (name, value) => `export ${name}='${value}' && make`],
  ["before a command", (name, value) => `${name}='${value}' npm start`],
  ["env's output", (name, value) => `SHELL=/bin/bash\n${name}=${value}\nHOME=/root`],
  ["set's output", (name, value) => `PS4='+ '\n${name}='${value}'\nUID=0`],
  ["declare -x", (name, value) => `declare -x ${name}="${value}"`],
  ["YAML", (name, value) => `app:\n  ${name.toLowerCase()}: ${value}\n  port: 80\n`],
  ["YAML in quotes", (name, value) => `${name}: "${value}"\n`],
  ["TOML", (name, value) => `[app]\n${name.toLowerCase()} = "${value}"\n`],
  ["INI", (name, value) => `[app]\n${name.toLowerCase()} = ${value}\n`],
  ["JSON", (name, value) => json({ port: 80, [name]: value })],
  ["JSON, printed", (name, value) => JSON.stringify({ env: { [name]: value } }, null, 2)],
  ["docker run", (name, value) => `docker run --rm -e ${name}=${value} image`],
  ["Compose", (name, value) => `environment:\n  - ${name}=${value}\n  - A=b`],
  ["diff", (name, value) => `@@ -1,2 +1,2 @@\n-${name}=\n+${name}=${value}\n`],
  ["markdown", (name, value) => `Set \`${name}=${value}\` and run it again.`],
  ["node", (name, value) => `Error: no\n    at x.js:1:1 {\n  ${name}: '${value}',\n  code: 1\n}`],
  ["Python", (name, value) => `environ({'PATH': '/bin', '${name}': '${value}'})`]
]

/** A token without a name that says anything. */
export const alone: ReadonlyArray<readonly [place: string, write: (value: string) => string]> = [
  ["prose", (value) => `I found ${value} in the file.`],
  ["end of a sentence", (value) => `Use this one: ${value}.`],
  ["code", (value) => `client.connect("${value}", { retries: 3 })`],
  ["markdown", (value) => `the value \`${value}\` works`],
  ["argument", (value) => `./deploy.sh ${value} production`],
  ["argument of a JSON list", (value) => json(["deploy", value, "production"])],
  ["option", (value) => `tool --setting=${value} run`],
  ["query", (value) => `GET /v1/items?x=${encodeURIComponent(value)}&y=1 HTTP/1.1`],
  ["removed line", (value) => `@@ -1 +1 @@\n-const x = '${value}'\n+const x = read()`],
  ["table", (value) => `| ci | ${value} | active |`],
  ["XML", (value) => `<value>${value}</value>`],
  ["colours", (value) => `\u001b[1;32m${value}\u001b[0m`],
  ["stack trace", (value) => `TypeError: bad value ${value}\n    at run (/app/x.js:3:9)`]
]

/** A text as it stands, and within others. */
export const around: ReadonlyArray<readonly [place: string, write: (text: string) => string]> = [
  ["alone", (text) => text],
  ["in a string", (text) => json(text)],
  ["in JSON", (text) => json({ type: "text", text })],
  ["JSON in JSON", (text) => json({ body: json({ text }) })],
  ["JSON in JSON in JSON", (text) => json({ body: json({ inner: json({ text }) }) })],
  ["added lines", (text) => `@@ -0,0 +1 @@\n${lines(text, (line) => `+${line}`)}\n`],
  ["removed lines", (text) => `@@ -1 +0,0 @@\n${lines(text, (line) => `-${line}`)}\n`],
  ["a block of code", (text) => `Look:\n\`\`\`\n${text}\n\`\`\`\nDone.`],
  ["numbered lines", (text) => lines(text, (line, at) => `${String(at + 1).padStart(6)}\u2192${line}`)],
  ["numbered by cat", (text) => lines(text, (line, at) => `${String(at + 1).padStart(6)}\t${line}`)],
  ["found by grep", (text) => lines(text, (line, at) => `conf/app.cfg:${at + 1}:${line}`)],
  ["indented", (text) => `run: |\n${lines(text, (line) => `    ${line}`)}\n`],
  ["at a prompt", (text) => `$ ${text}\nok`],
  ["traced by sh", (text) => `+ ${text}`],
  ["in a quotation", (text) => lines(text, (line) => `> ${line}`)],
  ["with carriage returns", (text) => `${text.replace(/\n/g, "\r\n")}\r\n`],
  ["in a here document", (text) => `cat > x <<'EOF'\n${text}\nEOF`],
  ["a log line", (text) => lines(text, (line) => `2026-01-01T00:00:00Z app[1]: ${line}`)]
]
