import { createServer } from "node:net"
import { AppError } from "#lib/app-error.ts"

/**
 * Finds out whether `port` on the loopback interface is free, and resolves with it; 0 resolves with
 * any free port.
 *
 * Throws `sandbox.port_in_use` (fatal). The check matters because the process that holds the port
 * could otherwise answer in the place of the node that the sandbox starts there.
 */
export function reservePort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", (cause) =>
      reject(
        new AppError({
          code: "sandbox.port_in_use",
          disposition: "fatal",
          message: `port ${port} is taken; choose another one for this chain`,
          cause,
        }),
      ),
    )
    server.listen(port, "127.0.0.1", () => {
      const address = server.address()
      const free = typeof address === "object" && address !== null ? address.port : port
      server.close(() => resolve(free))
    })
  })
}
