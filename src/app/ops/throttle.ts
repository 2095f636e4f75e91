import type { Clock } from "#lib/clock.ts"

/**
 * Limits for callers over HTTP. Each answer is the time to wait in milliseconds; 0 lets the request
 * through.
 */
export type Throttle = {
  /** The pause of an address after its failed tokens. */
  readonly pauseOf: (source: string) => number
  readonly countFailure: (source: string) => void
  /** Takes one request of the token's allowance. */
  readonly takeRequest: (caller: string) => number
}

/** Failed tokens before the first pause. People mistype. */
const FREE_FAILURES = 5
const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 60_000
const FORGET_MS = 15 * 60_000
/**
 * More addresses than this push out the ones that failed longest ago, so that the list stays small.
 */
const MAX_SOURCES = 4_096
const BURST = 300
const PER_SECOND = 100

type Failures = { readonly count: number; readonly lastMs: number; readonly untilMs: number }
type Allowance = { readonly left: number; readonly atMs: number }

/**
 * Each failed token after the fifth doubles the pause of its address, up to a minute; a quarter of
 * an hour without a failure forgets them. A good token forgets nothing: otherwise the owner of one
 * token could guess another without limit.
 */
export function createThrottle(clock: Clock): Throttle {
  const failures = new Map<string, Failures>()
  const allowances = new Map<string, Allowance>()

  function find(source: string): Failures | null {
    const known = failures.get(source)
    if (known && clock.now() - known.lastMs < FORGET_MS) return known
    failures.delete(source)
    return null
  }

  return {
    // The bound counts where the clock was set back.
    pauseOf: (source) =>
      Math.min(Math.max((find(source)?.untilMs ?? 0) - clock.now(), 0), MAX_PAUSE_MS),
    countFailure: (source) => {
      const count = (find(source)?.count ?? 0) + 1
      const doubled = FIRST_PAUSE_MS * 2 ** Math.min(count - FREE_FAILURES, 10)
      const pauseMs = count < FREE_FAILURES ? 0 : Math.min(doubled, MAX_PAUSE_MS)
      failures.delete(source)
      failures.set(source, { count, lastMs: clock.now(), untilMs: clock.now() + pauseMs })
      const [oldest] = failures.keys()
      if (failures.size > MAX_SOURCES && oldest !== undefined) failures.delete(oldest)
    },
    takeRequest: (caller) => {
      const now = clock.now()
      const { left, atMs } = allowances.get(caller) ?? { left: BURST, atMs: now }
      const filled = Math.min(BURST, left + (Math.max(0, now - atMs) / 1_000) * PER_SECOND)
      allowances.set(caller, { left: filled >= 1 ? filled - 1 : filled, atMs: now })
      return filled >= 1 ? 0 : Math.ceil(((1 - filled) / PER_SECOND) * 1_000)
    },
  }
}

/**
 * The key under which failures count: an IPv4 address, or the /64 network of an IPv6 address, which
 * one owner has as a whole.
 */
export function sourceOf(address: string): string {
  const [bare = ""] = address.split("%")
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)
  if (mapped?.[1] !== undefined) return mapped[1]
  if (!bare.includes(":")) return bare
  const [head = "", tail] = bare.split("::")
  const left = head === "" ? [] : head.split(":")
  const right = tail === undefined || tail === "" ? [] : tail.split(":")
  const groups = [
    ...left,
    ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill("0"),
    ...right,
  ]
  return `${groups.slice(0, 4).join(":")}::/64`
}
