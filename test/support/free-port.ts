import { randomInt } from "node:crypto"
import { createServer } from "node:net"

/**
 * The system assigns ports for outgoing connections and for "any free port" from 32768 on, so
 * nothing takes a lower one by chance.
 */
const FIRST_PORT = 10_000
const LAST_PORT = 32_000

const taken = new Set<number>()

/**
 * Resolves with a port on which this process can listen now. No call returns the same port twice.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT)
    if (!taken.has(port) && (await canListen(port))) {
      taken.add(port)
      return port
    }
  }
}

function canListen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer().once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })
}
