/** What is true of more than one command, as short texts for `agentwire help TOPIC`. */

/** One topic. */
export interface Topic {
  /** One line, for the list. */
  readonly summary: string
  readonly text: string
}

/** All topics by name, in the order the help lists them. */
export const topics: Readonly<Record<string, Topic>> = {
  tapes: {
    summary: "recorded sessions: how they are made, kept and played",
    text: `A tape is one session between a host and an agent, byte for byte as it was on the wire,
with the time of every piece. It is a text file of JSON lines, by convention NAME.tape
or, gzipped, NAME.tape.gz: a header, the frames, and an end with a hash.

  agentwire record -o FILE -- claude ARGS...       keep a session of claude
  agentwire serve --record DIR                     keep every agent of a server
  agentwire tape info|cat|verify FILE              look into a tape and check it
  agentwire tape diff A B                          compare two
  agentwire decode FILE                            say what messages are in it
  agentwire translate FILE                         turn it into AG-UI events
  agentwire replay FILE                            play it again as the CLI
  agentwire serve --replay FILE                    serve it to AG-UI clients, without a CLI
  agentwire history export ID --format tape        make one of what Claude Code kept itself

Secrets are replaced before they reach the disk: keys, tokens, e-mail addresses, your home
folder and name, and the values of environment variables that look like secrets. Prompts
and answers stay: read a tape before you give it away. agentwire tape redact FILE -o OUT
--redact PATTERN takes out more.`
  },
  approvals: {
    summary: "who says yes to the tools of an agent, and how",
    text: `An agent asks before it runs a tool that its permissions do not allow. agentwire serve
answers in one of three ways:

  --approvals deny         refuses (the default): an application that cannot ask a person
                           must not be asked
  --approvals interrupt    the run ends with an interrupt; the next run answers it with
                           \`resume\`, and the agent continues
  --approvals event        a CUSTOM event carries the question while the run waits

A --policy FILE answers before anyone is asked, where it has a rule (agentwire policy).

What never needs a question is said with --allowed-tools RULE, what may never run with
--disallowed-tools RULE, as Claude Code spells them: "Bash(git status:*)", "Edit". A mode
such as --permission-mode plan or acceptEdits is the CLI's own.

A question that nobody answers in five minutes is refused.`
  },
  security: {
    summary: "who may connect to a server, and what an agent may reach",
    text: `Whoever reaches agentwire serve can run commands as you. It is locked down by default:

  Address   only 127.0.0.1. Another --host needs the names it is reached by: --allow-host.
  Token     every request needs it: Authorization: Bearer TOKEN. It is random and printed
            once, or yours from AGENTWIRE_TOKEN (--token shows it in the list of processes).
            --no-auth works on loopback only.
  Pages     no web page may ask unless its origin is allowed: --origin URL.
  Folders   agents work below a --root (default: the --cwd), with links followed.
  Tools     what the agent's permissions do not allow is refused, unless --approvals. A
            --policy FILE decides first, about every call, including those that the CLI
            would run without asking: agentwire policy test explains what it says.

A --root is where agents start, not a sandbox: a tool that runs can reach what you can.
Use a container or a user of its own for work you do not trust.

The log has no prompts, no answers and no token. The token is not in the environment of
the agents. Tapes have secrets replaced (agentwire help tapes).`
  },
  limits: {
    summary: "how much a request to a server may take",
    text: `A run brings the whole conversation each time, so bodies may be large: 50 MB by default.
They are read a few messages at a time, and others have their turn in between.

  --max-body, --max-values, --max-depth
            all of a body: its bytes, the texts, numbers, lists and objects in it, and how
            deep these nest. A message has about four values, a call about ten.
  --max-part, --max-part-values
            one message, and all that a body has besides messages: they are parsed in one
            step. More than the default makes others wait for longer than 50 ms.
  --max-new, --max-new-text, --max-new-size
            what a run tells the agent at once: the messages after the last thing it said,
            instructions, context and state; with attachments for the last one.
  --max-bodies
            the bytes of all large bodies that are read at a time. Others wait, up to the
            --request-timeout. Each takes about three times its size of memory.
  --max-header-size, --max-headers, --max-connections, --headers-timeout,
  --request-timeout, --keep-alive-timeout
            the rest of a request, and its connection.

A size is a number of bytes, or 512K, 50MB, 64MiB, 2G; K, M and G alone count by 1024.
A time is a number of seconds, or 500ms, 30s, 2m. Each refusal has a code that names the
limit (docs/errors.md). How long others wait for a body is measured by npm run bench:bodies.`
  },
  environment: {
    summary: "the variables that are read",
    text: `  AGENTWIRE_TOKEN   the token of serve, and the one conform sends
  CLAUDE_PATH       the claude program, without --cli; otherwise it is found in the PATH
  CODEX_PATH        the codex program, without --cli; otherwise it is found in the PATH
  PATH              where claude, codex and what record starts are looked for
  HOME              below it are the defaults of the next three; tapes do not name it
  XDG_DATA_HOME     where serve keeps threads: agentwire/agentwire.db in it
                    (default ~/.local/share)
  XDG_STATE_HOME    where earlier versions remembered threads, which serve takes over
                    (default ~/.local/state)
  XDG_CACHE_HOME    where drift keeps the CLIs it installs: agentwire/cli in it
                    (default ~/.cache)
  NO_PROXY          127.0.0.1 is added to it for agents that connect over a WebSocket
  NO_COLOR          no colours, where it is not empty; without a terminal there are none
  TERM              dumb: no colours and no progress line
  TMPDIR            where doctor, drift and conform --cli make the home of the CLI they run
  CLAUDE_CONFIG_DIR
                    where doctor looks for a login, and history for sessions (default
                    ~/.claude)
  CODEX_HOME        where doctor looks for the settings of Codex (default ~/.codex)
  ANTHROPIC_API_KEY, ANTHROPIC_AUTH_TOKEN, CLAUDE_CODE_OAUTH_TOKEN, CLAUDE_CODE_USE_BEDROCK,
  CLAUDE_CODE_USE_VERTEX, CLAUDE_CODE_USE_FOUNDRY
                    doctor says whether they are set
  CLAUDE_CODE_SESSION_ACCESS_TOKEN, CLAUDE_CODE_ENVIRONMENT_RUNNER_VERSION
                    what replay --connect shows to the host, as the CLI does

record keeps the values of all variables that look like secrets off its tapes: those whose
names end in _KEY or _TOKEN or contain SECRET, PASSWORD or CREDENTIAL.

Extensions get your environment without AGENTWIRE_TOKEN.

The agents of serve get your environment, without AGENTWIRE_TOKEN and without what a
Claude Code that started agentwire left for its children. So ANTHROPIC_API_KEY and the
CLI's own settings work as they do without agentwire.`
  },
  "exit-codes": {
    summary: "what the exit codes of commands mean",
    text: `  0   fine
  1   found something: drift, a rule that is broken, tapes that differ, a problem
  2   could not do it: the command line, a file, a program; one paragraph on standard
      error says why, and --debug shows where

record ends as the program it records does. serve ends with 0 after Ctrl-C; a second
Ctrl-C does not wait, and ends it with 130. What exactly 1 means is in the help of each
command.`
  }
}
