/** Scenarios of the connection itself: none of them needs a model. */
import { type AppServerScenario, ask, clientInfo, hello, refused, type Step, waitFor, write } from "../Step.ts"

/** The connection works. */
const lives = ask("thread/loaded/list", {})

const nowhere = "01980000-0000-7000-8000-000000000000"

const megabyte = "x".repeat(1_000_000)

/** Requests that clients cannot do without, and their smallest params. */
const lists: ReadonlyArray<Step> = [
  ask("account/read", { refreshToken: false }),
  ask("config/read", { includeLayers: false, cwd: "{{project}}" }),
  ask("configRequirements/read", null),
  ask("model/list", {}),
  ask("permissionProfile/list", {}),
  ask("skills/list", { cwds: ["{{project}}"] }),
  ask("thread/list", {})
]

/** They are played to every server. */
export const wireScenarios: ReadonlyArray<AppServerScenario> = [
  {
    id: "APP-001",
    title: "the handshake",
    steps: [ask("initialize", { clientInfo, capabilities: null }), { do: "tell", method: "initialized" }, lives]
  },
  {
    id: "APP-002",
    title: "requests before initialize are refused, and do no harm",
    steps: [refused("thread/loaded/list"), refused("thread/start", { cwd: "{{project}}" }), ...hello(), lives]
  },
  {
    id: "APP-003",
    title: "a second initialize is refused, and the first one holds",
    steps: [...hello(), refused("initialize", { clientInfo, capabilities: null }), lives]
  },
  {
    id: "APP-004",
    title: "methods that do not exist, and wrong params",
    steps: [
      ...hello(),
      refused("thread/dream"),
      refused(""),
      refused("item/started"),
      refused("turn/start", {}),
      refused("thread/start", { approvalPolicy: "on-failure" }),
      refused("thread/start", { sandbox: "workspaceWrite" }),
      refused("thread/read", { threadId: 7 }),
      lives
    ]
  },
  {
    id: "APP-005",
    title: "ids of every type, and one that is used twice",
    steps: [
      ask("initialize", { clientInfo, capabilities: null }, { id: "initialize" }),
      ...[0, -1, 9_007_199_254_740_991, "", "0", "\u{1F600}", "a".repeat(1000)].map((id) =>
        ask("thread/loaded/list", {}, { id })
      ),
      ask("thread/loaded/list", {}, { id: "twice", awaits: false }),
      ask("thread/loaded/list", {}, { id: "twice", awaits: false }),
      lives
    ]
  },
  {
    id: "APP-006",
    title: "lines that are no messages are passed over",
    steps: [
      ...hello(),
      write(""),
      write("no JSON"),
      write('{"id":100,"method":"thread/loaded/list","params":{}'),
      write('[{"id":101,"method":"thread/loaded/list","params":{}}]'),
      write("5"),
      write("null"),
      write('"thread/loaded/list"'),
      write('{"id":null,"method":"thread/loaded/list","params":{}}'),
      write('{"id":1.5,"method":"thread/loaded/list","params":{}}'),
      write('{"id":102}'),
      write('{"id":103,"result":{}}'),
      lives
    ]
  },
  {
    id: "APP-007",
    title: "a line of a megabyte",
    steps: [...hello(), ask("thread/loaded/list", { unknown: megabyte }), lives]
  },
  {
    id: "APP-008",
    title: "the key jsonrpc is taken, and initialized is not needed",
    steps: [
      ask("initialize", { clientInfo, capabilities: null }, { beside: { jsonrpc: "2.0" } }),
      ask("thread/loaded/list", {}, { beside: { jsonrpc: "2.0" } }),
      ask("thread/loaded/list", {}, { beside: { jsonrpc: "1.0" } })
    ]
  },
  {
    id: "APP-009",
    title: "experimental methods are for those who ask for them",
    steps: [...hello(), refused("collaborationMode/list"), lives]
  },
  { id: "APP-010", title: "what every client asks at its start", steps: [...hello(), ...lists] },
  {
    id: "APP-011",
    title: "a thread that does not exist",
    steps: [
      ...hello(),
      refused("turn/start", { threadId: nowhere, input: [] }),
      refused("turn/interrupt", { threadId: nowhere, turnId: nowhere }),
      refused("turn/steer", { threadId: nowhere, expectedTurnId: nowhere, input: [] }),
      refused("thread/read", { threadId: nowhere }),
      refused("thread/resume", { threadId: nowhere }),
      refused("thread/fork", { threadId: nowhere }),
      refused("thread/archive", { threadId: nowhere }),
      lives
    ]
  },
  {
    id: "APP-012",
    title: "a thread is begun, announced and loaded",
    steps: [
      ...hello(),
      ask("thread/start", { cwd: "{{project}}" }, { save: { thread: "thread.id" } }),
      waitFor("thread/started", { "thread.id": "{{thread}}" }),
      ask("thread/loaded/list", {}, { holds: { "data.0": "{{thread}}" } }),
      ask("thread/read", { threadId: "{{thread}}", includeTurns: false }, { holds: { "thread.id": "{{thread}}" } })
    ]
  }
]
