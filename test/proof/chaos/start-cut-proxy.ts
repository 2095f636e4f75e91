import { connect, createServer, type Socket } from "node:net"
import { listen } from "../../support/listen.ts"

/**
 * A TCP proxy with a port of its own, between a client and an endpoint that can restart at another
 * address. It can inject a fault:
 *
 *   refuse    resets open and new connections
 *   hang      accepts data and passes nothing on
 *   delay     delays every piece of data
 *   truncate  ends a connection after some bytes of the answer
 *   deafen    passes the request on and resets the connection instead of answering, so the answer
 *             to an executed request is lost
 */
export const LINE_FAULTS = ["refuse", "hang", "delay", "truncate", "deafen"] as const
export type LineFault = (typeof LINE_FAULTS)[number]

export type CutProxy = {
  readonly url: string
  /** Connects to this loopback URL from now on. */
  lead(to: string): void
  setFault(fault: LineFault | null): void
  stop(): Promise<void>
}

const DELAY_MS = 1_500
const TRUNCATED_BYTES = 120

export async function startCutProxy(): Promise<CutProxy> {
  const open = new Set<Socket>()
  let target = 0
  let current: LineFault | null = null
  const server = createServer((client) => {
    open.add(client)
    client.on("close", () => open.delete(client)).on("error", () => undefined)
    if (current === "refuse") client.resetAndDestroy()
    else if (current !== "hang") join(client, target, () => current)
  })
  const { port } = await listen(server)
  return {
    url: `http://127.0.0.1:${port}`,
    lead: (to) => {
      target = Number(new URL(to).port)
    },
    setFault: (fault) => {
      const before = current
      current = fault
      // A request that hung is never answered; the reset tells the client.
      if (fault === "refuse" || before === "hang")
        for (const socket of open) socket.resetAndDestroy()
    },
    stop: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function join(client: Socket, port: number, fault: () => LineFault | null): void {
  const upstream = connect(port, "127.0.0.1")
  let passed = 0
  const pass = (piece: Buffer, to: Socket): void => {
    if (fault() === "hang") return
    if (fault() === "delay") setTimeout(() => to.writable && to.write(piece), DELAY_MS)
    else to.write(piece)
  }
  client.on("data", (piece) => pass(piece, upstream))
  upstream.on("data", (piece) => {
    passed += piece.length
    if (fault() === "deafen") client.resetAndDestroy()
    else if (fault() === "truncate" && passed > TRUNCATED_BYTES)
      client.write(piece.subarray(0, 40), () => client.end())
    else pass(piece, client)
  })
  // When one end closes, the other one closes too, after the delayed data.
  const close = (end: Socket): void =>
    void setTimeout(() => end.destroySoon(), fault() === "delay" ? DELAY_MS + 100 : 0)
  upstream.on("error", () => client.destroy()).on("close", () => close(client))
  client.on("close", () => close(upstream))
}
