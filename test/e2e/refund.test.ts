import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { showRescue } from "../../src/app/cli/actions/orders/show-rescue.ts"
import { mustExist } from "../../src/core/lib/assert.ts"
import { systemClock } from "../../src/core/lib/clock.ts"
import type { OrderView } from "../../src/core/order/view.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  type DaemonProcess,
  type SandboxProcess,
  startDaemonProcess,
  startSandboxProcess,
  stopAll,
  until,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

type Route = {
  readonly from: string
  readonly to: string
  readonly amount: string
  readonly fees: bigint
}

/**
 * Every family, tokens and native coins, direct and relayed deposits. The EVM chain is Ethereum,
 * because its timelock has the fewest blocks. `fees` is the maximum of the network fees.
 */
const SHOWN = { asked: null, encrypt: null, passwordStdin: false }
const ROUTES: readonly Route[] = [
  { from: "bitcoin_testnet:btc", to: "ethereum_sepolia:wbtc", amount: "0.003", fees: 40_000n },
  { from: "ethereum_sepolia:eth", to: "bitcoin_testnet:btc", amount: "0.05", fees: 10n ** 16n },
  { from: "solana_testnet:sol", to: "ethereum_sepolia:wbtc", amount: "1", fees: 10_000_000n },
  { from: "solana_testnet:usdc", to: "ethereum_sepolia:wbtc", amount: "300", fees: 0n },
  { from: "starknet_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.003", fees: 0n },
  { from: "ethereum_sepolia:wbtc", to: "bitcoin_testnet:btc", amount: "0.003", fees: 0n },
]

/** The families with older generations of contracts. */
const VERSIONED_ROUTES: readonly Route[] = [
  { from: "ethereum_sepolia:eth", to: "starknet_sepolia:wbtc", amount: "0.05", fees: 10n ** 16n },
  { from: "starknet_sepolia:wbtc", to: "ethereum_sepolia:wbtc", amount: "0.003", fees: 0n },
  { from: "ethereum_sepolia:wbtc", to: "starknet_sepolia:wbtc", amount: "0.003", fees: 0n },
]

/** The layouts of the live contracts, and those of the two older generations. */
const CASES = [
  {
    contracts: "v3",
    chains: "bitcoin_testnet,ethereum_sepolia,solana_testnet,starknet_sepolia",
    routes: ROUTES,
  },
  { contracts: "v2", chains: "ethereum_sepolia,starknet_sepolia", routes: VERSIONED_ROUTES },
  { contracts: "v1", chains: "ethereum_sepolia,starknet_sepolia", routes: VERSIONED_ROUTES },
] as const

/**
 * This is not the order's id on chain, because a refund must not depend on the id that the service
 * reports.
 */
const FALSE_SWAP_ID = { mutateOrder: { source_swap: { swap_id: "5".repeat(64) } } }

describe.for(CASES)(
  "a service that stops directly after the deposit, contracts $contracts",
  ({ contracts, chains, routes }) => {
    let sandbox: SandboxProcess
    let daemon: DaemonProcess
    let config: { file: string; port: number }
    let orders: readonly { readonly id: string; readonly route: Route }[]
    const before = new Map<string, bigint>()
    const rescues = new Map<string, Rescue>()

    beforeAll(async () => {
      sandbox = await startSandboxProcess(["--chains", chains, "--contracts", contracts])
      expect(sandbox.missing).toEqual([])
      for (const { from } of routes) before.set(from, await balance(from))
      config = await writeDaemonConfig(sandbox, "refund")
      daemon = startDaemonProcess(config)
      await daemon.ready()
    }, 90_000)
    afterAll(() => stopAll(daemon, sandbox))

    test("receives the deposits and stops, and the daemon is killed", {
      timeout: 90_000,
    }, async () => {
      await setFaults([{ lapse: true }])
      const honest = await Promise.all(routes.slice(0, -1).map(open))
      await untilDeposited(honest.map(({ id }) => id))
      await setFaults([{ lapse: true }, FALSE_SWAP_ID])
      const last = await open(mustExist(routes.at(-1), "a last route"))
      await untilDeposited([last.id])
      orders = [...honest, last]
      await setFaults([{ lapse: true }, { drop: true }])
      daemon.child.kill("SIGKILL")
      await daemon.exited
      for (const { id, route } of orders) {
        expect(await balance(route.from)).toBeLessThan(before.get(route.from) ?? 0n)
        rescues.set(route.from, await rescue(id))
      }
      expect(await listFundedVersions()).toEqual(Array(routes.length).fill(contracts))
      daemon = startDaemonProcess(config)
      await daemon.ready()
    })

    test("causes alerts before the timelock ends, and no refund yet", {
      timeout: 60_000,
    }, async () => {
      await advance(0.8)
      for (const { id, route } of orders) {
        await until(`${route.from} has an alert`, async () =>
          codesOf(await daemon.order(id)).includes("alarm.refund_watch"),
        )
        const order = await daemon.order(id)
        expect(order.outcome).toBeNull()
        expect(refundsOf(order)).toEqual([])
      }
    })

    test("cannot keep the funds: each refund arrives once", { timeout: 90_000 }, async () => {
      await advance(0.25)
      for (const { id, route } of orders) {
        await until(
          `${route.from} is refunded`,
          async () => (await daemon.order(id)).outcome === "refunded",
          80_000,
        )
        const order = await daemon.order(id)
        expect(refundsOf(order)).toHaveLength(1)
        expect(order.refundTx).toBe(refundsOf(order)[0]?.tx)
      }
      for (const { from, fees } of routes) {
        const lost = (before.get(from) ?? 0n) - (await balance(from))
        expect(lost, from).toBeGreaterThanOrEqual(0n)
        expect(lost, from).toBeLessThanOrEqual(fees)
      }
      expect(await countEvmRefunds()).toBe(
        routes.filter(({ from }) => from.startsWith("ethereum_")).length,
      )
    })

    test("is not needed by `rescue` either, which printed the same refunds that were mined", {
      timeout: 30_000,
    }, async () => {
      for (const { id, route } of orders) {
        const { initiateTx, refundTx } = rescues.get(route.from)?.source ?? {}
        expect([initiateTx, refundTx], route.from).toEqual([
          (await daemon.order(id)).depositTx,
          null,
        ])
      }
      for (const { from } of routes) await checkPrinted(from, rescues.get(from)?.refund ?? {})
    })

    /** Compares the refund that `rescue` printed with the one that was mined. */
    async function checkPrinted(from: string, printed: Record<string, unknown>): Promise<void> {
      const tx = await refundTxOf(from)
      const { family } = chainOf(from)
      if (family === "bitcoin") {
        const [, leaf, block] = await readWitness(tx)
        expect([leaf, block]).toEqual([printed["refundLeaf"], printed["controlBlock"]])
      } else if (family === "evm") {
        // CAST: the shape of a transaction.
        const call = (await callNode(from, "eth_getTransactionByHash", [`0x${bare(tx)}`])) as {
          to: string
          input: string
        }
        expect(printed["to"]).toMatch(new RegExp(call.to, "i"))
        // CAST: the recipe of the EVM family.
        expect((printed["calls"] as { data: string }[]).map(({ data }) => data)).toContain(
          call.input,
        )
      } else if (family === "solana") {
        expect(printed).toMatchObject({ program: expect.any(String), data: "0260b7fb3fd02e2e" })
        expect(printed["accounts"]).toHaveLength(from.endsWith(":sol") ? 2 : 6)
      } else {
        expect(printed).toMatchObject({
          entrypoint: "refund",
          calldata: [expect.stringMatching(/^0x/)],
        })
        // CAST: the shape of an invoke transaction.
        const { calldata } = (await callNode(from, "starknet_getTransactionByHash", [tx])) as {
          calldata: string[]
        }
        // CAST: the recipe of the Starknet family.
        const orderId = BigInt((printed["calldata"] as string[])[0] ?? 0)
        expect(calldata.map(BigInt)).toContain(orderId)
      }
    }

    /**
     * Runs `rescue` without the daemon, without the service, and without a key in the environment.
     */
    async function rescue(id: string): Promise<Rescue> {
      const printed: string[] = []
      const print = (text: string): void => void printed.push(text)
      const context = {
        config: config.file,
        env: {},
        clock: systemClock,
        print,
        terminal: false,
        columns: null,
        interactive: false,
        ask: async () => "",
        redraw: () => undefined,
        progress: () => undefined,
        sandbox: false,
        tell: () => {},
        warn: () => {},
        commands: [],
      }
      expect(await showRescue({ ...context, json: false }, id, SHOWN)).toBe(0)
      expect(printed.join("\n")).toContain("Refund without Ballast")
      expect(await showRescue({ ...context, json: true }, id, SHOWN)).toBe(0)
      return JSON.parse(printed.at(-1) ?? "") as Rescue
    }

    async function refundTxOf(from: string): Promise<string> {
      const order = orders.find(({ route }) => route.from === from)
      return (await daemon.order(order?.id ?? "")).refundTx ?? ""
    }

    async function readWitness(txid: string): Promise<string[]> {
      const answer = await fetch(`${chainOf("bitcoin_testnet:btc").url}/tx/${txid}`)
      const { vin } = (await answer.json()) as { vin: { witness: string[] }[] }
      return vin[0]?.witness ?? []
    }

    async function open(route: Route): Promise<{ id: string; route: Route }> {
      const { from, to, amount } = route
      const answer = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
      expect(answer.status, JSON.stringify(answer.body)).toBe(202)
      return { id: (answer.body as { id: string }).id, route }
    }

    async function untilDeposited(ids: readonly string[]): Promise<void> {
      for (const id of ids)
        await until("the deposit is on chain", async () => (await daemon.order(id)).deposited)
    }

    async function setFaults(faults: readonly object[]): Promise<void> {
      await post("/sandbox/faults", faults)
    }

    /** Advances every chain by a share of its source timelock. */
    async function advance(share: number): Promise<void> {
      const answer = await fetch(`${sandbox.service}/sandbox/info`)
      const { chains } = (await answer.json()) as {
        chains: { name: string; timelocks: { source: number } }[]
      }
      await Promise.all(
        chains.map(({ name, timelocks }) =>
          post("/sandbox/advance", { chain: name, blocks: Math.ceil(timelocks.source * share) }),
        ),
      )
    }

    async function post(path: string, body: unknown): Promise<void> {
      const answer = await fetch(`${sandbox.service}${path}`, {
        method: "POST",
        body: JSON.stringify(body),
      })
      expect(answer.status, await answer.clone().text()).toBe(200)
    }

    async function balance(asset: string): Promise<bigint> {
      return readBalance(chainOf(asset), asset)
    }

    function chainOf(asset: string): SandboxProcess["chains"][number] {
      const chain = sandbox.chains.find(({ name }) => name === asset.split(":")[0])
      if (!chain) throw new Error(`no chain for ${asset}`)
      return chain
    }

    /** `Refunded(bytes32)` of any contract (keccak-256 of the signature). */
    async function countEvmRefunds(): Promise<number> {
      const topic = "0xfe509803c09416b28ff3d8f690c8b0c61462a892c46d5430c8fb20abe472daf0"
      const logs = await callNode("ethereum_sepolia:wbtc", "eth_getLogs", [
        { fromBlock: "0x0", toBlock: "latest", topics: [topic] },
      ])
      return (logs as unknown[]).length
    }

    /** The versions of the contracts in the service's records of its funded orders. */
    async function listFundedVersions(): Promise<string[]> {
      const answer = await fetch(`${sandbox.service}/sandbox/orders`)
      // CAST: the sandbox's own records.
      const { orders: stored } = (await answer.json()) as {
        orders: { version: string; source: { seen: { initiated: unknown } } }[]
      }
      return stored
        .filter(({ source }) => source.seen.initiated !== null)
        .map(({ version }) => version)
    }

    async function callNode(asset: string, method: string, params: unknown[]): Promise<unknown> {
      const answer = await fetch(chainOf(asset).url, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
      })
      return ((await answer.json()) as { result: unknown }).result
    }
  },
)

type Rescue = { source: Record<string, unknown>; refund: Record<string, unknown> }

function bare(hash: string): string {
  return hash.replace(/^0x/, "")
}

function codesOf(order: OrderView): string[] {
  return order.reasons.map(({ code }) => code)
}

function refundsOf(order: OrderView): { tx: string }[] {
  return order.transactions.filter(({ purpose }) => purpose === "refund")
}
