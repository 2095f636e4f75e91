import { useEffect, useRef, useState } from "preact/hooks"
import { ask, Refused, send } from "./session.ts"

/**
 * A part of the interface that the page keeps up to date. `value` stays when a later read fails;
 * `error` then says why.
 */
export type Live<T> = {
  readonly value: T | null
  readonly error: Refused | null
  readonly refresh: () => void
}

/** The connection as a whole: the time of the last answer, and whether the session is over. */
export type Connection = {
  lastMs: number
  failing: boolean
  loggedOut: boolean
  streaming: boolean
}

export const connection: Connection = {
  lastMs: Date.now(),
  failing: false,
  loggedOut: false,
  streaming: false,
}

const known = new Map<string, unknown>()
const listeners = new Set<() => void>()

/**
 * Reads a path again and again while the page is visible, and at once after each event of the
 * stream.
 */
export function useLive<T>(path: string | null, everyMs = 5_000): Live<T> {
  const [, render] = useState(0)
  const [error, setError] = useState<Refused | null>(null)
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (path === null) return
    let ended = false
    async function read(): Promise<void> {
      if (path === null || document.hidden) return
      try {
        known.set(path, await askOnce(path))
        if (ended) return
        connection.lastMs = Date.now()
        connection.failing = false
        setError(null)
        render((count) => count + 1)
      } catch (cause) {
        if (ended || !(cause instanceof Refused)) return
        if (cause.status === 401) connection.loggedOut = true
        if (cause.status === 0) connection.failing = true
        setError(cause)
      }
    }
    const wake = (): void => void read()
    void read()
    const timer = setInterval(wake, everyMs)
    listeners.add(wake)
    document.addEventListener("visibilitychange", wake)
    return () => {
      ended = true
      // Its start moves on, so no later path is this one.
      if (path.includes("since=")) known.delete(path)
      clearInterval(timer)
      listeners.delete(wake)
      document.removeEventListener("visibilitychange", wake)
    }
  }, [path, everyMs, tries])
  // CAST: the caller names the type of this path's answer.
  const value = path === null ? null : ((known.get(path) ?? null) as T | null)
  return { value, error, refresh: () => setTries((count) => count + 1) }
}

/** The last value of this question while its next path is read, so that nothing flickers. */
export function useSteady<T>(live: Live<T>, question: string): Live<T> {
  const last = useRef({ question, value: live.value })
  if (live.value !== null || last.current.question !== question)
    last.current = { question, value: live.value }
  return { ...live, value: last.current.value }
}

const running = new Map<string, Promise<unknown>>()

/** Parts of the page that show the same answer share its read. */
function askOnce(path: string): Promise<unknown> {
  const found = running.get(path)
  if (found !== undefined) return found
  const asked = ask("GET", path).finally(() => running.delete(path))
  running.set(path, asked)
  return asked
}

/** Reads everything that is shown once more. */
export function refreshAll(): void {
  for (const wake of listeners) wake()
}

/** Forgets everything that was read, so that the next account sees nothing of this one. */
export function forgetAll(): void {
  known.clear()
}

const CALM_MS = 700
const SILENT_MS = 40_000

/**
 * Listens to the server-sent events until `signal` ends, and connects again after a break.
 * `EventSource` cannot send the session's header.
 */
export async function followEvents(signal: AbortSignal): Promise<void> {
  let pending = 0
  const changed = (): void => {
    if (pending !== 0) return
    pending = window.setTimeout(() => {
      pending = 0
      refreshAll()
    }, CALM_MS)
  }
  while (!signal.aborted) {
    await readStream(signal, changed).catch(() => undefined)
    connection.streaming = false
    await new Promise((resolve) => setTimeout(resolve, 2_000))
  }
}

async function readStream(signal: AbortSignal, onEvent: () => void): Promise<void> {
  const silence = new AbortController()
  let watch = setTimeout(() => silence.abort(), SILENT_MS)
  const answer = await send("GET", "events", {
    signal: AbortSignal.any([signal, silence.signal]),
  })
  if (!answer.ok || answer.body === null) return
  connection.streaming = true
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    clearTimeout(watch)
    watch = setTimeout(() => silence.abort(), SILENT_MS)
    if (part.value.includes("data:")) onEvent()
  }
  clearTimeout(watch)
}

/** The time of now, once a second. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** The place in the page: `#/orders/4f…` is `["orders", "4f…"]`. */
export function usePlace(): readonly string[] {
  const [place, setPlace] = useState(location.hash)
  useEffect(() => {
    const follow = (): void => setPlace(location.hash)
    addEventListener("hashchange", follow)
    return () => removeEventListener("hashchange", follow)
  }, [])
  return place
    .replace(/^#\/?/, "")
    .split("/")
    .map((part) => decodeURIComponent(part))
}
