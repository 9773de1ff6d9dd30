/**
 * Who may import whom: the rooms of the packages, each with the rooms it may import besides itself. `npm run lint`
 * holds the source to it (`imports.mjs`). A room is a folder below a package's `src`; the files that lie in `src`
 * itself (`index.ts`) are the package's surface and may import all rooms of their package.
 *
 * A new room is a new row. A folder without a row is an error, so nobody is exempt by being new.
 */

/** Rooms of the bridge that know neither how an agent is spoken to nor who looks on. */
const below = ["policy", "process", "store", "log"]

/** What every face may import. `face/http` is the base of those that are served over HTTP. */
const ofFace = ["session", "log", "observe", "face/http"]

const faces = ["face/http", "face/agui", "face/copilotkit", "face/management", "face/mcp"]

/**
 * The packages, by their folder: the other packages that each may import, and its rooms. A package without rooms has
 * no rules inside.
 */
export const packages = {
  protocol: {
    packages: [],
    rooms: {
      wire: [],
      model: ["wire"],
      // Runtimes: how an agent speaks. They do not know each other, nor any face.
      claude: ["wire", "model"],
      // Faces: how a user interface speaks. CopilotKit's transport carries AG-UI.
      agui: ["wire", "model"],
      copilotkit: ["wire", "model", "agui"],
      tape: ["wire", "claude", "agui"],
      conform: ["wire", "model", "claude", "agui"],
      // Composes a runtime and a face, until each has its half of it.
      translate: ["wire", "model", "claude", "agui", "tape"]
    }
  },
  fixtures: { packages: ["protocol"] },
  bridge: {
    packages: ["protocol"],
    rooms: {
      policy: [],
      process: [],
      store: [],
      log: ["store"],
      session: below,
      "runtime/claude": [...below, "session"],
      "runtime/replay": [...below, "session", "runtime/claude"],
      observe: [...below, "session", "runtime/claude"],
      "face/http": ["session", "log", "observe"],
      "face/agui": ofFace,
      "face/copilotkit": [...ofFace, "face/agui"],
      // Tells a session's events in AG-UI, and stops runs by the names they have there.
      "face/management": [...ofFace, "face/agui"],
      "face/mcp": ofFace,
      errors: ["face/http"],
      // All faces behind one address.
      server: ["session", "log", "observe", ...faces],
      // The bridge as a layer and as a class.
      embed: [...below, "session", "runtime/claude", "runtime/replay", "observe", "errors", "server", ...faces],
      // For programs that talk to a bridge, in a browser, too: types of the others, and no code.
      client: ["face/management"],
      react: ["client", "embed", "face/management"]
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
