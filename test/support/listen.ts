import { Server as HttpServer } from "node:http"
import type { AddressInfo, Server } from "node:net"

/** Lets a server listen on a free port of this machine. */
export async function listen(server: Server) {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  // CAST: a server that listens on TCP has an address with a port.
  const { port } = server.address() as AddressInfo
  return { port, url: `http://127.0.0.1:${port}` }
}

/** Cuts all connections and closes the server. */
export async function stopServer(server: Server): Promise<void> {
  if (server instanceof HttpServer) server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
}
