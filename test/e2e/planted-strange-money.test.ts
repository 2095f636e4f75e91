import { writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type Server } from "node:http"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { Overview } from "../../src/core/health/describe-overview.ts"
import { callRpc, chainOf } from "../support/e2e-chain.ts"
import { runBallast } from "../support/e2e-cli.ts"
import { writeE2eConfig } from "../support/e2e-config.ts"
import { listen, stopServer } from "../support/listen.ts"
import {
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  until,
} from "../support/sandbox-process.ts"
import { STRANGE_MONEY_FAULTS, type StrangeFault } from "../support/strange-faults.ts"

const PROMISED_MS = 60_000
const BASE = "base_sepolia:wbtc"
const ETHEREUM = "ethereum_sepolia:wbtc"
const AMOUNT = "0.001"
/** Of each fault: the first phase has two nodes that refuse transactions. */
const NODES = ["readonly_chain", "full_chain"]

describe("a strange fault of money under way", () => {
  const servers: Server[] = []
  const seen = new Map<string, string>()
  const last: Record<string, string> = {}
  let sandbox: SandboxProcess

  const proxy = async (chain: string, refusal: object): Promise<string> => {
    const server = createServer((request, response) => {
      pass(chainOf(sandbox, chain).url, refusal, request).then(
        (body) => response.writeHead(200, { "content-type": "application/json" }).end(body),
        () => response.destroy(),
      )
    })
    servers.push(server)
    return (await listen(server)).url
  }

  const runPhase = async (name: string, patch: Record<string, unknown>, at: readonly string[]) => {
    const health = { check_every: "1s", alarm_after: "5s" }
    // A relay would take its time before the daemon's own transaction meets the token.
    const config = await writeE2eConfig(sandbox, name, { health, ...patch }, { deposit: "onchain" })
    const daemon = startDaemonProcess(config)
    await daemon.ready()
    const faults = STRANGE_MONEY_FAULTS.filter((one) => at.includes(one.at))
    const pairs =
      name === "nodes"
        ? [
            [BASE, ETHEREUM],
            [ETHEREUM, BASE],
          ]
        : [[ETHEREUM, BASE]]
    for (const [from, to] of pairs)
      await daemon.call("POST", "/api/v1/swap", { from, to, amount: AMOUNT })
    const named = async (): Promise<boolean> => {
      // CAST: the daemon's own answer.
      const { problems } = (await daemon.call("GET", "/api/v1/overview")).body as Overview
      for (const fault of faults) {
        const found = problems.find((one) => isNamed(one, fault))
        if (found !== undefined) seen.set(fault.at, found.sentence)
      }
      return faults.every((one) => seen.has(one.at))
    }
    await until("each is named", named, PROMISED_MS).catch(() => undefined)
    last[name] = (await runBallast(["status", "--config", config.file], { env: config.env })).stdout
    const orders = await daemon.call("GET", "/api/v1/orders")
    last[`${name} orders`] = JSON.stringify(orders.body, null, 1)
    await daemon.stop()
  }

  beforeAll(async () => {
    sandbox = await startSandboxProcess(["--chains", "base_sepolia,ethereum_sepolia"])
    const mute = { code: -32_601, message: "the method eth_sendRawTransaction is not available" }
    const full = { code: -32_000, message: "txpool is full" }
    const base = await proxy("base_sepolia", mute)
    const ethereum = await proxy("ethereum_sepolia", full)
    const chains = { base_sepolia: { rpc: [base] }, ethereum_sepolia: { rpc: [ethereum] } }
    await runPhase("nodes", { chains }, NODES)
    await pauseToken(sandbox)
    const rule = { kind: "recurring", schedule: "*/5 * * * * *", from: BASE, to: ETHEREUM }
    const prices = await proxy("base_sepolia", {})
    const source = (asset: string, price: string): object => ({
      asset,
      url: `${prices}/${price}`,
      path: "price",
    })
    await runPhase(
      "rules",
      {
        guards: { max_order: "0.01" },
        prices: {
          trust_service: false,
          sources: [source(BASE, "2000000"), source(ETHEREUM, "100000")],
        },
        rules: [
          { id: "large_rule", ...rule, amount: "0.5" },
          { id: "high_price", ...rule, amount: AMOUNT },
        ],
      },
      STRANGE_MONEY_FAULTS.map(({ at }) => at).filter((at) => !NODES.includes(at)),
    )
    const folder = process.env["STRANGE_DUMP"]
    if (folder !== undefined)
      writeFileSync(join(folder, "money.json"), JSON.stringify(last, null, 1))
  }, 400_000)
  afterAll(async () => {
    await sandbox?.stop()
    for (const server of servers) stopServer(server)
  })

  test.each(STRANGE_MONEY_FAULTS)("$at: $name: the overview and `status` name it", ({ at }) => {
    const sentence = seen.get(at)
    expect(sentence, JSON.stringify(last)).toBeDefined()
  })
})

function isNamed(
  { sentence, todo, command }: Overview["problems"][number],
  { at, says, todo: remedy }: StrangeFault,
): boolean {
  const isAbout = !/rule|price/.test(at) || sentence.includes(at)
  return isAbout && says.test(sentence) && remedy.test(`${todo} ${command ?? ""}`)
}

/** A price for a GET; else the real node's answer, or a refusal of each transaction. */
async function pass(node: string, refusal: object, request: IncomingMessage): Promise<string> {
  if (request.method === "GET") return JSON.stringify({ price: request.url?.slice(1) })
  let text = ""
  for await (const chunk of request) text += String(chunk)
  if (text.includes("eth_sendRawTransaction")) {
    // CAST: a request of JSON-RPC, from our own daemon.
    const asked = JSON.parse(text) as { id: number } | { id: number }[]
    const one = ({ id }: { id: number }): object => ({ jsonrpc: "2.0", id, error: refusal })
    return JSON.stringify(Array.isArray(asked) ? asked.map(one) : one(asked))
  }
  const headers = { "content-type": "application/json" }
  return (await fetch(node, { method: "POST", headers, body: text })).text()
}

/** From now on the token refuses transfers, as a paused one does; all else goes to its code. */
async function pauseToken(sandbox: SandboxProcess): Promise<void> {
  const { url, assets } = chainOf(sandbox, "ethereum_sepolia")
  const token = assets.find(({ id }) => id === ETHEREUM)?.token ?? ""
  const moved = `0x${"77".repeat(20)}`
  const code = await callRpc(url, "eth_getCode", [token, "latest"])
  await callRpc(url, "anvil_setCode", [moved, code])
  const says = Buffer.from("Pausable: paused").toString("hex")
  const text = says.padEnd(64, "0")
  const paused = [
    "5f3560e01c",
    "806323b872dd14604557",
    "63a9059cbb14604557",
    "365f5f37",
    `5f5f365f73${moved.slice(2)}5af4`,
    "3d5f5f3e",
    "604157",
    "3d5ffd",
    "5b3d5ff3",
    `5b7f08c379a0${"0".repeat(56)}5f52`,
    "602060045260106024527f",
    `${text}60445260645ffd`,
  ].join("")
  await callRpc(url, "anvil_setCode", [token, `0x${paused}`])
}
