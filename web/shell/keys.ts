import { useEffect, useRef } from "preact/hooks"

/** What a key, or two keys after each other such as `g o`, do; `false` leaves it to the browser. */
export type Keys = Readonly<Record<string, () => unknown>>

const SEQUENCE_MS = 1_500
const OFF = "ballast.keys"

export function areKeysOn(): boolean {
  return localStorage.getItem(OFF) !== "off"
}

export function switchKeys(on: boolean): void {
  localStorage.setItem(OFF, on ? "on" : "off")
}

/**
 * Single keys for the page, but not in a field, in a dialogue, or with a modifier; all can be
 * switched off (WCAG 2.1.4). Ctrl K is no single key, so it stays.
 */
export function useKeys(keys: Keys): void {
  const current = useRef(keys)
  current.current = keys
  useEffect(() => {
    let first = ""
    let firstMs = 0
    const press = (event: KeyboardEvent): void => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault()
        current.current["/"]?.()
        return
      }
      if (event.ctrlKey || event.metaKey || event.altKey || !areKeysOn() || isTyping(event)) return
      const pair = `${first} ${event.key}`
      const isPair = Date.now() - firstMs < SEQUENCE_MS && pair in current.current
      const act = current.current[isPair ? pair : event.key]
      first = isPair ? "" : event.key
      firstMs = Date.now()
      if (act !== undefined && act() !== false) event.preventDefault()
    }
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]") !== null) return true
  return target instanceof Element && target.closest("input, select, textarea") !== null
}

/** Moves the focus among the lines of the page's list; `false` without a list. */
export function moveInList(step: 1 | -1): boolean {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")]
  const at = rows.findIndex((row) => row.matches(":focus"))
  const next = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step]
  next?.focus()
  next?.scrollIntoView({ block: "nearest" })
  return rows.length > 0
}

/** Presses the page's own button for an act, such as its export; `false` where it has none. */
export function pressAct(act: string): boolean {
  const found = document.querySelector<HTMLElement>(`[data-key="${act}"]`)
  found?.focus()
  if (found instanceof HTMLButtonElement) found.click()
  return found !== null
}

/** Opens the line of the list that has the focus. */
export function openFocused(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.dataset["row"] !== undefined)
    activeElement.click()
}
