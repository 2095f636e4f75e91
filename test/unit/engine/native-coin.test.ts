import { beforeEach, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { type Asset, type AssetId, chainOf } from "#domain/asset.ts"
import { type EngineContext, walletsOf } from "#engine/context.ts"
import { type Admission, admitSwap } from "#engine/rules/admission.ts"
import type { Limits } from "#guards/limits.ts"
import type { PricePort } from "#ports/prices.ts"
import { createFakeChain } from "../../support/fake-chain.ts"
import { createFakeLedger, HTLC } from "../../support/fake-ledger.ts"
import {
  BTC,
  createWorld,
  SNBTC,
  STRK,
  type StartOptions,
  type World,
} from "../../support/fake-world.ts"

/** The network fees of these orders are large beside their amounts. */
const ANY_COST: NonNullable<StartOptions["policy"]> = {
  maxCost: { kind: "fiat", fiat: 10n ** 15n },
}

const FIAT = 1_000_000n
const STARKNET = chainOf(STRK)
/** The native coin is a token here, written without the leading zero of the token's address. */
const STRK_TOKEN = (familyNamed("starknet").traits.nativeCoin.token ?? "").replace("0x0", "0x")
const ASSETS: readonly Asset[] = [asset(STRK, STRK_TOKEN), asset(SNBTC, "0x5555")]

let world: World
beforeEach(() => {
  world = createWorld()
})

test("the network fees of a Starknet order count in max_fees", async () => {
  const context = startWithStarknet({
    limits: { windows: [{ ...WINDOW, maxFeesFiat: 23n * FIAT }] },
  })
  // 30 bps of 1334 are 4, and deposit and refund cost 10 STRK each.
  expect(codes(await ask(context, 1_334n))).toEqual(["limit.window_fees"])
  expect(codes(await ask(context, 1_000n))).toEqual([])
  expect(context.journal.sumWindow(0, SNBTC, null).feesFiat).toBe(23n * FIAT)
})

test("a Starknet token is not sold when the STRK for its fees is missing", async () => {
  expect(codes(await ask(startWithStarknet({ strkUnits: 19n }), 1_000n))).toEqual(["funds.gas"])
  expect(codes(await ask(startWithStarknet({ strkUnits: 20n }), 1_000n))).toEqual([])
})

test("min_native of Starknet stays in the wallet", async () => {
  const minNative = new Map([[STARKNET, 5n]])
  expect(codes(await ask(startWithStarknet({ strkUnits: 24n, minNative }), 1_000n))).toEqual([
    "funds.gas",
  ])
  expect(codes(await ask(startWithStarknet({ strkUnits: 25n, minNative }), 1_000n))).toEqual([])
})

test("an order that sells STRK leaves its own fees in the wallet", async () => {
  const context = startWithStarknet({ strkUnits: 1_019n })
  expect(codes(await ask(context, 1_000n, STRK))).toEqual(["funds.insufficient"])
  expect(codes(await ask(context, 999n, STRK))).toEqual([])
})

test("the books take fees in the same coin", () => {
  expect(walletsOf(startWithStarknet({})).nativeOf(STARKNET)).toBe(STRK)
})

const WINDOW = { perMs: 3_600_000, max: null, maxFeesFiat: null, maxCount: null }
const PRICES: PricePort = { fetchPrice: async () => ({ fiat: FIAT * 10n ** 8n, sources: 1 }) }

function startWithStarknet({
  limits = {},
  strkUnits = 1_000_000n,
  minNative = new Map(),
}: {
  limits?: Partial<Limits>
  strkUnits?: bigint
  minNative?: EngineContext["settings"]["minNative"]
}): EngineContext {
  const { context } = world.start({ prices: PRICES, policy: ANY_COST })
  const ledger = createFakeLedger("account", STRK, {
    balances: { [STRK]: strkUnits, [SNBTC]: 1_000_000n },
    outpoints: [],
  })
  const options = {
    chain: STARKNET,
    ledger,
    assets: ASSETS,
    confirmations: 1,
    signatures: world.signatures,
  }
  const port = createFakeChain({ ...options, family: "starknet" })
  const assets = new Map([
    ...context.settings.assets,
    ...ASSETS.map((entry) => [entry.id, entry] as const),
  ])
  return {
    ...context,
    chains: new Map([...context.chains, [STARKNET, port]]),
    settings: {
      ...context.settings,
      assets,
      minNative,
      limits: { ...context.settings.limits, ...limits },
    },
  }
}

function ask(
  context: EngineContext,
  sourceUnits: bigint,
  from: AssetId = SNBTC,
): Promise<Admission> {
  return admitSwap(context, { rule: "manual", occurrence: null, from, to: BTC, sourceUnits })
}

function codes(admission: Admission): string[] {
  return admission.ok ? [] : admission.reasons.map(({ code }) => code)
}

function asset(id: AssetId, token: string): Asset {
  return { id, chain: chainOf(id), decimals: 8, token, htlc: [HTLC] }
}
