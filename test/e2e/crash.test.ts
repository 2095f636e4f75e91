import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { acceptAndDie, restartUntilDone } from "../support/kill-after-commits.ts"
import { readBalance } from "../support/read-balance.ts"
import {
  type SandboxProcess,
  startSandboxProcess,
  writeDaemonConfig,
} from "../support/sandbox-process.ts"

/**
 * Each family as source and as destination, with each kind of deposit that it has. Distinct amounts
 * identify the orders.
 */
const ROUTES: readonly CrashRoute[] = [
  route("bitcoin_testnet:btc", "base_sepolia:wbtc", "onchain", "0.00101"),
  route("base_sepolia:wbtc", "bitcoin_testnet:btc", "onchain", "0.00102"),
  route("base_sepolia:wbtc", "solana_testnet:sol", "gasless", "0.00103"),
  route("base_sepolia:eth", "starknet_sepolia:wbtc", "onchain", "0.0254"),
  route("solana_testnet:sol", "base_sepolia:wbtc", "onchain", "0.505"),
  route("solana_testnet:usdc", "base_sepolia:wbtc", "onchain", "101.5"),
  route("base_sepolia:wbtc", "solana_testnet:usdc", "gasless", "0.00108"),
  route("starknet_sepolia:wbtc", "base_sepolia:wbtc", "onchain", "0.00106"),
  route("starknet_sepolia:wbtc", "base_sepolia:wbtc", "gasless", "0.00107"),
]

/**
 * The newer shapes of the wire change the deposit requests, and above all those of the gasless
 * deposits and of Solana.
 */
const ROUTES_2026: readonly CrashRoute[] = [
  route("starknet_sepolia:wbtc", "solana_testnet:usdc", "gasless", "0.00111"),
  route("base_sepolia:wbtc", "starknet_sepolia:wbtc", "gasless", "0.00112"),
  route("solana_testnet:usdc", "base_sepolia:wbtc", "onchain", "101.6"),
  route("solana_testnet:usdc", "base_sepolia:wbtc", "gasless", "101.7"),
]

/**
 * One route of each family runs with a signer process; every start of one takes a second, and each
 * route starts dozens.
 */
const WITH_SIGNER: readonly CrashRoute[] = [...ROUTES.slice(0, 1), ...ROUTES_2026]

type CrashRoute = {
  from: string
  to: string
  deposit: "onchain" | "gasless"
  amount: string
  units: bigint
}

function route(
  from: string,
  to: string,
  deposit: CrashRoute["deposit"],
  amount: string,
): CrashRoute {
  const decimals =
    { btc: 8, wbtc: 8, eth: 18, sol: 9, usdc: 6 }[from.split(":")[1] ?? ""] ?? Number.NaN
  const [whole = "", fraction = ""] = amount.split(".")
  return { from, to, deposit, amount, units: BigInt(whole + fraction.padEnd(decimals, "0")) }
}

/**
 * The network fees of tokens are paid in another coin, so a token balance decreases by the exact
 * amount.
 */
const NATIVE_FEES: Record<string, bigint> = {
  "bitcoin_testnet:btc": 20_000n,
  "base_sepolia:eth": 10n ** 16n,
  "solana_testnet:sol": 5_000_000n,
}

test("the routes have every family on both sides, tokens of Solana too, and every kind of deposit", () => {
  const kinds = (side: "from" | "to"): Set<string> =>
    new Set(
      ROUTES.map((each) =>
        each[side] === "solana_testnet:usdc" ? each[side] : (each[side].split(":")[0] ?? ""),
      ),
    )
  const all = [
    "bitcoin_testnet",
    "base_sepolia",
    "solana_testnet",
    "solana_testnet:usdc",
    "starknet_sepolia",
  ]
  expect([...kinds("from")].sort()).toEqual([...all].sort())
  expect([...kinds("to")].sort()).toEqual([...all].sort())
  const deposits = new Set(ROUTES.map(({ from, deposit }) => `${from} ${deposit}`))
  for (const chain of ["base_sepolia", "starknet_sepolia"])
    for (const deposit of ["onchain", "gasless"])
      expect(deposits).toContain(`${chain}:wbtc ${deposit}`)
})

describe.for([
  { dialect: "contract", routes: ROUTES },
  { dialect: "2026", routes: ROUTES_2026 },
])(
  "a daemon that is killed after every journal commit of an order, dialect $dialect",
  ({ dialect, routes }) => {
    let sandbox: SandboxProcess
    beforeAll(async () => {
      sandbox = await startSandboxProcess(["--dialect", dialect])
      expect(sandbox.missing).toEqual([])
    }, 180_000)
    afterAll(() => sandbox?.stop())

    test.for(routes)(
      "completes $from → $to ($deposit) with one deposit",
      { timeout: 300_000 },
      async (each) => {
        const only = [each.from, each.to].map((asset) => asset.split(":")[0] ?? "")
        const config = await writeDaemonConfig(
          sandbox,
          `crash-${routes.indexOf(each)}`,
          WITH_SIGNER.includes(each) ? {} : { signer: { run: "inside" } },
          { deposit: each.deposit, only },
        )
        const before = await balance(each.from)
        const id = await acceptAndDie(config, each)
        const { order, deaths } = await restartUntilDone(config, id)
        expect(order).toMatchObject({
          outcome: "completed",
          deposit: each.deposit,
          deposited: true,
          amountUnits: each.units.toString(),
        })
        // The steps until a call leaves share a commit (ADR 43).
        expect(deaths).toBeGreaterThan(6)
        expect(await listFunded(each)).toEqual([{ version: "v3" }])
        const fees = before - (await balance(each.from)) - each.units
        expect(fees).toBeGreaterThanOrEqual(0n)
        expect(fees).toBeLessThanOrEqual(NATIVE_FEES[each.from] ?? 0n)
      },
    )

    async function balance(asset: string): Promise<bigint> {
      const chain = sandbox.chains.find(({ name }) => name === asset.split(":")[0])
      if (!chain) throw new Error(`no chain for ${asset}`)
      return readBalance(chain, asset)
    }

    /**
     * The funded orders of this amount in the records of the service, with the version of the
     * contracts.
     */
    async function listFunded({ from, units }: CrashRoute): Promise<{ version: string }[]> {
      const answer = await fetch(`${sandbox.service}/sandbox/orders`)
      type Stored = {
        version: string
        source: { swap: { asset: string; units: string }; seen: { initiated: unknown } }
      }
      const { orders } = (await answer.json()) as { orders: Stored[] }
      return orders
        .filter(
          ({ source: { swap, seen } }) =>
            swap.asset === from && swap.units === units.toString() && seen.initiated,
        )
        .map(({ version }) => ({ version }))
    }
  },
)
