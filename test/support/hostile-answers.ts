import { createServer, type Socket } from "node:net"
import { gzipSync } from "node:zlib"

/*
 * Servers of a process of their own: each connection is answered as the first part of its path
 * says.
 */

const MIB = 1024 * 1024
const END = "\r\n\r\n"
const CHUNKED = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked${END}`
const BLOCK = Buffer.alloc(65_536, "a")

type Answer = (socket: Socket, id: string) => void

/** The same bytes again and again, as fast as they are taken. */
function pump(head: string, bytes: Buffer | string): Answer {
  return (socket) => {
    socket.write(head)
    const go = (): void => {
      while (!socket.destroyed) if (!socket.write(bytes)) return void socket.once("drain", go)
    }
    go()
  }
}

/**
 * JSON as the result of a call, and as the whole answer to a GET. Made when it is asked for: the
 * process whose memory is measured needs the names alone.
 */
function json(make: () => string): Answer {
  return (socket, id) => {
    const value = make()
    const body = id === "" ? value : `{"jsonrpc":"2.0","id":${id},"result":${value}}`
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}${END}`)
    socket.end(body)
  }
}

function raw(head: string, make: () => string | Buffer = () => ""): Answer {
  return (socket) => {
    const body = make()
    socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}${END}`)
    socket.end(body)
  }
}

function list(item: string, bytes: number): string {
  return `[${Array.from({ length: Math.floor(bytes / (item.length + 1)) }, () => item).join(",")}]`
}

const wide = (bytes: number): Answer => json(() => list(`1${" ".repeat(126)}`, bytes))

export const KINDS: Readonly<Record<string, Answer>> = {
  silent: () => undefined,
  "a gigabyte": pump(`HTTP/1.1 200 OK\r\ncontent-length: 1073741824${END}`, BLOCK),
  "chunks with notes": pump(CHUNKED, `10000;${"x".repeat(3_000)}\r\n${BLOCK}\r\n`),
  "an endless note": pump(`${CHUNKED}1;`, BLOCK),
  "chunks of a byte": pump(CHUNKED, "1\r\na\r\n".repeat(10_000)),
  "endless headers": pump("HTTP/1.1 200 OK\r\n", `x-h: ${"a".repeat(100)}\r\n`.repeat(500)),
  continues: pump("", `HTTP/1.1 100 Continue${END}`.repeat(500)),
  hints: pump("", `HTTP/1.1 103 Early Hints\r\nlink: </a>${END}`.repeat(500)),
  "a byte now and then": (socket) => {
    socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 100000${END}`)
    const drip = setInterval(() => socket.destroyed || socket.write("{"), 200)
    socket.once("close", () => clearInterval(drip))
  },
  "a bomb of gzip": raw("HTTP/1.1 200 OK\r\ncontent-encoding: gzip", () =>
    gzipSync(Buffer.alloc(64 * MIB)),
  ),
  "brotli by name": raw("HTTP/1.1 200 OK\r\ncontent-encoding: br", () => BLOCK),
  "a redirect to itself": raw("HTTP/1.1 302 Found\r\nlocation: /again"),
  "a redirect elsewhere": raw("HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:1/secret"),
  "another protocol": pump("PRI * HTTP/2.0\r\n\r\n", Buffer.alloc(100, 0)),
  "a line without end": pump("HTTP/1.1 200 ", BLOCK),
  "two million levels": json(() => "[".repeat(2_000_000) + "]".repeat(2_000_000)),
  "just below the levels": json(() => list("[".repeat(190) + "]".repeat(190), MIB / 2)),
  "control characters": json(() => JSON.stringify(`\u001b]0;x\u0007\u202e${"k".repeat(300_000)}`)),
  "a number of four million digits": json(() => `"0x${"f".repeat(4_000_000)}"`),
  "digits without quotes": json(() => "9".repeat(4_000_000)),
  "short giants": json(() => list("9".repeat(90), MIB)),
  exponents: json(() => list("1e999999", MIB / 2)),
  "a prototype": json(() => '{"__proto__":{"error":{"code":1}},"constructor":{"prototype":1}}'),
  "a wide list": wide(15 * MIB),
  "a wide list within a bound": wide(0.98 * MIB),
  "wide objects": json(() => list(`{"a":"${"1".repeat(250)}"}`, 0.98 * MIB)),
  "one key, again and again": json(() => `{${`"a":"${"1".repeat(120)}",`.repeat(7_000)}"a":1}`),
  "many keys": json(
    () =>
      `{${Array.from({ length: 7_000 }, (_, at) => `"k${at}":"${"1".repeat(110)}"`).join(",")}}`,
  ),
  escapes: json(() => `["${"\\u0041".repeat(40_000)}","${"\\\\".repeat(120_000)}"]`),
  "text without an end": json(() => `["${"a".repeat(MIB)}`),
  "no UTF-8": raw("HTTP/1.1 200 OK", () => Buffer.alloc(MIB, 0xff)),
  "a mark of byte order": raw("HTTP/1.1 200 OK", () => '\ufeff{"result":1}'),
  "a page of a proxy": raw("HTTP/1.1 502 Bad Gateway", () => `<html>${"x".repeat(MIB)}`),
  "words of a limit, again and again": raw("HTTP/1.1 429 Slow", () =>
    `${"retry after rate limit 1 ".repeat(MIB / 32)}"retry_after":`.repeat(2),
  ),
  "a refusal in a megabyte": raw("HTTP/1.1 403 No", () => "rate limi ".repeat(MIB / 10)),
  "a wait of years": raw("HTTP/1.1 429 Slow\r\nretry-after: 999999999"),
  nothing: raw("HTTP/1.1 204 No Content"),
  "less than it names": (socket) =>
    void socket.end(`HTTP/1.1 200 OK\r\ncontent-length: 100${END}{`),
  "an end at once": (socket) => void socket.destroy(),
}

if (import.meta.main) {
  const server = createServer((socket) => {
    socket.on("error", () => undefined)
    socket.once("data", (bytes) => {
      const asked = bytes.toString()
      const id = /"id":(\d+)/.exec(asked)?.[1] ?? ""
      const kind = decodeURIComponent(/^\w+ \/([^/ ?]*)/.exec(asked)?.[1] ?? "")
      KINDS[kind]?.(socket, id)
    })
  })
  server.listen(0, "127.0.0.1", () => process.send?.(server.address()))
}
