/** Ways to hide a command in a shell text: quotings of a name, and texts around a text. Data for the property tests. */
import fc from "fast-check"

const hex = (letter: string): string => `\\x${letter.charCodeAt(0).toString(16)}`
const octal = (letter: string): string => `\\${letter.charCodeAt(0).toString(8).padStart(3, "0")}`

/** Spellings of a name that mean the same program. */
export const spellings: ReadonlyArray<(name: string) => string> = [
  (name) => name,
  (name) => `"${name}"`,
  (name) => `'${name}'`,
  (name) => `\\${name}`,
  (name) => `${name.slice(0, 1)}"${name.slice(1)}"`,
  (name) => `${name.slice(0, 1)}''${name.slice(1)}`,
  (name) => `""${name}''`,
  (name) => `${name.slice(0, 1)}\\\n${name.slice(1)}`,
  (name) => [...name].map((letter) => `\\${letter}`).join(""),
  (name) => `$'${[...name].map(hex).join("")}'`,
  (name) => `$'${[...name].map(octal).join("")}'`,
  (name) => `${name.slice(0, 1)}$'${[...name.slice(1)].map(hex).join("")}'`
]

/** A text as one word of a shell. */
const quotings: ReadonlyArray<(text: string) => string> = [
  (text) => `'${text.replaceAll("'", "'\\''")}'`,
  (text) => `"${text.replace(/[\\"$`]/g, "\\$&")}"`,
  (text) => `$'${text.replace(/[\\']/g, "\\$&").replaceAll("\n", "\\n")}'`
]

const backticks = (text: string): string => `\`${text.replace(/[\\$`]/g, "\\$&")}\``

/** One way to put a text into another. `q` makes a word of it, `n` is another number at each use. */
export type Wrapping = (text: string, q: (text: string) => string, n: number) => string

/** Texts in which the inner one is run by the shell itself. */
export const syntax: Readonly<Record<string, Wrapping>> = {
  first: (s) => `${s}\nalpha`,
  last: (s) => `alpha\n${s}`,
  semicolon: (s) => `alpha x; ${s}`,
  and: (s) => `alpha && ${s}`,
  or: (s) => `! alpha || ${s}`,
  background: (s) => `alpha & ${s}`,
  pipe: (s) => `alpha | ${s}`,
  pipeBoth: (s) => `alpha |& ${s}`,
  subshell: (s) => `(${s}\n)`,
  group: (s) => `{ ${s}\n}`,
  piped: (s) => `{ ${s}\n} | alpha`,
  not: (s) => `! { ${s}\n}`,
  time: (s) => `time { ${s}\n}`,
  condition: (s) => `if ${s}\nthen alpha; fi`,
  consequent: (s) => `if alpha; then ${s}\nfi`,
  else: (s) => `if ! alpha; then :; else ${s}\nfi`,
  elif: (s) => `if ! alpha; then :; elif ${s}\nthen :; fi`,
  while: (s) => `while ${s}\ndo break; done`,
  until: (s) => `until ! alpha; do ${s}\nbreak; done`,
  for: (s) => `for i in a; do ${s}\ndone`,
  forList: (s) => `for i in $(${s}\n); do :; done`,
  case: (s) => `case x in y) ;; x) ${s}\n;; esac`,
  caseWord: (s) => `case $(${s}\n) in *) :;; esac`,
  substitution: (s) => `alpha $(${s}\n)`,
  quoted: (s) => `alpha "a $(${s}\n) b"`,
  backticks: (s) => `alpha ${backticks(s)}`,
  process: (s) => `alpha <(${s}\n)`,
  processOut: (s) => `alpha > >(${s}\n)`,
  default: (s) => `alpha \${x:-$(${s}\n)}`,
  quotedDefault: (s) => `alpha "\${x:-"$(${s}\n)"}"`,
  pattern: (s) => `alpha \${PWD#$(${s}\n)}`,
  arithmetic: (s) => `alpha $((1+$(${s}\n)0))`,
  oldArithmetic: (s) => `alpha $[ 1+$(${s}\n)0 ]`,
  arithmeticCommand: (s) => `(( 1+$(${s}\n)0 ))`,
  subscript: (s) => `x[$(${s}\n)0]=1`,
  assignment: (s) => `x=$(${s}\n)`,
  prefix: (s) => `x=$(${s}\n) alpha`,
  array: (s) => `x=(a $(${s}\n))`,
  test: (s) => `[[ -n $(${s}\n) ]]`,
  target: (s) => `alpha > /dev/null$(${s}\n)`,
  hereString: (s) => `alpha <<< "$(${s}\n)"`,
  here: (s, _, n) => `{ cat <<E${n}\na $(${s}\n) b\nE${n}\n}`,
  hereTabs: (s, _, n) => `{ cat <<-E${n}\n\t$(${s}\n)\n\tE${n}\n}`,
  afterHere: (s, _, n) => `{ cat <<E${n} && ${s.includes("<<") ? "alpha" : s}\nx\nE${n}\n${s}\n}`,
  comment: (s) => `alpha # it's a "comment $(\n${s}`,
  continuation: (s) => `alpha \\\n  x \\\n  && ${s}`,
  function: (s, _, n) => `f${n}() { ${s}\n}; f${n}`,
  coprocess: (s) => `coproc { ${s}\n}; wait`
}

/** Texts in which another program runs the inner one. */
export const programs: Readonly<Record<string, Wrapping>> = {
  bash: (s, q) => `bash -c ${q(s)}`,
  bashOptions: (s, q) => `bash -e -o pipefail -xc ${q(s)} name arg`,
  sh: (s, q) => `sh -c ${q(s)}`,
  eval: (s, q) => `eval ${q(s)}`,
  bashHere: (s, _, n) => `{ bash <<'E${n}'\n${s}\nE${n}\n}`,
  bashHereString: (s, q) => `bash <<< ${q(s)}`,
  env: (s, q) => `env x=1 bash -c ${q(s)}`,
  envClean: (s, q) => `env -u x bash -c ${q(s)}`,
  command: (s, q) => `command bash -c ${q(s)}`,
  exec: (s, q) => `(exec bash -c ${q(s)})`,
  nice: (s, q) => `nice -n 5 bash -c ${q(s)}`,
  nohup: (s, q) => `nohup sh -c ${q(s)}`,
  timeout: (s, q) => `timeout -k 5 9 bash -c ${q(s)}`,
  xargs: (s, q) => `echo a | xargs bash -c ${q(s)}`,
  find: (s, q) => `find . -maxdepth 0 -exec bash -c ${q(s)} \\;`,
  assigned: (s, q) => `A=1 bash -c ${q(s)}`
}

/** Texts that bash could run only with rights or programs that a test does not have. */
export const gates: Readonly<Record<string, Wrapping>> = {
  sudo: (s, q) => `sudo -u root bash -c ${q(s)}`,
  doas: (s, q) => `doas sh -c ${q(s)}`,
  ssh: (s, q) => `ssh host ${q(s)}`,
  watch: (s, q) => `watch -n 1 ${q(s)}`,
  busybox: (s, q) => `busybox sh -c ${q(s)}`,
  stdbuf: (s, q) => `stdbuf -oL bash -c ${q(s)}`,
  setsid: (s, q) => `setsid -w bash -c ${q(s)}`
}

/** A text with one around it, and another around that, up to four. */
export const wrapped = (
  inner: fc.Arbitrary<string>,
  table: Readonly<Record<string, Wrapping>>
): fc.Arbitrary<string> => {
  const layer = fc.tuple(fc.constantFrom(...Object.values(table)), fc.constantFrom(...quotings))
  return fc
    .tuple(inner, fc.array(layer, { maxLength: 4 }))
    .map(([text, layers]) => layers.reduce((sum, [wrap, quote], n) => wrap(sum, quote, n), text))
}

/** Pieces of shell syntax, to put where they do not belong. */
const tokens: ReadonlyArray<string> = [
  ..."; & | && || ( ) { } < > << <<- <<< >& &> ! # ~ * ? [ ] = $ ` ' \" \\ $( ${ $(( )) (( [[ ]] <( >( $' $[ ;; ,".split(
    " "
  ),
  ..."if then else elif fi for in do done case esac while until function select time coproc alpha beta x E0 E1".split(
    " "
  ),
  ...[
    "\n",
    " ",
    "\t",
    "\r",
    "\\\n",
    "<<E\n",
    "\nE\n",
    "\0",
    "é",
    "\u00a0",
    "{a,b}",
    "@(",
    "%",
    "+=",
    "-c",
    "--",
    "a=1",
    "1"
  ]
]

/** A text with some pieces put in, taken out or doubled anywhere. */
export const mutated = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc
    .tuple(
      text,
      fc.array(fc.record({ at: fc.nat(), cut: fc.integer({ min: 0, max: 3 }), put: fc.constantFrom("", ...tokens) }), {
        minLength: 1,
        maxLength: 4
      })
    )
    .map(([start, changes]) =>
      changes.reduce((sum, { at, cut, put }) => {
        const from = at % (sum.length + 1)
        return sum.slice(0, from) + put + sum.slice(from + cut)
      }, start)
    )
