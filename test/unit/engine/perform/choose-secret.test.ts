import { beforeEach, expect, test } from "vitest"
import { chainOf } from "#domain/asset.ts"
import type { SecretMode } from "#domain/order.ts"
import { chooseSecret } from "#engine/orders/deposit/choose-secret.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { Secret } from "#lib/secret.ts"
import { createSecretKeeper } from "#lib/secret-keeper.ts"
import type { OrderData } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"
import { SAMPLE } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const keeper = createSecretKeeper(new Secret("5e".repeat(32), "env:SECRET_KEY"), "test")

type Scene = {
  readonly mode?: SecretMode
  readonly hasKey?: boolean
  readonly isOurs?: boolean
  readonly redeemFee?: bigint | null
  readonly units?: bigint
  readonly paysFromPayout?: boolean
  readonly most?: bigint | null
  readonly over?: Partial<OrderData>
}
let reserved: bigint
beforeEach(() => {
  reserved = 40n
})

/** `ours` with the extras of the payout's chain, `theirs`, or the codes of a refusal. */
async function choose(scene: Scene): Promise<string> {
  const { mode = "own", hasKey = true, isOurs = true, redeemFee = 2n, units = 147n } = scene
  const { paysFromPayout = false, most = null, over = {} } = scene
  const data = sampleData({}, over)
  const to = chainOf(data.request.to)
  // Fifty times a fee of 2 and a least balance of 7 are kept for the one order in flight.
  const chain = {
    chain: to,
    account: "us",
    traits: { refundFeeTakenFromAmount: paysFromPayout },
    sameAddress: () => isOurs,
    estimateRedeemFee: async () => redeemFee,
    capRedeemFee: () => null,
    destinationExtras: { delegate: "key" },
    native: { fetchNativeBalance: async () => units, fetchLeastBalance: async () => 7n },
  }
  const journal = { countPaidOn: () => 1, sumReservedFees: () => reserved }
  const job = sampleJob(data, { journal })
  const { assets } = job.context.settings
  const payout = { chain: to, id: data.request.to, token: null, htlc: ["htlc"] }
  // CAST: only these parts of the context are used.
  const context = {
    ...job.context,
    // CAST: and of the port.
    chains: new Map([[to, chain as unknown as ChainPort]]),
    settings: {
      ...job.context.settings,
      assets: new Map<string, object>([...assets, [data.request.to, payout]]),
      ownSecrets: {
        keeper: hasKey ? keeper : null,
        modeOf: () => mode,
        maxServiceSecret: most === null ? null : { kind: "fiat", fiat: most },
      },
    },
  } as unknown as Job["context"]
  const chosen = await chooseSecret({ ...job, context })
  if ("refused" in chosen) return chosen.refused.map(({ code }) => code).join()
  if (chosen.ownSecret === undefined) return "theirs"
  expect(chosen.ownSecret.hash).toBe(keeper.hashOf({ service: "main", nonce: data.nonce }))
  return `ours ${chosen.ownSecret.destinationExtras["delegate"]}`
}

const REFUSED = "secret.own_unsupported"
const WORTH = SAMPLE.quote.sourceFiat
test.each<[string, string, Scene]>([
  ["own", "ours key", {}],
  ["own without a key", REFUSED, { hasKey: false }],
  ["own to another address", REFUSED, { isOurs: false }],
  ["own where we cannot redeem", REFUSED, { redeemFee: null }],
  ["own with too little gas", "secret.no_gas", { units: 146n }],
  ["own where the payout pays", "ours key", { units: 0n, paysFromPayout: true }],
  ["preferred", "ours key", { mode: "prefer-own" }],
  ["preferred without a key", "theirs", { mode: "prefer-own", hasKey: false }],
  ["preferred with too little gas", "theirs", { mode: "prefer-own", units: 146n }],
  [
    "preferred, and not taken before",
    "theirs",
    { mode: "prefer-own", over: { serviceChoosesSecret: true } },
  ],
  ["own, and not taken before", "ours key", { over: { serviceChoosesSecret: true } }],
  ["the service's", "theirs", { mode: "service" }],
  [
    "the service's up to a limit",
    "theirs",
    { mode: "service", most: WORTH, over: { quote: SAMPLE.quote } },
  ],
  [
    "the service's above a limit",
    "limit.service_secret",
    { mode: "service", most: WORTH - 1n, over: { quote: SAMPLE.quote } },
  ],
])("the secret of an order: %s: %s", async (_name, expected, scene) => {
  expect(await choose(scene)).toBe(expected)
})

test("the value of an order counts before that of its quote, and no setting means no secret", async () => {
  // CAST: nothing else of the value counts.
  const value = { sourceFiat: 1n } as NonNullable<OrderData["value"]>
  const scene = { mode: "service", most: 1n, over: { quote: SAMPLE.quote, value } } as const
  expect(await choose(scene)).toBe("theirs")
  expect(await chooseSecret(sampleJob(sampleData(), {}))).toEqual({})
})
