import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/**
 * A TCP proxy on a port of its own, between a client and an endpoint that may come back elsewhere. It can be told to harm what passes:
 *
 *   refuse    resets what is open, and everything new
 *   hang      takes everything and passes nothing on
 *   delay     holds every piece back for a while
 *   truncate  ends connections after some bytes of the answer
 *   deafen    passes the request on, and resets the connection instead of answering: the effect happens, the answer is lost
 */
export const HARMS = ["refuse", "hang", "delay", "truncate", "deafen"] as const
export type Harm = (typeof HARMS)[number]

export type CutProxy = {
  readonly url: string
  /** Where it leads from now on: a URL on loopback. */
  lead(to: string): void
  harm(how: Harm | null): void
  stop(): Promise<void>
}

const DELAY_MS = 1_500
const TRUNCATED_BYTES = 120

export async function startCutProxy(): Promise<CutProxy> {
  const open = new Set<Socket>()
  let target = 0
  let harm: Harm | null = null
  const server = createServer((client) => {
    open.add(client)
    client.on("close", () => open.delete(client)).on("error", () => undefined)
    if (harm === "refuse") client.resetAndDestroy()
    else if (harm !== "hang") join(client, target, () => harm)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // CAST: a server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    lead: (to) => {
      target = Number(new URL(to).port)
    },
    harm: (how) => {
      const before = harm
      harm = how
      // What hung is never answered: the client learns it when the connection ends.
      if (how === "refuse" || before === "hang") for (const socket of open) socket.resetAndDestroy()
    },
    stop: () => {
      for (const socket of open) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

function join(client: Socket, port: number, harm: () => Harm | null): void {
  const upstream = connect(port, "127.0.0.1")
  let passed = 0
  const pass = (piece: Buffer, to: Socket): void => {
    if (harm() === "hang") return
    if (harm() === "delay") setTimeout(() => to.writable && to.write(piece), DELAY_MS)
    else to.write(piece)
  }
  client.on("data", (piece) => pass(piece, upstream))
  upstream.on("data", (piece) => {
    passed += piece.length
    if (harm() === "deafen") client.resetAndDestroy()
    else if (harm() === "truncate" && passed > TRUNCATED_BYTES) client.write(piece.subarray(0, 40), () => client.end())
    else pass(piece, client)
  })
  // Either end closing ends the other one, behind what is still held back.
  const close = (end: Socket): void => void setTimeout(() => end.destroySoon(), harm() === "delay" ? DELAY_MS + 100 : 0)
  upstream.on("error", () => client.destroy()).on("close", () => close(client))
  client.on("close", () => close(upstream))
}
