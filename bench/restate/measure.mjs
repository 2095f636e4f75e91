import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { connect, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"

/*
 * Two processes have the same exclusive handler, behind a relay that stands for a load balancer. The first one begins the step of an invocation; then its
 * connection is cut, or it is frozen, and the relay leads to the second one. A fenced engine would let one of them act.
 *
 * `npm ci && npm run measure` in this folder, with Node 22 or newer.
 */

const TURNS = 5
const STEP_MS = 1_500
const FROZEN_AFTER_MS = 1_000
const PORTS = {
  ingress: 18_080,
  admin: 19_070,
  node: 15_122,
  first: 19_081,
  second: 19_082,
  relay: 19_090,
}
/** The defaults, a minute and more, only make each turn longer. */
const SETTINGS = {
  RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${PORTS.ingress}`,
  RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${PORTS.admin}`,
  RESTATE_BIND_ADDRESS: `127.0.0.1:${PORTS.node}`,
  RESTATE_LISTEN_MODE: "tcp",
  RESTATE_WORKER__INVOKER__INACTIVITY_TIMEOUT: "2s",
  RESTATE_WORKER__INVOKER__ABORT_TIMEOUT: "1s",
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_INTERVAL: "1s",
  RESTATE_WORKER__INVOKER__HTTP2_KEEP_ALIVE_TIMEOUT: "1s",
  RESTATE_DISABLE_TELEMETRY: "true",
}

const folder = mkdtempSync(join(tmpdir(), "restate-"))
const record = join(folder, "record")
const children = new Set()
process.on("exit", () => {
  for (const child of children) child.kill("SIGKILL")
  rmSync(folder, { recursive: true, force: true })
})

// The package's own launcher would leave the server behind.
const SERVER = `node_modules/@restatedev/restate-server-${process.platform}-${process.arch}/bin/restate-server`
start(SERVER, ["--no-logo", "--base-dir", folder], SETTINGS)
const relay = startRelay()
await until(() =>
  fetch(`http://127.0.0.1:${PORTS.admin}/health`)
    .then(({ ok }) => ok)
    .catch(() => false),
)
for (let turn = 0; turn < TURNS; turn++)
  for (const fault of ["cut", "freeze"]) await measure(`${fault}-${turn}`, fault)
process.exit(0)

async function measure(key, fault) {
  const [first, second] = ["first", "second"].map((name) =>
    start(process.execPath, ["service.mjs", name, String(PORTS[name]), record, String(STEP_MS)]),
  )
  relay.target = PORTS.first
  await until(() => isOpen(PORTS.first))
  await until(() => isOpen(PORTS.second))
  await post(PORTS.admin, "/deployments", { uri: `http://127.0.0.1:${PORTS.relay}`, force: true })
  const answer = post(PORTS.ingress, `/treasury/${key}/send`, null)
  const began = await momentOf(key, "first", "begins")
  relay.target = PORTS.second
  if (fault === "cut") relay.cut()
  else first.kill("SIGSTOP")
  const nextBegan = await momentOf(key, "second", "begins")
  const nextActed = await momentOf(key, "second", "acts")
  if (fault === "freeze") await sleep(FROZEN_AFTER_MS).then(() => first.kill("SIGCONT"))
  const acted = await momentOf(key, "first", "acts")
  await answer
  console.log(
    `${key}: the second begins ${nextBegan - began} ms after the first, and acts ${nextActed - nextBegan} ms later; the first acts ${acted - nextActed} ms after that`,
  )
  for (const child of [first, second]) child.kill("SIGKILL")
  relay.cut()
}

function start(command, args, env = {}) {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env } })
  children.add(child)
  return child
}

/** New connections lead to `target`. A cut closes the server's side; the process behind learns nothing. */
function startRelay() {
  const sockets = new Set()
  const relay = {
    target: PORTS.first,
    cut: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
  const server = createServer((socket) => {
    const process = connect(relay.target, "127.0.0.1")
    sockets.add(socket)
    socket.pipe(process, { end: false })
    process.pipe(socket)
    socket.on("error", () => undefined)
    socket.on("close", () => sockets.delete(socket))
    process.on("error", () => socket.destroy())
  })
  server.listen(PORTS.relay, "127.0.0.1")
  return relay
}

async function momentOf(key, name, what) {
  const find = () =>
    readRecord().find((entry) => entry.key === key && entry.name === name && entry.what === what)
  await until(() => find() !== undefined)
  return find().atMs
}

function readRecord() {
  if (!existsSync(record)) return []
  return readFileSync(record, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line))
}

async function post(port, path, body) {
  const headers = { "content-type": "application/json" }
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers,
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
}

function isOpen(port) {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1")
    socket.on("connect", () => resolve(true)).on("error", () => resolve(false))
    socket.on("connect", () => socket.destroy())
  })
}

async function until(isTrue) {
  for (let tries = 0; !(await isTrue()); tries++) {
    if (tries > 1_500) throw new Error(`waited too long; so far: ${JSON.stringify(readRecord())}`)
    await sleep(20)
  }
}

function sleep(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
