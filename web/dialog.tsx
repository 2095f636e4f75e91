import type { ComponentChildren, JSX } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"

/**
 * A modal dialogue. It opens in the same step as the page draws it, so that no key goes to the page
 * below, and gives the focus back to where it was.
 */
export function Dialog(props: {
  class?: string
  /** Its name: an `aria-label`, or the id of its heading. */
  label?: string
  labelledBy?: string
  onClose: () => void
  children: ComponentChildren
}): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null)
  const close = useRef(props.onClose)
  close.current = props.onClose
  useLayoutEffect(() => {
    const shown = dialog.current
    // The browser tells of a close a frame later: by then another dialogue may be open.
    const end = new AbortController()
    shown?.addEventListener("close", () => close.current(), { signal: end.signal })
    shown?.showModal()
    return () => {
      end.abort()
      shown?.close()
    }
  }, [])
  const leave = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return
    event.preventDefault()
    props.onClose()
  }
  return (
    <dialog
      ref={dialog}
      class={props.class}
      aria-label={props.label}
      aria-labelledby={props.labelledBy}
      onKeyDown={leave}
    >
      {props.children}
    </dialog>
  )
}
