import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { type CliResult, runBallast } from "../support/e2e-cli.ts"
import { freePort } from "../support/free-port.ts"
import {
  EXIT_FAULTS,
  FILE_FAULTS,
  type FurtherFault,
  NODE_FAULTS,
  PRICE_FAULTS,
  RECEIVER_FAULTS,
  SERVICE_FAULTS,
} from "../support/further-faults.ts"
import { type DaemonProcess, startDaemonProcess, TOKEN, until } from "../support/sandbox-process.ts"
import { canMountDisks, mountSmallDisk, type SmallDisk } from "../support/small-disk.ts"

const KEY = `0x${"4c".repeat(32)}`
/** One chain under several names needs a wallet for each name. */
const KEYS = NODE_FAULTS.map(({ at }, index) => [
  `KEY_OF_${at}`,
  `0x${(index + 16).toString(16).repeat(32)}`,
])
const ENV: Record<string, string> = { ...Object.fromEntries(KEYS), BALLAST_OPS_TOKEN: TOKEN }
const PROMISED_MS = 60_000
const NOWHERE = "http://no-such-host.invalid/"
const ASKED = [...NODE_FAULTS, ...SERVICE_FAULTS, ...PRICE_FAULTS, ...RECEIVER_FAULTS]
const hasDisk = canMountDisks()

/** The first segment of the path names the chain, the service or the price. */
const STATUSES: Readonly<Record<string, number>> = {
  busy_chain: 429,
  unpaid_chain: 402,
  keyless_chain: 401,
  path_chain: 404,
  broken_chain: 500,
  elsewhere_chain: 301,
  refused: 403,
  lost: 404,
  busy: 429,
  ill: 500,
  gone: 502,
  elsewhere: 301,
  "price-404": 404,
  gone_desk: 410,
  heartbeat: 404,
}
const BODIES: Readonly<Record<string, string>> = {
  page_chain: "<html><body>It works!</body></html>",
  "price-page": "<html>Log in</html>",
  "price-zero": '{"price":0}',
  "price-field": '{"prize":3000}',
  "price-good": '{"price":3000}',
  "price-high": '{"price":30000}',
}
const RPC_ERRORS: Readonly<Record<string, object>> = {
  limited_chain: { code: -32_005, message: "daily request count exceeded, request rate limited" },
  method_chain: { code: -32_601, message: "the method is not available" },
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const name = request.url?.split("/")[1] ?? ""
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (name === "cut_chain") return void response.socket?.destroy()
  const status = STATUSES[name] ?? 200
  const location = status === 301 ? { location: "http://127.0.0.1:9/" } : {}
  const body = BODIES[name] ?? (status === 200 && text !== "" ? answerCalls(name, text) : "{}")
  response.writeHead(status, { "content-type": "application/json", ...location }).end(body)
}

function answerCalls(name: string, text: string): string {
  const asked: unknown = JSON.parse(text)
  const one = (call: unknown): object => {
    // CAST: a request of JSON-RPC, from our own daemon.
    const { id, method } = call as { id: number; method: string }
    const error = RPC_ERRORS[name]
    if (error !== undefined) return { jsonrpc: "2.0", id, error }
    if (name === "pruned_chain" && /Balance|Count|Code/.test(method))
      return { jsonrpc: "2.0", id, error: { code: -32_000, message: "missing trie node ab12" } }
    const result =
      method === "eth_chainId" ? "0x14a34" : method.includes("Block") ? blockOf(name) : "0x0"
    return { jsonrpc: "2.0", id, result }
  }
  return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
}

/** A block of 2023, as a node shows that has just begun to synchronise. */
const BLOCK = {
  number: "0x1",
  hash: `0x${"ab".repeat(32)}`,
  parentHash: `0x${"aa".repeat(32)}`,
  timestamp: "0x64000000",
  baseFeePerGas: "0x1",
  transactions: [],
}

function blockOf(name: string): object {
  const nowHex = `0x${Math.floor(Date.now() / 1_000).toString(16)}`
  return name === "pruned_chain" ? { ...BLOCK, timestamp: nowHex } : BLOCK
}

describe("a further fault", () => {
  const dir = mkdtempSync(join(tmpdir(), "ballast-e2e-further-"))
  const file = join(dir, "ballast.yaml")
  const dataDir = join(dir, "data")
  const seen = new Set<string>()
  const said = new Map<string, { run: CliResult; status: CliResult }>()
  let server: Server
  let daemon: DaemonProcess
  let overview: Overview
  let status = ""

  const readNamed = async (faults: readonly FurtherFault[]): Promise<boolean> => {
    // CAST: the daemon's own answer.
    overview = (await daemon.call("GET", "/api/v1/overview")).body as Overview
    for (const fault of faults) if (isNamed(overview, fault)) seen.add(fault.name)
    return faults.every(({ name }) => seen.has(name))
  }
  /** A fault that is not named fails its own test. */
  const waitFor = (faults: readonly FurtherFault[], limitMs: number): Promise<void> =>
    until("each fault is named", () => readNamed(faults), limitMs).catch(() => undefined)

  beforeAll(async () => {
    server = createServer((request, response) => {
      answer(request, response).catch(() => response.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    // CAST: a server on TCP has an address with a port.
    const { port: stub } = server.address() as AddressInfo
    const port = await freePort()
    const config = daemonConfig({ stub, port, dataDir })
    const text = JSON.stringify(config)
    writeFileSync(file, text, { mode: 0o600 })
    daemon = startDaemonProcess({ file, port }, ENV)
    await daemon.serves()
    await waitFor(ASKED, PROMISED_MS)
    status = (await runBallast(["status", "--config", file], { env: ENV })).stdout
    const plant: Record<string, () => void> = {
      "half-edited": () => writeFileSync(file, text.slice(0, -20)),
      "config-deleted": () => rmSync(file),
      "config-open": () => chmodSync(file, 0o666),
      "data-dir-open": () => chmodSync(dataDir, 0o755),
    }
    for (const fault of FILE_FAULTS) {
      plant[fault.at]?.()
      await waitFor([fault], 12_000)
      writeFileSync(file, text, { mode: 0o600 })
      chmodSync(file, 0o600)
      chmodSync(dataDir, 0o700)
    }
    await daemon.stop()
    for (const fault of EXIT_FAULTS) {
      const home = join(dir, fault.at)
      mkdirSync(home, { mode: 0o700 })
      const planted = plantStart(fault.at, home, { stub, journal: join(dataDir, "journal.db") })
      const named = join(home, "ballast.yaml")
      writeFileSync(named, planted.text, { mode: 0o600 })
      const env = { ...ENV, ...planted.env }
      try {
        const run = await runBallast(["run", "--config", named], { env, timeoutMs: 30_000 })
        const after = await runBallast(["status", "--config", named], { env })
        said.set(fault.name, { run, status: after })
      } finally {
        planted.disk?.unmount()
      }
    }
  }, 500_000)
  afterAll(async () => {
    await daemon?.stop()
    server?.closeAllConnections()
    server?.close()
    rmSync(dir, { recursive: true })
  })

  test.each(ASKED)("$name: the overview and status name it with its remedy", (fault) => {
    const about = overview.problems.filter(({ about }) => about?.includes(fault.at))
    expect(seen, JSON.stringify(about, null, 1)).toContain(fault.name)
    const lines = status.split(/\n(?=[!-] )/).map(flat)
    expect(lines.filter((line) => fault.says.test(line) && fault.todo.test(line))).not.toEqual([])
  })

  test.each(FILE_FAULTS)("$name: the overview names it with its remedy", ({ name }) => {
    expect(seen).toContain(name)
  })

  test.each(EXIT_FAULTS)("$name: `run` names it, and `status` afterwards", (fault) => {
    if (!hasDisk && fault.code.startsWith("system.disk")) return
    const { run, status: after } = said.get(fault.name) ?? {}
    const text = flat(`${run?.stdout}${run?.stderr}`)
    expect(text).toContain(`[${fault.code}]`)
    expect(text).toMatch(fault.says)
    expect(text).toMatch(fault.todo)
    expect(run?.code).toBe(fault.code.startsWith("system.") ? 75 : 78)
    const told = flat(`${after?.stdout}${after?.stderr}`)
    expect(told).toMatch(fault.says)
    expect(told).toMatch(fault.todo)
  })
})

type Daemon = { readonly stub: number; readonly port: number; readonly dataDir: string }

function daemonConfig({ stub, port, dataDir }: Daemon): object {
  const at = (name: string): string => `http://127.0.0.1:${stub}/${name}`
  const urlOf = (name: string): string => {
    if (name === "name_chain" || name === "unnamed") return NOWHERE
    return name === "tls_chain" ? `https://127.0.0.1:${stub}/` : at(name)
  }
  const chains = NODE_FAULTS.map(({ at: name }) => [
    name,
    { family: "evm", chain_id: 84_532, rpc: [urlOf(name)], key: `env:KEY_OF_${name}` },
  ])
  const source = (chain: string, name: string): object => ({
    asset: `${chain}:eth`,
    url: at(name),
    path: "price",
  })
  return {
    services: Object.fromEntries(
      SERVICE_FAULTS.map(({ at: name }) => [name, { url: urlOf(name) }]),
    ),
    data_dir: dataDir,
    ops: { listen: `127.0.0.1:${port}`, token: "env:BALLAST_OPS_TOKEN" },
    chains: Object.fromEntries(chains),
    assets: Object.fromEntries(
      NODE_FAULTS.map(({ at: name }) => [`${name}:eth`, { decimals: 18 }]),
    ),
    signer: { run: "inside" },
    prices: {
      trust_service: true,
      sources: [
        source("busy_chain", "price-404"),
        source("unpaid_chain", "price-page"),
        source("keyless_chain", "price-zero"),
        source("path_chain", "price-field"),
        source("page_chain", "price-good"),
        source("page_chain", "price-good/2"),
        source("page_chain", "price-high"),
        source("young_chain", "price-good"),
        source("young_chain", "ill"),
      ],
    },
    health: { check_every: "1s", alarm_after: "5s" },
    alerts: {
      receivers: { gone_desk: { kind: "webhook", url: at("gone_desk") } },
      group_for: "1s",
      heartbeat: { url: at("heartbeat"), every: "1s" },
    },
  }
}

type Planted = {
  readonly text: string
  readonly env?: Record<string, string>
  readonly disk?: SmallDisk
}

/** A configuration that does not start, and the files that it needs for that. */
function plantStart(
  at: string,
  home: string,
  { stub, journal }: { readonly stub: number; readonly journal: string },
): Planted {
  const key = join(home, "key")
  const base = {
    services: { main: { url: `http://127.0.0.1:${stub}/ill` } },
    data_dir: join(home, "data"),
    chains: {
      some_chain: {
        family: "evm",
        chain_id: 84_532,
        rpc: [`http://127.0.0.1:${stub}/broken_chain`],
        key: `file:${key}`,
      },
    },
    assets: { "some_chain:eth": { decimals: 18 } },
    prices: { trust_service: true },
    signer: { run: "inside" },
  }
  const write = (text: string, mode = 0o600): void => {
    writeFileSync(key, text)
    chmodSync(key, mode)
  }
  const given = (more: object): Planted => ({ text: JSON.stringify({ ...base, ...more }) })
  if (at !== "the-key-s-file-is-missing") write(KEY)
  switch (at) {
    case "the-key-s-file-is-empty":
      write("\n")
      return given({})
    case "others-can-change-the-key-s-file":
      write(KEY, 0o622)
      return given({})
    case "the-key-has-31-bytes":
      write(`0x${"4c".repeat(31)}`)
      return given({})
    case "the-keystore-has-no-password": {
      const chain = { ...base.chains.some_chain, key: `keystore:${key}` }
      return given({ chains: { some_chain: chain } })
    }
    case "the-token-is-not-in-the-environment":
      return given({ ops: { listen: "127.0.0.1:0", token: "env:NO_SUCH_TOKEN" } })
    case "data_dir-is-a-file":
      return given({ data_dir: key })
    case "ops-listen-has-an-impossible-port":
      return given({ ops: { listen: "127.0.0.1:70000", token: "env:BALLAST_OPS_TOKEN" } })
    case "the-file-is-no-YAML":
      return { text: `data_dir: ${base.data_dir}\nchains: {\n  a: [\n` }
    case "a-key-is-unknown": {
      const { chains, ...rest } = base
      return { text: JSON.stringify({ ...rest, chian: chains }) }
    }
    case "the-journal-is-of-a-newer-version": {
      mkdirSync(base.data_dir, { mode: 0o700 })
      copyFileSync(journal, join(base.data_dir, "journal.db"))
      const db = new DatabaseSync(join(base.data_dir, "journal.db"))
      db.exec("pragma user_version = 9999")
      db.close()
      return given({})
    }
    case "the-disk-is-read-only":
    case "the-disk-is-full": {
      if (!hasDisk) return given({})
      const disk = mountSmallDisk("2m")
      if (at === "the-disk-is-full") disk.fill()
      else disk.makeReadOnly()
      return { ...given({ data_dir: disk.dir }), disk }
    }
    default:
      return given({})
  }
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
