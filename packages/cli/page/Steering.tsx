/**
 * What is sent while the agent works goes into its run, where the agent hears words in the middle of one: it can be stopped
 * beside that. CopilotKit alone would keep the words until the run is over.
 */
import type { CopilotChatInputProps } from "@copilotkit/react-core/v2"
import { CopilotChatInput, useAgent } from "@copilotkit/react-core/v2"
import { createContext, useContext, useEffect, useState } from "react"
import type { Server } from "./Server.ts"

/** The thread that is written to. */
export const SteeringContext = createContext<
  { readonly server: Pick<Server, "canSteer" | "steer">; readonly threadId: string } | undefined
>(undefined)

/** Words that were sent into a run and that the agent has not heard yet. */
interface Sent {
  readonly id: string
  readonly words: string
}

/** The field that a person writes in. */
export const ChatInput = (props: CopilotChatInputProps) => {
  const { isRunning = false, onSubmitMessage } = props
  const place = useContext(SteeringContext)
  const { agent } = useAgent()
  const [canSteer, setCanSteer] = useState(false)
  const [sent, setSent] = useState<ReadonlyArray<Sent>>([])
  // A page that has just come back may take a run for over and for going on again: what was sent into it is still on its way.
  useEffect(() => setSent([]), [place])
  useEffect(() => {
    setCanSteer(false)
    if (!isRunning || place === undefined) return
    let isOver = false
    place.server.canSteer(place.threadId).then(
      (can) => {
        if (!isOver) setCanSteer(can)
      },
      // Whether the server is there is said elsewhere; the words wait for the end of the run.
      () => undefined
    )
    return () => {
      isOver = true
    }
  }, [isRunning, place])
  const waiting = sent.filter(({ id }) => !agent.messages.some((message) => message.id === id))
  const steer = (words: string): void => {
    if (place === undefined) return
    place.server.steer(place.threadId, words).then(
      (id) => setSent((before) => [...before, { id, words }]),
      // The run may just have ended: then they are the next message.
      () => onSubmitMessage?.(words)
    )
  }
  return (
    <>
      {isRunning && canSteer && (
        <div className="steering" role="status">
          <p>What you send now goes into this run; the square stops it.</p>
          {waiting.map(({ id, words }) => (
            <p key={id} className="steering-sent">
              Sent, and not heard yet: {words}
            </p>
          ))}
        </div>
      )}
      <CopilotChatInput {...props} {...(isRunning && canSteer && { onSubmitMessage: steer })} />
    </>
  )
}
