import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { callSocket } from "../../src/app/cli/call-daemon.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import { type DaemonProcess, startDaemonProcess, until } from "../support/sandbox-process.ts"

const SECRETS = [
  "planted-user-4711",
  "planted-pass-4712",
  "planted-path-4713",
  "planted-query-4714",
  "planted-other-4715",
]
const [user, password, path, query] = SECRETS
const READER = "reader-token-of-24-chars"
const KEYS = join(import.meta.dirname, "..", "..", "config", "sandbox-keys")

let node: Server
let daemon: DaemonProcess
let dir = ""
let file = ""
let port = 0

/** The four families on nodes that repeat every request in their errors. */
beforeAll(async () => {
  node = createServer((request, response) =>
    response.writeHead(403).end(`bad ${request.url} ${user} ${password}\n\u001b[2Jforged`),
  )
  await new Promise<void>((resolve) => node.listen(0, "127.0.0.1", resolve))
  // CAST: a server that listens on TCP has an address with a port.
  const at = (node.address() as AddressInfo).port
  dir = mkdtempSync(join(tmpdir(), "ballast-ops-"))
  port = await freePort()
  file = join(dir, "ballast.yaml")
  writeFileSync(
    file,
    configFor(`http://${user}:${password}@127.0.0.1:${at}/${path}/v2?key=${query}`),
  )
  daemon = startDaemonProcess({ file, port }, { READER_TOKEN: READER })
  await daemon.serves()
}, 60_000)
afterAll(async () => {
  await daemon.stop()
  node.closeAllConnections()
  node.close()
})

function configFor(url: string): string {
  return `service: { url: "${url}" }
data_dir: ${join(dir, "data")}
mode: observe
ops:
  listen: "127.0.0.1:${port}"
  token: "env:BALLAST_OPS_TOKEN"
  tokens: [{ name: reader, token: "env:READER_TOKEN", scopes: [read] }]
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, esplora: ["${url}"],
      key: "file:${KEYS}/bitcoin" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["${url}"], key: "file:${KEYS}/evm" }
  solana_testnet: { family: solana, rpc: ["${url}"], key: "file:${KEYS}/solana" }
  starknet_sepolia:
    { family: starknet, rpc: ["${url}"], key: "file:${KEYS}/starknet",
        account: "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:eth: { decimals: 18, htlc: ["0x1111111111111111111111111111111111111111"] }
  solana_testnet:sol: { decimals: 9, htlc: ["11111111111111111111111111111111"] }
  starknet_sepolia:strk: { decimals: 18,
      htlc: ["0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265"] }
rules:
  - { id: buy, kind: recurring, from: base_sepolia:eth, to: bitcoin_testnet:btc, amount: "0.001",
      schedule: "* * * * *" }
guards: { max_cost: "1%", max_order: "100 usd" }
`
}

test("no log, journal, answer or command shows a secret of an endpoint's URL", async () => {
  const swap = { from: "base_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.001" }
  const answers: unknown[] = [await daemon.call("POST", "/api/v1/swap", swap)]
  for (const name of [
    "status",
    "overview",
    "balances",
    "orders",
    "rules",
    "plan",
    "decisions",
    "reconciliation",
  ])
    answers.push(await daemon.call("GET", `/api/v1/${name}`))
  answers.push(
    await daemon.call("POST", "/api/v1/reconcile", {}),
    await daemon.call("GET", "/metrics"),
  )
  writeFileSync(
    file,
    configFor(
      `http://${user}:${password}@127.0.0.1:${await freePort()}/planted-other-4715?key=${query}`,
    ),
  )
  answers.push(
    await daemon.call("POST", "/api/v1/reload", {}),
    await daemon.call("GET", "/api/v1/balances"),
  )
  for (const command of ["balances", "plan", "doctor", "check"]) {
    const { stdout, stderr } = await runBallast([command, "--config", file], {
      env: { BALLAST_OPS_TOKEN: READER, READER_TOKEN: READER },
    })
    answers.push(stdout, stderr)
    // The forged line of the node must not begin a line of ours.
    expect(stdout + stderr).not.toMatch(/\p{Cc}(?<![\n\t])|^forged/mu)
  }
  // The daemon keeps a private copy of the configuration file, for commands that meet a broken one.
  const names = readdirSync(join(dir, "data")).filter((name) => name !== "config-in-force.json")
  const stored = names.filter((name) => statSync(join(dir, "data", name)).isFile())
  const journal = stored.map((name) => readFileSync(join(dir, "data", name), "latin1"))
  const texts = [daemon.output(), ...answers.map((answer) => JSON.stringify(answer)), ...journal]
  expect(stored).toContain("journal.db")
  expect(texts.join("")).toContain("127.0.0.1")
  const around = (text: string, at: number): string => text.slice(Math.max(0, at - 120), at + 40)
  const leaks = texts.flatMap((text) =>
    SECRETS.filter((one) => text.includes(one)).map((one) => around(text, text.indexOf(one))),
  )
  expect(leaks).toEqual([])
})

test(
  "the command line changes something over the socket without a token, and the journal names " +
    "the caller",
  async () => {
    const socket = join(dir, "data", "ballast.sock")
    expect(statSync(socket).mode & 0o777).toBe(0o600)
    const paused = await runBallast(["pause", "--rule", "buy", "--config", file])
    expect(paused).toMatchObject({ code: 0, stdout: "buy: paused\n" })
    const resumed = await daemon.call("POST", "/api/v1/resume", { rule: "buy" })
    expect(resumed.status).toBe(200)
    const { stdout } = await runBallast(["why", "buy", "--config", file])
    const byToken = /asked {5}\S+ {2}resume by ops\.token \(127\.0\.0\.1\)/.source
    const bySocket = /asked {5}\S+ {2}pause by ops\.socket \(unix\)/.source
    expect(stdout).toMatch(new RegExp(`${byToken}\n {2}${bySocket}`))
    expect(await callSocket(socket, "GET", "/api/v1/status")).toMatchObject({ status: 200 })
  },
)

test("a token with the scope read changes nothing", async () => {
  const ask = (method: string, at: string) =>
    fetch(`http://127.0.0.1:${port}${at}`, {
      method,
      headers: { authorization: `Bearer ${READER}` },
    })
  expect((await ask("GET", "/api/v1/status")).status).toBe(200)
  expect((await ask("POST", "/api/v1/pause")).status).toBe(403)
  expect(await (await ask("POST", "/api/v1/pause")).text()).toContain("ops.scope")
})

test("guesses are slowed down, and the socket still works", async () => {
  const guess = async () =>
    (
      await fetch(`http://127.0.0.1:${port}/api/v1/status`, {
        headers: { authorization: "Bearer 0000000000000000" },
      })
    ).status
  const found: number[] = []
  await until("a guess is refused at once", async () => {
    found.push(await guess())
    return found.at(-1) === 429
  })
  expect(found.length).toBeLessThan(20)
  expect(
    await callSocket(join(dir, "data", "ballast.sock"), "GET", "/api/v1/status"),
  ).toMatchObject({ status: 200 })
})
