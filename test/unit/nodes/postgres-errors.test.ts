import { createServer, type Socket } from "node:net"
import { afterEach, expect, test } from "vitest"
import { openClusterDatabase } from "#cluster/open-cluster-database.ts"
import { Secret } from "#lib/secret.ts"
import { listen } from "../../support/listen.ts"

/*
 * PostgreSQL beside the nodes: its failures are told in the same words, with the server's own ones,
 * and without the password of its URL.
 */

const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

/** A server that does this with each connection, once its first bytes are there. */
async function serve(act: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => undefined)
    socket.once("data", () => act(socket))
  })
  const { port } = await listen(server)
  stops.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `127.0.0.1:${port}`
}

/** `ErrorResponse` of the protocol (PostgreSQL documentation, "Message Formats"). */
function refuse(code: string, message: string): (socket: Socket) => void {
  const fields = Buffer.from(`SFATAL\0C${code}\0M${message}\0\0`)
  const head = Buffer.alloc(5)
  head.write("E")
  head.writeInt32BE(4 + fields.length, 1)
  return (socket) => socket.end(Buffer.concat([head, fields]))
}

async function failureAt(place: string): Promise<{ code: string; message: string }> {
  const url = new Secret(`postgres://ballast:pa55w0rd@${place}/ballast`, "env:JOURNAL")
  return openClusterDatabase(url, () => undefined).then(
    () => ({ code: "none", message: "" }),
    (error: { code: string; message: string }) => error,
  )
}

const NO_SERVER = async () => "localhost:1"
const SERVERS: readonly (readonly [string, () => Promise<string>, RegExp])[] = [
  ["no server", NO_SERVER, /the connection is refused \(ECONNREFUSED\)/],
  [
    "an unknown host",
    async () => "no.such.invalid:1",
    /the name of the host is not known \(DNS\) \(E/,
  ],
  ["a connection that breaks", () => serve((socket) => socket.destroy()), /connection/i],
  [
    "too many clients",
    () => serve(refuse("53300", "sorry, too many clients already")),
    /sorry, too many clients already \(53300\)/,
  ],
  [
    "a wrong password",
    () => serve(refuse("28P01", 'password authentication failed for user "ballast"')),
    /password authentication failed for user "ballast" \(28P01\)/,
  ],
  [
    "a server that starts",
    () => serve(refuse("57P03", "the database system is starting up")),
    /the database system is starting up \(57P03\)/,
  ],
  [
    "a server that repeats the password",
    () => serve(refuse("28000", "no entry for pa55w0rd")),
    /no entry for \*\*\* \(28000\)/,
  ],
]

test.each(SERVERS)("names %s", async (_what, open, words) => {
  const { code, message } = await failureAt(await open())
  expect(code).toBe("cluster.unreachable")
  expect(message).toMatch(words)
  expect(message).not.toContain("pa55w0rd")
})
