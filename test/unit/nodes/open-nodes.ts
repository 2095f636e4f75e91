import { AppError } from "#lib/app-error.ts"
import { type Clock, systemClock } from "#lib/clock.ts"
import { plainJson } from "#lib/json.ts"
import { serve } from "./askers.ts"
import { type Chain, type Family, Refusal } from "./families.ts"

const stops: (() => void)[] = []

/** Ends the nodes of a test. Each file asks for it itself: the files of a worker share modules. */
export function stopNodes(): void {
  for (const stop of stops.splice(0)) stop()
}

export const HONEST: Chain = { network: "ours", height: 1_000, ageMs: 0, units: 5 }
export const HOUR_MS = 3_600_000

/** How a node answers its `count`-th question; a chain is that which it shows. */
export type Behaviour = (count: number) => Chain | "silence" | "refusal" | "limit" | "page"

export const show =
  (change: Partial<Chain> = {}): Behaviour =>
  () => ({ ...HONEST, ...change })
export const inTurn =
  (...chains: readonly Partial<Chain>[]): Behaviour =>
  (count) => ({ ...HONEST, ...chains[count % chains.length] })
export const does =
  (what: Exclude<ReturnType<Behaviour>, Chain>): Behaviour =>
  () =>
    what

export const honest = show()

export function describeError(error: unknown): string {
  if (!(error instanceof AppError)) return String(error)
  return `${error.code} ${error.message} ${plainJson(error.details)}`
}

/** How a node writes what it says; `asked`: the body that it has got. */
export type Hand = (text: string, asked: string) => string

export async function openNodes(
  family: Family,
  nodes: readonly Behaviour[],
  needed: number,
  timeoutMs = 2_000,
  hands: readonly Hand[] = [],
) {
  const servers = await Promise.all(
    nodes.map((behave, at) => startNode(family, behave, hands[at] ?? ((text) => text))),
  )
  let passedMs = 0
  // Waits of our own are short; exchanges take their real time.
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + passedMs,
    sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 10), signal),
  }
  const pass = (ms: number): void => {
    passedMs += ms
  }
  return { read: family.open({ urls: servers, needed, timeoutMs, clock }), pass }
}

type Call = { readonly id: number; readonly method: string; readonly params: readonly unknown[] }

async function startNode(family: Family, behave: Behaviour, write: Hand): Promise<string> {
  let count = 0
  const { url, stop } = await serve((path, body) => {
    const shown = behave(count++)
    if (shown === "silence") return null
    if (shown === "limit") return { status: 429, body: "" }
    if (shown === "page") return { status: 502, body: "<html>bad gateway</html>" }
    const chain = shown === "refusal" ? HONEST : shown
    if (body === "") {
      if (shown === "refusal" && path.startsWith("/address")) return { status: 500, body: "" }
      const text = JSON.stringify(family.answer(path, [], chain)).replace(/^"|"$/g, "")
      return { body: write(text, body) }
    }
    // CAST: the clients' own requests: a call or a list of them.
    const sent = JSON.parse(body) as Call | readonly Call[]
    const answerOne = ({ id, method, params }: Call) => {
      try {
        if (shown === "refusal" && /Balance|Nonce/.test(method)) throw new Refusal(-32_000)
        return { jsonrpc: "2.0", id, result: family.answer(method, params, chain) }
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        return { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } }
      }
    }
    const answer = Array.isArray(sent) ? sent.map(answerOne) : answerOne(sent as Call)
    return { body: write(JSON.stringify(answer), body) }
  })
  stops.push(stop)
  return url
}
