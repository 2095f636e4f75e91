import { createServer, type Socket } from "node:net"
import { listen, stopServer } from "./listen.ts"

/** The request for TLS in place of a first message. */
const TLS_REQUEST = 80_877_103

/** A PostgreSQL that refuses each connection with one of its own errors. `port` is its port. */
export async function startRefusingPostgres(
  code: string,
  message: string,
): Promise<{ readonly port: number; readonly stop: () => Promise<void> }> {
  const fields = [`SFATAL`, `VFATAL`, `C${code}`, `M${message}`].join("\0")
  const body = Buffer.from(`${fields}\0\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(body.length + 4, 1)
  const refusal = Buffer.concat([head, body])
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on("error", () => undefined)
    socket.on("data", (chunk: Buffer) => {
      const isForTls = chunk.length === 8 && chunk.readInt32BE(4) === TLS_REQUEST
      if (isForTls) socket.write("N")
      else socket.end(refusal)
    })
  })
  const { port } = await listen(server)
  const stop = async (): Promise<void> => {
    for (const socket of open) socket.destroy()
    await stopServer(server)
  }
  return { port, stop }
}
