import type { ComponentChildren, JSX } from "preact"
import { useId, useState } from "preact/hooks"
import { Dialog } from "./dialog.tsx"
import { refreshAll } from "./live.ts"
import { useRefusal } from "./parts.tsx"
import { change as askFor, makeKey, Refused } from "./session.ts"

/** A change that a person is about to make. `word` is to be typed first. */
export type Change = {
  readonly title: string
  readonly word: string
  readonly button: string
  readonly path: string
  readonly body: unknown
  readonly danger?: boolean
  readonly children?: ComponentChildren
  /** Gets the daemon's answer. */
  readonly onDone?: (answer: unknown) => void
}

/** A modal dialogue: it says what will happen, and acts only after the person typed the word. */
export function Confirm({ change, onClose }: { change: Change; onClose: () => void }): JSX.Element {
  const [key] = useState(makeKey)
  const [typed, setTyped] = useState("")
  const [sending, setSending] = useState(false)
  const [error, setError] = useState<Refused | null>(null)
  const title = useId()
  const field = useId()
  const isRight = typed.trim() === change.word
  async function act(event: Event): Promise<void> {
    event.preventDefault()
    if (!isRight || sending) return
    setSending(true)
    try {
      const answer = await askFor(change.path, change.body, key)
      refreshAll()
      onClose()
      change.onDone?.(answer)
    } catch (cause) {
      if (cause instanceof Refused) setError(cause)
      setSending(false)
    }
  }
  return (
    <Dialog labelledBy={title} onClose={onClose}>
      <form onSubmit={act}>
        <h2 id={title}>{change.title}</h2>
        {change.children}
        <label for={field}>
          Type <code class="word">{change.word}</code> to confirm
        </label>
        <input
          id={field}
          value={typed}
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
        {error === null ? null : (
          <p class="notice bad" role="alert">
            {error.message}
          </p>
        )}
        <footer>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            class={change.danger ? "main danger" : "main"}
            disabled={!isRight || sending}
          >
            {sending ? "Sending…" : change.button}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}

/** A button that opens the dialogue. Without the scope it is shown and says why it does nothing. */
export function Act(props: {
  change: Change
  scope: "operate" | "approve"
  scopes: readonly string[]
  main?: boolean
}): JSX.Element {
  const [open, setOpen] = useState(false)
  const refusal = useRefusal(props.scope, props.scopes)
  return (
    <>
      <button
        type="button"
        class={props.change.danger ? "danger" : props.main ? "main" : ""}
        disabled={refusal !== null}
        title={refusal ?? undefined}
        onClick={() => setOpen(true)}
      >
        {props.change.button}
      </button>
      {open ? <Confirm change={props.change} onClose={() => setOpen(false)} /> : null}
    </>
  )
}
