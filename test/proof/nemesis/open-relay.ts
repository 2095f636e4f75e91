import { connect, createServer } from "node:net"

/**
 * Lets the other hosts reach these ports of this machine's loopback at `address`. Returns the
 * function that ends it.
 */
export function openRelay(address: string, ports: readonly number[]): () => void {
  const servers = ports.map((port) =>
    createServer((near) => {
      const far = connect(port, "127.0.0.1")
      for (const [one, other] of [
        [near, far],
        [far, near],
      ] as const) {
        one.on("error", () => other.destroy())
        one.on("close", () => other.destroy())
        one.pipe(other)
      }
    }).listen(port, address),
  )
  return () => {
    for (const server of servers) server.close()
  }
}
