/**
 * The dialog that a question is asked in. It has the focus itself when it opens, and none of its buttons does: an
 * answer is a button that the person went to, with Tab or a pointer, after the question was seen. Escape does not
 * close it, because the agent waits for an answer and none is a safe guess.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "react"
import { makeStrayKeys } from "./StrayKeys.ts"

/** What the dialog is given. */
export interface QuestionDialogProps {
  /** The id of what names it. */
  readonly labelledBy: string
  /** The id of what is asked about, where there is such a thing. */
  readonly describedBy: string
  readonly children: React.ReactNode
}

/** The dialog of one question; it is modal as long as it is there. */
export const QuestionDialog = ({ children, describedBy, labelledBy }: QuestionDialogProps) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const isCalm = useCalm()
  useLayoutEffect(() => {
    const shown = dialog.current
    if (shown !== null) show(shown)
    // Before it is gone, so that the focus goes back to where it was.
    return () => shown?.close()
  }, [])
  return (
    <dialog
      className="approval"
      ref={dialog}
      tabIndex={-1}
      closedby="none"
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      onCancel={(event) => event.preventDefault()}
      // Phones have a button that closes a dialog whatever it says.
      onClose={({ currentTarget }) => {
        if (currentTarget.isConnected) show(currentTarget)
      }}
    >
      <fieldset className="approval-answers" disabled={!isCalm}>
        {children}
      </fieldset>
    </dialog>
  )
}

const show = (dialog: HTMLDialogElement): void => {
  if (!dialog.open) dialog.showModal()
  dialog.focus()
}

/** Whether the question was seen and nobody types any more; stray keys do nothing. */
const useCalm = (): boolean => {
  const [isCalm, setCalm] = useState(false)
  useEffect(() => {
    const keys = makeStrayKeys()
    const closing = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const waitForCalm = (): void => {
      const left = keys.calmAt() - performance.now()
      if (left <= 0) setCalm(true)
      else timer = setTimeout(waitForCalm, left)
    }
    // Not before the page is painted: a tab in the background is not.
    const frame = requestAnimationFrame(() => {
      keys.shown(performance.now())
      waitForCalm()
    })
    const ignore = (event: KeyboardEvent): void => {
      event.preventDefault()
      event.stopImmediatePropagation()
    }
    const options = { capture: true, signal: closing.signal }
    addEventListener(
      "keydown",
      (event) => {
        const { altKey, code, ctrlKey, key, metaKey, repeat, timeStamp } = event
        // The browser's own shortcuts are not answers.
        if (altKey || ctrlKey || metaKey) return
        if (keys.isStrayDown({ code, key, isRepeat: repeat, at: timeStamp })) ignore(event)
      },
      options
    )
    addEventListener(
      "keyup",
      (event) => {
        if (keys.isStrayUp(event.code)) ignore(event)
      },
      options
    )
    return () => {
      closing.abort()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [])
  return isCalm
}
