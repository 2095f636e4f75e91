import { afterEach, describe, expect, test } from "vitest"
import { completeSwap, type Deposit, htlcOf, type Route } from "./complete-swap.ts"
import { DIGEST_KEY } from "./open-client.ts"
import { core, type Garden, unwrap } from "./published-client.ts"
import { useWorld } from "./use-world.ts"

const world = useWorld([])
const gas = "a relay pays the gas"

/*
 * The published client chooses the secret, as its users did before the service offered to: its
 * secret manager derives it, its executor lists the pending orders, finds its own hash in one whose
 * payout is funded, and hands the secret to the service.
 *
 * Its EVM payouts are left out: there the client waits for the transaction at a public node that no
 * parameter replaces.
 */
describe("the published client completes a swap with its own secret", () => {
  let garden: Garden | null = null
  afterEach(() => garden?.executor?.stop())

  test.for<Route>([
    { from: "base_sepolia:wbtc", to: "solana_testnet:sol", amount: 150_000, gas },
    { from: "ethereum_sepolia:wbtc", to: "solana_testnet:usdc", amount: 160_000, gas },
    { from: "base_sepolia:wbtc", to: "starknet_sepolia:wbtc", amount: 170_000, gas },
  ])("$from to $to", async (route) => {
    const told: string[] = []
    const deposit: Deposit = async (opened, params) => {
      garden = opened.client.gardenFor(params.fromAsset)
      const nonce = String(Date.now())
      const { secretHash } = unwrap(
        await core.SecretManager.fromDigestKey(DIGEST_KEY).generateSecret(nonce),
      )
      const hash = secretHash.replace(/^0x/, "")
      const created = unwrap(
        await garden.createOrder({
          source: {
            asset: params.fromAsset,
            owner: params.sourceAddress,
            delegate: null,
            amount: params.sendAmount,
          },
          destination: {
            asset: params.toAsset,
            owner: params.destinationAddress,
            delegate: null,
            amount: params.receiveAmount,
          },
          nonce: Number(nonce),
          secret_hash: hash,
          solver_id: params.solverId,
          slippage: 0,
        }),
      )
      const order = unwrap(await garden.getOrder(created.order_id))
      expect([order.source_swap.secret_hash, order.destination_swap.secret_hash]).toEqual([
        hash,
        hash,
      ])
      const tx = unwrap(await htlcOf(opened, garden, params.fromAsset).initiate(created))
      garden.on("success", (done: { order_id: string }) => void told.push(done.order_id))
      garden.executor?.start(1_000)
      return { orderId: created.order_id, tx }
    }
    await completeSwap(world(), route, deposit)
    await expect.poll(() => told).toHaveLength(1)
  })
})
