import { once } from "node:events"
import { createServer } from "node:net"

/**
 * The first port that is free on loopback now, from `first` on; `first` if none of the next ones
 * is.
 */
export async function findFreePort(first: number): Promise<number> {
  for (let port = first; port < first + TRIES; port += 1) if (await isFree(port)) return port
  return first
}

const TRIES = 20

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  try {
    server.listen(port, "127.0.0.1")
    await once(server, "listening")
    return true
  } catch {
    // Another program has it, or this user may not take it.
    return false
  } finally {
    server.close()
  }
}
