import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { createServer as createTlsServer } from "node:https"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import type { FurtherFault } from "../support/further-faults.ts"
import {
  OUTSIDE_EXIT_FAULTS,
  OUTSIDE_NODE_FAULTS,
  OUTSIDE_PRICE_FAULTS,
  OUTSIDE_RECEIVER_FAULTS,
  OUTSIDE_SERVICE_FAULTS,
} from "../support/outside-faults.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"

const PROMISED_MS = 60_000
const ASKED = [
  ...OUTSIDE_NODE_FAULTS,
  ...OUTSIDE_SERVICE_FAULTS,
  ...OUTSIDE_PRICE_FAULTS,
  ...OUTSIDE_RECEIVER_FAULTS,
]
/** `doctor` asks nodes and services itself, and the daemon for the rest. */
const DIAGNOSED = [...OUTSIDE_NODE_FAULTS, ...OUTSIDE_SERVICE_FAULTS, ...OUTSIDE_PRICE_FAULTS]
const KEYS = "config/sandbox-keys"
const keyOf = (family: string): string =>
  readFileSync(join(import.meta.dirname, "..", "..", KEYS, family), "utf8").trim()
const EVM_CHAINS = OUTSIDE_NODE_FAULTS.map(({ at }) => at).filter(
  (at) => !/sol_|stark|coin/.test(at),
)
const ENV: Record<string, string> = {
  ...Object.fromEntries(
    EVM_CHAINS.map((at, index) => [`KEY_OF_${at}`, `0x${(index + 16).toString(16).repeat(32)}`]),
  ),
  KEY_OF_sol_chain: keyOf("solana"),
  KEY_OF_stark_chain: keyOf("starknet"),
  KEY_OF_coin_chain: keyOf("bitcoin"),
  KEY_OF_old_coin_chain: "cQeHdDMNRAJH7o1YCKbRsj5cP5ZMkt6GeXk7tC3d36Z2vFAateZb",
  BALLAST_OPS_TOKEN: TOKEN,
}

const STATUSES: Readonly<Record<string, number>> = {
  portal: 302,
  token_desk: 401,
  portal_desk: 302,
}
const BODIES: Readonly<Record<string, string>> = {
  foreign: '{"jsonrpc":"2.0","result":[]}',
  "price-negative": '{"price":-3000}',
  "price-word": '{"price":"soon"}',
  "price-good": '{"price":3000}',
  "price-inverted": '{"price":0.00033333}',
}
const hex = (value: number): string => `0x${value.toString(16)}`
const nowS = (): number => Math.floor(Date.now() / 1_000)

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, name = "", rest = ""] = request.url?.split("/") ?? []
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (name === "mute_desk") return
  const json = { "content-type": "application/json" }
  if (name === "packed_chain")
    return void response.writeHead(200, { ...json, "content-encoding": "gzip" }).end("no gzip")
  if (name.startsWith("drip")) return drip(response)
  const status = STATUSES[name] ?? 200
  const location = status === 302 ? { location: "http://127.0.0.1:9/login" } : {}
  const path = `/${request.url?.split("/").slice(2).join("/") ?? ""}`
  const body =
    BODIES[name] ??
    (name.endsWith("coin_chain")
      ? answerEsplora(name, path)
      : text === ""
        ? "{}"
        : answerCalls(name, rest, text))
  response.writeHead(status, { ...json, ...location }).end(body)
}

function drip(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" })
  response.write("[")
  const timer = setInterval(() => response.write(" "), 1_000)
  response.once("close", () => clearInterval(timer))
}

const SIGNET = "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6"

function answerEsplora(name: string, path: string): string {
  const atS = nowS() - (name === "old_coin_chain" ? 6 * 3_600 : 0)
  const block = { id: "ab".repeat(32), height: 200_000, timestamp: atS }
  if (path === "/block-height/0") return name === "coin_chain" ? "cd".repeat(32) : SIGNET
  if (path === "/blocks/tip/height") return "200000"
  if (path === "/blocks") return JSON.stringify([block])
  if (path.startsWith("/block-height") || path.endsWith("/tip/hash")) return block.id
  if (path.startsWith("/block/")) return JSON.stringify(block)
  return path === "/fee-estimates" ? '{"2":1}' : "[]"
}

const RESULTS: Readonly<Record<string, unknown>> = {
  eth_chainId: hex(84_532),
  getGenesisHash: "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY",
  getSlot: 1_000,
  starknet_chainId: "0x534e5f4d41494e",
}
const DELEGATED = `0xef0100${"ab".repeat(20)}`

function answerCalls(name: string, rest: string, text: string): string {
  const one = (call: unknown): object => {
    // CAST: a request of JSON-RPC, from our own daemon.
    const { id, method } = call as { id: number; method: string }
    const result = resultOf(name, rest, method)
    return { jsonrpc: "2.0", id: name === "mixed_chain" ? id + 7 : id, result }
  }
  const asked: unknown = JSON.parse(text)
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

function resultOf(name: string, rest: string, method: string): unknown {
  if (method === "eth_getBlockByNumber") return name === "null_chain" ? null : blockNow()
  if (method === "eth_getCode") return name === "stolen_chain" ? DELEGATED : "0x"
  if (method === "eth_maxPriorityFeePerGas")
    return rest === "liar" ? hex(9_000_000_000_000) : hex(1_000_000)
  if (method === "eth_feeHistory") return { reward: [], gasUsedRatio: [] }
  if (method === "getBlockTime") return nowS()
  if (/Block/.test(method)) return { block_number: 9, block_hash: "0x9", timestamp: nowS() }
  return RESULTS[method] ?? "0x0"
}

function blockNow(): object {
  return {
    number: hex(nowS()),
    hash: `0x${nowS().toString(16).padStart(64, "a")}`,
    parentHash: `0x${"aa".repeat(32)}`,
    timestamp: hex(nowS()),
    baseFeePerGas: "0x1",
    transactions: [],
  }
}

describe("an outside fault", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-outside-"))
  const file = join(dir, "ballast.yaml")
  const pem = { cert: join(dir, "cert.pem"), key: join(dir, "key.pem") }
  const seen = new Set<string>()
  const alarmed = new Set<string>()
  const said = new Map<string, { run: CliResult; status: CliResult }>()
  const servers: Server[] = []
  let daemon: DaemonProcess
  let overview: Overview
  let status = ""
  let doctor = ""

  const readNamed = async (): Promise<boolean> => {
    // CAST: the daemon's own answer.
    overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
    for (const fault of ASKED) {
      if (isNamed(overview, fault)) seen.add(fault.name)
      if (overview.alarms.some(({ reason }) => reason.code === fault.code)) alarmed.add(fault.code)
    }
    return ASKED.every(({ name, code }) => seen.has(name) && (alarmed.has(code) || isTold(code)))
  }

  beforeAll(async () => {
    const subject = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    const files = ["-keyout", pem.key, "-out", pem.cert, "-days", "2"]
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    execFileSync("openssl", ["req", "-x509", ...curve, ...files, ...subject], { stdio: "ignore" })
    const handle = (request: IncomingMessage, response: ServerResponse): void =>
      void answer(request, response).catch(() => response.destroy())
    const tls = { cert: readFileSync(pem.cert), key: readFileSync(pem.key) }
    servers.push(createServer(handle), createTlsServer(tls, handle))
    for (const server of servers)
      await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", resolve))
    // CAST: a server on TCP has an address with a port.
    const [stub = 0, forged = 0] = servers.map((one) => (one.address() as AddressInfo).port)
    const port = await freePort()
    const config = daemonConfig({ stub, forged, port, dataDir: join(dir, "data") })
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    daemon = startDaemonProcess({ file, port }, ENV)
    await daemon.serves()
    await until("each fault is named", readNamed, PROMISED_MS).catch(() => undefined)
    status = (await runBallast(["status", "--config", file], { env: ENV })).stdout
    const diagnosed = await runBallast(["doctor", "--config", file], {
      env: ENV,
      timeoutMs: 120_000,
    })
    doctor = flat(diagnosed.stdout)
    await daemon.stop()
    for (const fault of OUTSIDE_EXIT_FAULTS) {
      const home = join(dir, fault.at)
      mkdirSync(home, { mode: 0o700 })
      const named = join(home, "ballast.yaml")
      const planted = plantStart(fault.at, home, { stub, pem })
      writeFileSync(named, JSON.stringify(planted), { mode: 0o600 })
      const env = { ...ENV, BALLAST_KEYSTORE_PASSWORD: "wrong" }
      const run = await runBallast(["run", "--config", named], { env, timeoutMs: 30_000 })
      const after = await runBallast(["status", "--config", named], { env })
      said.set(fault.name, { run, status: after })
    }
  }, 500_000)
  afterAll(async () => {
    await daemon?.stop()
    for (const server of servers) {
      server.closeAllConnections()
      server.close()
    }
    rmSync(dir, { recursive: true })
  })

  test.each(ASKED)("$name: the overview, status and an alarm name it", (fault) => {
    const about = overview.problems.filter(({ about }) => about?.includes(fault.at))
    expect(seen, JSON.stringify(about, null, 1)).toContain(fault.name)
    const lines = status.split(/\n(?=[!-] )/).map(flat)
    expect(lines.filter((line) => fault.says.test(line) && fault.todo.test(line))).not.toEqual([])
    if (!isTold(fault.code)) expect([...alarmed]).toContain(fault.code)
  })

  test.each(DIAGNOSED)("$name: doctor names it", ({ at, says }) => {
    const lines = doctor.split(/(?=\b(?:ok|WARN|FAIL|warn|fail) )/)
    expect(
      lines.filter((line) => line.includes(at) && says.test(line)),
      doctor,
    ).not.toEqual([])
  })

  test.each(OUTSIDE_EXIT_FAULTS)("$name: `run` names it, and `status` afterwards", (fault) => {
    const { run, status: after } = said.get(fault.name) ?? {}
    const text = flat(`${run?.stdout}${run?.stderr}`)
    expect(text).toContain(`[${fault.code}]`)
    expect(text).toMatch(fault.says)
    expect(text).toMatch(fault.todo)
    expect(run?.code).toBe(78)
    const told = flat(`${after?.stdout}${after?.stderr}`)
    expect(told).toMatch(fault.says)
    expect(told).toMatch(fault.todo)
  })
})

/** A receiver that takes no alert is no alarm of its own. */
function isTold(code: string): boolean {
  return code === "alerts.undelivered"
}

type Daemon = {
  readonly stub: number
  readonly forged: number
  readonly port: number
  readonly dataDir: string
}

function daemonConfig({ stub, forged, port, dataDir }: Daemon): object {
  const at = (name: string): string => `http://127.0.0.1:${stub}/${name}`
  const urlOf = (name: string): string =>
    /^forged/.test(name) ? `https://127.0.0.1:${forged}/${name}` : at(name)
  const chainOf = (name: string): object => {
    const key = `env:KEY_OF_${name}`
    if (name === "sol_chain") return { preset: "solana_testnet", rpc: [at(name)], key }
    if (name === "stark_chain")
      return {
        family: "starknet",
        chain_id: "SN_SEPOLIA",
        rpc: [at(name)],
        key,
        account: "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265",
      }
    if (/coin/.test(name)) return { family: "bitcoin", network: "signet", esplora: [at(name)], key }
    const url = urlOf(name)
    const urls = ["one", "two", "liar"].map(
      (node, index) => `${url.replace("127.0.0.1", `127.0.0.${index + 1}`)}/${node}`,
    )
    return { family: "evm", chain_id: 84_532, rpc: name === "fee_chain" ? urls : [url], key }
  }
  const NATIVE: Readonly<Record<string, [string, number]>> = {
    sol_chain: ["sol", 9],
    stark_chain: ["strk", 18],
    coin_chain: ["btc", 8],
    old_coin_chain: ["btc", 8],
  }
  const assetOf = (name: string): [string, object] => {
    const [symbol, decimals] = NATIVE[name] ?? ["eth", 18]
    return [`${name}:${symbol}`, { decimals }]
  }
  const source = (chain: string, url: string): object => ({
    asset: `${chain}:eth`,
    url,
    path: "price",
  })
  const names = OUTSIDE_NODE_FAULTS.map(({ at: name }) => name)
  return {
    services: Object.fromEntries(
      OUTSIDE_SERVICE_FAULTS.map(({ at: name }) => [name, { url: urlOf(name) }]),
    ),
    data_dir: dataDir,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(names.map((name) => [name, chainOf(name)])),
    assets: Object.fromEntries(names.map(assetOf)),
    signer: { run: "inside" },
    prices: {
      trust_service: true,
      sources: [
        source("forged_chain", at("price-negative")),
        source("packed_chain", at("price-word")),
        source("drip_chain", at("price-good")),
        source("drip_chain", at("price-good/2")),
        source("drip_chain", at("price-inverted")),
        source("mixed_chain", urlOf("forged-price")),
      ],
    },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: {
      receivers: Object.fromEntries(
        OUTSIDE_RECEIVER_FAULTS.map(({ at: name }) => [name, { kind: "webhook", url: at(name) }]),
      ),
      group_for: "1s",
    },
  }
}

type Start = {
  readonly stub: number
  readonly pem: { readonly cert: string; readonly key: string }
}

/** A configuration that does not start, and the files that it needs for that. */
function plantStart(at: string, home: string, { stub, pem }: Start): object {
  const key = join(home, "key")
  const data = join(home, "data")
  const chain = {
    family: "evm",
    chain_id: 84_532,
    rpc: [`http://127.0.0.1:${stub}/fee_chain`],
    key: `file:${key}`,
  }
  const base = {
    services: { main: { url: `http://127.0.0.1:${stub}/foreign` } },
    data_dir: data,
    chains: { some_chain: chain },
    assets: {
      "some_chain:eth": { decimals: 18 },
      "some_chain:wbtc": { decimals: 8, token: `0x${"12".repeat(20)}` },
    },
    prices: { trust_service: true },
    signer: { run: "inside" },
  }
  const rule = { id: "some", from: "some_chain:eth", to: "some_chain:wbtc", amount: "1" }
  writeFileSync(key, `0x${"4c".repeat(32)}`, { mode: 0o600 })
  switch (at) {
    case "the-node-s-URL-is-a-WebSocket":
      return { ...base, chains: { some_chain: { ...chain, rpc: ["wss://127.0.0.1:1/"] } } }
    case "the-keystore-s-password-is-wrong":
      writeFileSync(key, keystore(), { mode: 0o600 })
      return { ...base, chains: { some_chain: { ...chain, key: `keystore:${key}` } } }
    case "data_dir-is-a-link-to-nowhere":
      symlinkSync(join(home, "nowhere"), data)
      return base
    case "ops-listen-is-not-of-this-machine": {
      const tls = { cert: `file:${pem.cert}`, key: `file:${pem.key}` }
      const ops = { listen: "192.0.2.1:7070", token: "env:BALLAST_OPS_TOKEN", tls }
      return { ...base, assets: { "some_chain:eth": { decimals: 18 } }, ops }
    }
    case "the-key-is-of-Solana-the-chain-of-EVM":
      writeFileSync(key, keyOf("solana"), { mode: 0o600 })
      return base
    case "a-band-s-minimum-is-above-its-maximum": {
      const band = { id: "some", kind: "band", asset: rule.to, sources: [rule.from] }
      return { ...base, rules: [{ ...band, min: "3", target: "2", max: "1", max_cost: "1%" }] }
    }
    default:
      return { ...base, rules: [{ ...rule, kind: "recurring", schedule: "0 9 30 2 *" }] }
  }
}

/** Web3 Secret Storage, whose check no password passes. */
function keystore(): string {
  const kdfparams = { n: 1_024, r: 8, p: 1, dklen: 32, salt: "ab".repeat(32) }
  const cipher = { cipher: "aes-128-ctr", cipherparams: { iv: "cd".repeat(16) } }
  const crypto = { ...cipher, ciphertext: "12".repeat(32), kdf: "scrypt", kdfparams }
  const id = "11111111-1111-4111-8111-111111111111"
  return JSON.stringify({ version: 3, id, crypto: { ...crypto, mac: "00".repeat(32) } })
}

function isNamed({ problems }: Overview, { at, code, says, todo }: FurtherFault): boolean {
  return problems.some(
    (one) =>
      one.code === code &&
      says.test(one.sentence) &&
      todo.test(`${one.todo} ${one.command ?? ""}`) &&
      (one.about === null || one.sentence.includes(at)),
  )
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ")
}
