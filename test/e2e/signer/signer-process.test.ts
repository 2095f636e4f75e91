import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { encodeRequest } from "#signer/wire.ts"
import {
  type RawClient,
  type SignerProcess,
  startSignerProcess,
} from "../../support/signer-process.ts"
import { evmQuestions } from "../../unit/signer/evm-attacks.ts"

let signer: SignerProcess
let client: RawClient
beforeAll(async () => {
  signer = await startSignerProcess({})
  client = signer.open()
})
afterAll(async () => {
  client?.socket.destroy()
  await signer?.stop()
})

test("the socket and its directory are open to their user alone", () => {
  expect(statSync(signer.socketPath).mode & 0o777).toBe(0o600)
  expect(statSync(join(signer.socketPath, "..")).mode & 0o777).toBe(0o700)
  for (const name of readdirSync(join(signer.socketPath, ".."))) {
    expect(statSync(join(signer.socketPath, "..", name)).mode & 0o077, name).toBe(0)
  }
})

test.runIf(process.platform === "linux")(
  "the process has no socket of TCP or UDP, also after it has signed",
  async () => {
    const voids = fc
      .sample(evmQuestions, { numRuns: 300, seed: 5 })
      .filter((question) => question.kind === "transaction" && question.plan.action === "void")
    const answers = await Promise.all(voids.map((question) => client.ask(question)))
    expect(answers.some(({ ok }) => ok)).toBe(true)
    const fds = `/proc/${signer.child.pid}/fd`
    const inodes = readdirSync(fds).flatMap(
      (fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(join(fds, fd)))?.[1] ?? [],
    )
    expect(inodes.length).toBeGreaterThan(0)
    const internet = ["tcp", "tcp6", "udp", "udp6"].flatMap((name) =>
      readFileSync(`/proc/${signer.child.pid}/net/${name}`, "utf8")
        .split("\n")
        .map((line) => line.trim().split(/\s+/)[9] ?? ""),
    )
    expect(inodes.filter((inode) => internet.includes(inode))).toEqual([])
  },
)

test.each([
  ["no JSON", "{"],
  ["no request", "[]"],
  ["another version", JSON.stringify({ version: 3, id: 1, kind: "identify" })],
  ["another kind", JSON.stringify({ version: 2, id: 1, kind: "export" })],
  ["a further key", JSON.stringify({ version: 2, id: 1, kind: "identify", key: "please" })],
  [
    "a plan without its fields",
    JSON.stringify({ version: 2, id: 1, kind: "transaction", order: "a", plan: {}, deposit: null }),
  ],
  ["deep nesting", "[".repeat(100_000)],
  ["a name of a prototype", `{"__proto__":{"version":1},"id":1,"kind":"identify"}`],
])("refuses %s, and goes on", async (_name, text) => {
  expect(await client.sendText(text)).toMatchObject({
    ok: false,
    error: { code: "signer.request" },
  })
  expect(await client.ask({ kind: "identify" })).toMatchObject({ ok: true })
})

test("an answer never quotes the request, and no answer has a key", async () => {
  const answer = await client.sendText(`{"version":1,"id":1,"kind":"export","secret":"hunter2"}`)
  expect(JSON.stringify(answer)).not.toContain("hunter2")
  const identity = await client.ask({ kind: "identify" })
  const key = readFileSync(
    join(import.meta.dirname, "../../../config/sandbox-keys/evm"),
    "utf8",
  ).trim()
  expect(JSON.stringify(identity)).not.toContain(key.slice(2))
})

test.each([
  ["four gigabytes", [0xff, 0xff, 0xff, 0xff]],
  ["nothing", [0, 0, 0, 0]],
  ["one byte more than allowed", [0x00, 0x40, 0x00, 0x01]],
])("a frame of %s closes its connection, and no other", async (_name, head) => {
  const other = signer.open()
  other.socket.write(Buffer.from(head))
  await other.closed
  expect(await client.ask({ kind: "identify" })).toMatchObject({ ok: true })
})

test("a frame in single bytes is read, and half a frame holds nobody up", async () => {
  const half = connect(signer.socketPath)
  half.write(Buffer.from([0, 0]))
  const slow = signer.open()
  const text = Buffer.from(encodeRequest(7, { kind: "identify" }))
  const head = Buffer.alloc(4)
  head.writeUInt32BE(text.length)
  const answer = new Promise<string>((resolve) =>
    slow.socket.once("data", (bytes: Buffer) => resolve(bytes.toString("utf8", 4))),
  )
  for (const byte of Buffer.concat([head, text])) slow.socket.write(Buffer.of(byte))
  expect(JSON.parse(await answer)).toMatchObject({ id: 7, ok: true })
  half.destroy()
  slow.socket.destroy()
})

test("a request of four megabytes is read in linear time", async () => {
  const start = performance.now()
  await client.sendText(`{"version":1,"id":1,"kind":"${'\\"'.repeat(1_900_000)}"}`)
  expect(performance.now() - start).toBeLessThan(10_000)
})
