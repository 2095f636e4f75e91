import { execFileSync, spawnSync } from "node:child_process"
import { createPrivateKey } from "node:crypto"
import { chmodSync, lstatSync, mkdtempSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { type IncomingMessage, request as requestPlain } from "node:http"
import { request as requestTls } from "node:https"
import { connect, createServer, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeAll, describe, expect, test } from "vitest"
import { callSocket } from "#cli/call-daemon.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { ALL_SCOPES } from "#ops/caller.ts"
import { createApp } from "#ops/create-app.ts"
import type { Operations } from "#ops/operations.ts"
import { type Listener, listenOnSocket, listenOnTcp } from "../../../src/app/daemon/serve/listen.ts"

const TOKEN = "0123456789abcdef0123456789abcdef"
const pem = { cert: "", key: "", otherKey: "" }
const running: Listener[] = []
const open: Socket[] = []
let dir = ""

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "ballast-listen-"))
  const files = ["cert", "key", "other-cert", "other-key"].map((name) => join(dir, `${name}.pem`))
  const [cert = "", key = "", otherCert = "", otherKey = ""] = files
  for (const [to, of] of [
    [cert, key],
    [otherCert, otherKey],
  ] as const) {
    const subject = [
      "-subj",
      "/CN=ballast.example",
      "-addext",
      "subjectAltName=DNS:ballast.example",
    ]
    execFileSync(
      "openssl",
      [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-keyout",
        of,
        "-out",
        to,
        "-days",
        "2",
        ...subject,
      ],
      { stdio: "ignore" },
    )
  }
  Object.assign(pem, {
    cert: readFileSync(cert, "utf8"),
    key: readFileSync(key, "utf8"),
    otherKey: readFileSync(otherKey, "utf8"),
  })
})
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  for (const listener of running.splice(0)) await listener.close()
})

function createSampleApp() {
  // CAST: the requests below reach only these operations.
  const operations = {
    status: () => ({ mode: "live" }),
    isReady: () => true,
    recordCall: () => undefined,
    durable: async () => undefined,
    untilOnDisk: async () => undefined,
    pause: async () => ({ ok: true, body: {} }),
    subscribe: () => () => undefined,
  } as unknown as Operations
  const token = { name: "ops.token", token: new Secret(TOKEN, "test"), scopes: ALL_SCOPES }
  return createApp(operations, {
    tokens: () => [token],
    hosts: () => ["ballast.example"],
    log: silentLogger,
    clock: systemClock,
  })
}

async function startTcp(tls: Parameters<typeof listenOnTcp>[2] = null, host = "127.0.0.1") {
  const listener = await listenOnTcp(
    createSampleApp().fetch,
    { host, port: 0, loopback: true },
    tls,
  )
  running.push(listener)
  return { ...listener, port: Number(new URL(listener.url).port) }
}

async function startSocket(path: string): Promise<Listener> {
  const listener = await listenOnSocket(createSampleApp().fetch, path)
  running.push(listener)
  return listener
}

const pair = (cert: string, key: string) => ({
  cert: new Secret(cert, "file:cert"),
  key: new Secret(key, "file:key"),
})

async function statusOf(answer: Promise<IncomingMessage>): Promise<number | undefined> {
  const message = await answer
  message.resume()
  return message.statusCode
}

function openRaw(
  port: number,
  text = "",
): Promise<{ socket: Socket; read: () => string; closed: Promise<number> }> {
  const socket = connect(port, "127.0.0.1")
  open.push(socket)
  const startedMs = performance.now()
  let read = ""
  socket.on("data", (chunk) => {
    read += chunk.toString()
  })
  socket.on("error", () => undefined)
  const closed = new Promise<number>((resolve) =>
    socket.once("close", () => resolve(performance.now() - startedMs)),
  )
  return new Promise((resolve) =>
    socket.once("connect", () => {
      socket.write(text)
      resolve({ socket, read: () => read, closed })
    }),
  )
}

describe("the Unix socket", () => {
  test("is open to its owner only, also under a careless mask, and serves without a token", async () => {
    const path = join(mkdtempSync(join(dir, "s-")), "ballast.sock")
    const mask = process.umask(0)
    await startSocket(path).finally(() => process.umask(mask))
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(await callSocket(path, "GET", "/api/v1/status")).toEqual({
      status: 200,
      body: { mode: "live" },
    })
    expect(await callSocket(path, "POST", "/api/v1/pause", {})).toMatchObject({ status: 200 })
  })

  test("replaces the remainder of a killed daemon, and no other file", async () => {
    const path = join(mkdtempSync(join(dir, "s-")), "ballast.sock")
    const program =
      'require("net").createServer().listen(process.argv[1], () => process.kill(process.pid, 9))'
    spawnSync(process.execPath, ["-e", program, path])
    expect(lstatSync(path).isSocket()).toBe(true)
    await startSocket(path)
    const other = join(dir, "file.sock")
    writeFileSync(other, "precious")
    await expect(startSocket(other)).rejects.toMatchObject({
      code: "ops.socket",
      disposition: "fatal",
    })
    expect(readFileSync(other, "utf8")).toBe("precious")
  })

  test("refuses a path that the system would cut", async () => {
    await expect(startSocket(join(dir, "x".repeat(100)))).rejects.toMatchObject({
      code: "ops.socket",
    })
  })
})

describe("the command line", () => {
  test(
    "does not speak to a file, to a socket that others may open, nor in a folder that others " +
      "may change",
    async () => {
      const folder = mkdtempSync(join(dir, "c-"))
      const path = join(folder, "ballast.sock")
      await expect(callSocket(path, "GET", "/")).rejects.toMatchObject({
        code: "daemon.unreachable",
        disposition: "transient",
      })
      let heard = ""
      const impostor = createServer((socket) =>
        socket.on("data", (chunk) => {
          heard += chunk.toString()
        }),
      )
      await new Promise<void>((resolve) => impostor.listen(path, resolve))
      chmodSync(path, 0o666)
      await expect(callSocket(path, "POST", "/api/v1/pause")).rejects.toMatchObject({
        code: "daemon.socket_foreign",
      })
      chmodSync(path, 0o600)
      chmodSync(folder, 0o777)
      await expect(callSocket(path, "POST", "/api/v1/pause")).rejects.toMatchObject({
        code: "daemon.socket_foreign",
      })
      chmodSync(folder, 0o700)
      impostor.close()
      const file = join(dir, "plain.sock")
      writeFileSync(file, "")
      await expect(callSocket(file, "GET", "/")).rejects.toMatchObject({
        code: "daemon.socket_foreign",
      })
      expect(heard).toBe("")
    },
  )
})

describe("TLS", () => {
  const ask = (
    port: number,
    ca: string,
    headers: Record<string, string> = { authorization: `Bearer ${TOKEN}` },
  ) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        host: "127.0.0.1",
        port,
        path: "/api/v1/status",
        ca,
        servername: "ballast.example",
        headers: { host: "ballast.example", ...headers },
      }
      requestTls(options, resolve).once("error", reject).end()
    })

  test("serves clients that trust the certificate, and refuses plain HTTP", async () => {
    const { port, url } = await startTcp(pair(pem.cert, pem.key))
    expect(url).toMatch(/^https:/)
    expect(await statusOf(ask(port, pem.cert))).toBe(200)
    const answer = await ask(port, pem.cert)
    answer.resume()
    expect(answer.headers["strict-transport-security"]).toBeDefined()
    const plain = await openRaw(port, `GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n`)
    await plain.closed
    expect(plain.read()).not.toContain("200 OK")
  })

  test("refuses a key of another certificate, and replaces both while it runs", async () => {
    await expect(startTcp(pair(pem.cert, pem.otherKey))).rejects.toMatchObject({
      code: "ops.tls",
      disposition: "fatal",
    })
    await expect(startTcp(pair("no PEM", "no PEM"))).rejects.toMatchObject({ code: "ops.tls" })
    const rsa = createPrivateKey(pem.key)
    const cipher = { type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "x" } as const
    const locked = String(rsa.export(cipher))
    await expect(startTcp(pair(pem.cert, locked))).rejects.toThrow(/encrypted.*passphrase/)
    const { port, replaceTls } = await startTcp(pair(pem.cert, pem.key))
    const other = readFileSync(join(dir, "other-cert.pem"), "utf8")
    await expect(ask(port, other)).rejects.toThrow()
    replaceTls(pair(other, pem.otherKey))
    expect(await statusOf(ask(port, other))).toBe(200)
  })

  test("a port of another program is named as such", async () => {
    const { port } = await startTcp()
    const second = listenOnTcp(
      () => new Response(),
      { host: "127.0.0.1", port, loopback: true },
      null,
    )
    await expect(second).rejects.toThrow(
      `Cannot listen on 127.0.0.1:${port}; another program has this port: stop it, or choose ` +
        "another ops.listen",
    )
  })

  test("is needed beyond loopback, also where a name leads there", async () => {
    await expect(startTcp(null, "0.0.0.0")).rejects.toMatchObject({
      code: "ops.listen",
      disposition: "fatal",
    })
  })
})

describe("a hostile client", () => {
  test("that sends half a request, or nothing, is cut off after seconds", async () => {
    const { port } = await startTcp()
    const started = `POST /api/v1/pause HTTP/1.1\r\nhost: localhost\r\n`
    const slow = await Promise.all([
      openRaw(port),
      openRaw(port, started),
      openRaw(
        port,
        `${started}authorization: Bearer ${TOKEN}\r\ncontent-type: ` +
          "application/json\r\ncontent-length: 10\r\n\r\n{",
      ),
    ])
    const drip = await openRaw(port, started)
    const timer = setInterval(() => drip.socket.write("x-a: b\r\n"), 300)
    const lives = await Promise.all([...slow, drip].map(({ closed }) => closed)).finally(() =>
      clearInterval(timer),
    )
    for (const ms of lives) expect(ms).toBeLessThan(13_000)
  }, 20_000)

  test("holds at most 32 connections, and leaves places for other addresses and the Unix socket", async () => {
    const { port } = await startTcp()
    const path = join(mkdtempSync(join(dir, "s-")), "ballast.sock")
    await startSocket(path)
    const held = await Promise.all(Array.from({ length: 300 }, () => openRaw(port)))
    // The limit ends long before the five seconds after which silent connections close.
    const count = (): number => held.filter(({ socket }) => !socket.destroyed).length
    await expect.poll(count).toBe(32)
    expect(await callSocket(path, "GET", "/api/v1/status")).toMatchObject({ status: 200 })
    const other = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, localAddress: "127.0.0.2", path: "/healthz" }
      requestPlain(options, resolve).once("error", reject).end()
    })
    other.resume()
    expect(other.statusCode).toBe(200)
  })

  test.each([
    ["with a length", `content-length: ${10 * 1024 * 1024}\r\n\r\n`, ""],
    [
      "in chunks",
      "transfer-encoding: chunked\r\n\r\n",
      `10000\r\n${"x".repeat(0x10000)}\r\n`.repeat(4),
    ],
  ])("that sends a large body %s gets 413 before all of it is read", async (_how, head, chunks) => {
    const { port } = await startTcp()
    const start =
      "POST /api/v1/pause HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer " +
      `${TOKEN}\r\ncontent-type: application/json\r\n`
    const client = await openRaw(port, start + head + chunks)
    const deadline = performance.now() + 3_000
    while (client.read() === "" && performance.now() < deadline)
      await new Promise((resolve) => setTimeout(resolve, 20))
    expect(client.read()).toMatch(/^HTTP\/1\.1 413 /)
    expect(client.read()).toContain("ops.body_size")
  })

  test("that sends large headers is refused", async () => {
    const { port } = await startTcp()
    const client = await openRaw(
      port,
      `GET /healthz HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(64 * 1024)}\r\n\r\n`,
    )
    await client.closed
    expect(client.read()).not.toContain("200 OK")
  })
})
