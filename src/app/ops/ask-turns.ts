import { type Ctx, peerOf, refuseBusy } from "./answers.ts"
import type { Peer } from "./caller.ts"

/** Requests of one listener that ask services and nodes, and those that wait for a turn. */
const MOST_ASKING = 2
const MOST_WAITING = 16

/**
 * Runs `ask` when it is its turn. `busy`: too many wait already. `left`: the client ended its
 * request before its turn, so the question is not asked.
 */
type AskInTurn = <Body>(
  listener: Peer["kind"],
  signal: AbortSignal,
  ask: () => Promise<Body>,
) => Promise<{ readonly body: Body } | "busy" | "left">

/**
 * A client may ask for hundreds of quotes and end each request at once. The service takes a few
 * questions per second, so each of them would wait before the engine's next one. Only a few are
 * asked at the same time; a client over TCP takes no turn of one at the socket.
 */
export function createAskTurns(mostAsking = MOST_ASKING): AskInTurn {
  const lines: Record<Peer["kind"], Line> = {
    socket: { asking: 0, waiting: new Set() },
    tcp: { asking: 0, waiting: new Set() },
  }
  return async (listener, signal, ask) => {
    const line = lines[listener]
    if (line.asking < mostAsking) line.asking++
    else if (line.waiting.size >= MOST_WAITING) return "busy"
    else if (!(await getTurn(line, signal))) return "left"
    try {
      return { body: await ask() }
    } finally {
      passTurn(line)
    }
  }
}

export type InTurn = (c: Ctx, serve: () => Promise<Response>) => Promise<Response>

const BUSY_MS = 2_000

/** Serves a request that takes time when it is its turn; `why` names what the others wait for. */
export function createInTurn(why: string, mostAsking?: number): InTurn {
  const askInTurn = createAskTurns(mostAsking)
  return async (c, serve) => {
    const asked = await askInTurn(peerOf(c).peer.kind, c.req.raw.signal, serve)
    if (typeof asked === "object") return asked.body
    return refuseBusy(c, BUSY_MS, `Other requests already wait for ${why}`)
  }
}

type Line = { asking: number; readonly waiting: Set<() => void> }

/** False for a client that left before its turn. */
function getTurn({ waiting }: Line, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const begin = (): void => {
      signal.removeEventListener("abort", leave)
      resolve(true)
    }
    const leave = (): void => {
      waiting.delete(begin)
      resolve(false)
    }
    waiting.add(begin)
    signal.addEventListener("abort", leave, { once: true })
  })
}

function passTurn(line: Line): void {
  const [next] = line.waiting
  if (next === undefined) {
    line.asking--
    return
  }
  line.waiting.delete(next)
  next()
}
