/**
 * Who may import whom: the rooms of the packages, each with the rooms it may import besides itself. `npm run lint`
 * holds the source to it (`imports.mjs`). A room is a folder below a package's `src`; the files that lie in `src`
 * itself (`index.ts`) are the package's surface and may import all rooms of their package.
 *
 * A new room is a new row. A folder without a row is an error, so nobody is exempt by being new.
 */

const faces = [
  "face/http",
  "face/agui",
  "face/copilotkit",
  "face/management",
  "face/mcp",
  "face/normalised",
  "face/appserver",
  "face/extension",
  "face/gateway"
]

/**
 * The packages, by their folder: the other packages that each may import, and its rooms. A package without rooms has
 * no rules inside. `protocol`: which rooms of that package each room may import.
 */
export const packages = {
  protocol: {
    packages: [],
    rooms: {
      wire: [],
      model: ["wire"],
      // What calls do, in words: by the names of the runtimes' tools, and nothing else of them.
      actions: ["wire", "model"],
      // Requests and answers, of whichever protocol.
      jsonrpc: ["wire"],
      // Runtimes: how an agent speaks. They do not know each other, nor any face.
      claude: ["wire", "model"],
      codex: ["wire", "jsonrpc", "model"],
      // Sub-agents that a project defines, in the files of both.
      agents: ["wire"],
      // Faces: how a user interface speaks. CopilotKit's transport carries AG-UI.
      agui: ["wire", "model"],
      copilotkit: ["wire", "model", "agui"],
      normalised: ["wire", "model", "actions"],
      // It speaks the protocol that Codex's schemas describe: those are what it has of Codex, and nothing of its fold.
      appserver: ["wire", "model", "actions", "codex/generated"],
      gateway: ["wire", "model"],
      // Another app-server's dialect: Claude's, as a document describes it.
      claudeappserver: ["wire", "jsonrpc", "model", "actions"],
      tape: ["wire", "claude", "agui"],
      conform: ["wire", "model", "claude", "agui"],
      // Judges servers of Codex's app-server protocol; rules and findings are those of all conformance here.
      appserverconform: ["wire", "jsonrpc", "codex", "conform"],
      // Composes a runtime and a face, until each has its half of it.
      translate: ["wire", "model", "claude", "codex", "agui", "tape"]
    }
  },
  fixtures: { packages: ["protocol"] },
  bridge: {
    packages: ["protocol"],
    rooms: {
      policy: [],
      process: [],
      // Long work in short steps.
      eventloop: [],
      // Folders made ready for sessions.
      workspace: [],
      // The port; each way to fill it has a room of its own.
      store: ["eventloop"],
      "store/memory": ["eventloop", "store"],
      "store/sqlite": ["eventloop", "store"],
      "store/import": ["store"],
      // The events of a thread live in the store; whichever, it is given.
      log: ["eventloop", "store"],
      session: ["policy", "eventloop", "store", "log"],
      // What agents keep of their sessions, whichever agent.
      // The port of sessions in another process: the two ends of the link between them.
      link: ["eventloop", "store", "log", "session"],
      "runtime/kept": [],
      "runtime/claude": ["policy", "process", "eventloop", "log", "session", "runtime/kept"],
      "runtime/codex": ["policy", "process", "log", "session", "runtime/kept"],
      // The same program, started otherwise.
      "runtime/codexexec": ["process", "session", "runtime/codex"],
      "runtime/replay": ["process", "runtime/claude", "runtime/codex"],
      observe: ["log", "session", "runtime/claude"],
      // Others' code beside the sessions: it knows those, and hears of them as observers do.
      extension: ["observe", "session"],
      "face/http": ["eventloop", "session", "log", "observe"],
      "face/agui": ["eventloop", "session", "log", "face/http"],
      "face/copilotkit": ["eventloop", "session", "log", "face/http", "face/agui"],
      // Tells a session's events in AG-UI, and stops runs by the names they have there.
      "face/management": [
        "eventloop",
        "session",
        "log",
        "observe",
        "face/http",
        "face/agui",
        "face/normalised",
        "face/extension"
      ],
      "face/mcp": ["session", "face/http"],
      "face/normalised": ["session", "log", "face/http"],
      "face/appserver": ["session", "log", "observe", "face/http"],
      "face/gateway": ["eventloop", "session", "log", "observe", "face/http"],
      "face/extension": ["session", "extension", "face/http"],
      errors: ["extension", "face/http"],
      // All faces behind one address.
      server: ["session", "log", "observe", "extension", ...faces],
      // The bridge as a layer and as a class.
      embed: [
        "policy",
        "process",
        "store",
        "store/memory",
        "store/sqlite",
        "store/import",
        "log",
        "session",
        "runtime/claude",
        "runtime/replay",
        "observe",
        "extension",
        "errors",
        "server",
        ...faces
      ],
      // For programs that talk to a bridge, in a browser, too: types of the others, and no code.
      client: ["face/management"],
      // The gateway's client: types of its protocol, and no code.
      "client/gateway": [],
      react: ["client", "embed", "face/management"]
    },
    // Which of the protocols each room knows: the session and the log none but the model.
    protocol: {
      policy: [],
      process: [],
      eventloop: ["wire"],
      workspace: ["agents"],
      // Files from before there was a model hold messages of AG-UI.
      store: ["model", "codec.ts", "agui"],
      "store/memory": [],
      "store/sqlite": ["model"],
      // Files from before there was a model hold messages of AG-UI.
      "store/import": ["model", "codec.ts", "agui"],
      log: ["model"],
      session: ["model", "wire"],
      link: ["model", "wire", "jsonrpc"],
      "runtime/kept": [],
      "runtime/claude": ["model", "wire", "claude"],
      "runtime/codex": ["model", "wire", "jsonrpc", "codex"],
      "runtime/codexexec": ["model", "codex"],
      "runtime/replay": ["wire", "claude", "jsonrpc", "tape"],
      // Counts what Claude Code says of itself, and takes secrets off as tapes do.
      observe: ["model", "wire", "claude", "tape"],
      // Takes secrets off what extensions say, as tapes do.
      extension: ["model", "wire", "codec.ts", "tape"],
      "face/http": ["wire", "codec.ts"],
      "face/agui": ["model", "wire", "codec.ts", "agui"],
      "face/copilotkit": ["wire", "codec.ts", "agui", "copilotkit"],
      // Has routes for what only Claude Code can do, gives tapes, and documents the routes of the others.
      "face/management": ["model", "wire", "codec.ts", "agui", "claude", "copilotkit", "tape"],
      // MCP's results are written as for Claude Code, which speaks MCP, too.
      "face/mcp": ["wire", "claude"],
      "face/normalised": ["model", "normalised"],
      "face/extension": [],
      "face/appserver": ["wire", "jsonrpc", "model", "codex", "appserver", "claudeappserver"],
      "face/gateway": ["model", "wire", "codec.ts", "gateway"],
      errors: [],
      server: [],
      embed: ["model", "wire", "agui", "claude"],
      client: ["wire", "agui", "claude", "gateway"],
      "client/gateway": ["gateway"],
      react: []
    }
  },
  cli: { packages: ["protocol", "fixtures", "bridge"] }
}

/**
 * What runs in a browser, by its folder: the rooms it may import besides itself. It is bundled, so nothing but code for
 * browsers may be there, and what it uses of others are dependencies of the workspace.
 */
export const browserCode = {
  "packages/cli/page": ["packages/protocol/src", "packages/bridge/src/client", "packages/bridge/src/react"]
}
