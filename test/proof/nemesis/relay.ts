import { readFileSync } from "node:fs"
import { connect, createServer } from "node:net"

/**
 * `node relay.ts FILE`: carries TCP connections as the JSON of the file says,
 * `{"host:port of a listener": "host:port of its target"}`. The file is read again for each
 * connection, so that a listener's target can be changed.
 *
 * Ballast speaks plain HTTP only to loopback, so each host has its nodes there, and the way between
 * the hosts is a real network.
 */
const [file = ""] = process.argv.slice(2)
const read = (): Record<string, string> => JSON.parse(readFileSync(file, "utf8"))

for (const listener of Object.keys(read())) {
  const { host, port } = split(listener)
  createServer((near) => {
    const far = connect(split(read()[listener] ?? ""))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on("error", () => other.destroy())
      one.on("close", () => other.destroy())
      one.pipe(other)
    }
  }).listen(port, host)
}

function split(address: string): { host: string; port: number } {
  const [host = "", port = ""] = address.split(":")
  return { host, port: Number(port) }
}
