/** A prompt with a source gets its answer back through its extension, also when the gateway was killed meanwhile. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Logger from "effect/Logger"
import * as Scope from "effect/Scope"
import { expect, it } from "vitest"
import { memoryDocuments } from "../../src/extension/Documents.ts"
import type { Extension, SourceResponse } from "../../src/extension/Extension.ts"
import { layerRemoteSessions } from "../../src/link/RemoteSessions.ts"
import { hosting } from "../extension/Hosting.ts"
import { fakeSessions, wholeText } from "../FakeSessions.ts"
import { attached, linkFolder, serving } from "./Linked.ts"

it("goes to the extension of the next gateway, once", () =>
  Effect.gen(function* () {
    const [documents, given, fakes] = [memoryDocuments(), [] as Array<SourceResponse>, fakeSessions()]
    const mail: Extension = {
      id: "mail",
      name: "Mail",
      sourceRoutes: ["mail"],
      handleSourceResponse: (_, response) => void given.push(response)
    }
    const address = yield* linkFolder
    yield* Effect.provide(serving(address), fakes.layer)
    const gateway = Effect.gen(function* () {
      const scope = yield* Scope.make()
      const layer = layerRemoteSessions(yield* Scope.provide(attached(address), scope))
      const hosted = hosting([{ extension: mail, limits: { retryMs: 1 } }], { documents, fakes: { ...fakes, layer } })
      return { scope, ...(yield* Scope.provide(hosted, scope)) }
    })
    const first = yield* gateway
    const { id } = yield* first.extensions.prompt({ content: "Hello", source: "mail/7", threadId: "t" })
    fakes.get("t").say(...wholeText("a", "It is "))
    yield* Scope.close(first.scope, Exit.void)
    fakes.get("t").say(...wholeText("b", "done."))
    fakes.get("t").finish()
    const second = yield* gateway
    while (given.length === 0) yield* Effect.sleep(5)
    expect(given).toMatchObject([{ id, source: "mail/7", outcome: "completed" }])
    yield* Scope.close(second.scope, Exit.void)
    yield* Effect.flatMap(gateway, ({ scope }) => Scope.close(scope, Exit.void))
    expect(given).toHaveLength(1)
    expect(fakes.get("t").submissions).toHaveLength(1)
  }).pipe(Effect.scoped, Effect.provide(Logger.layer([])), Effect.runPromise))
