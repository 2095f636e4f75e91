import { describe, test } from "vitest"
import {
  completeSwap,
  type Deposit,
  depositByCreateSwap,
  depositByOrder,
  type Route,
} from "./complete-swap.ts"
import { chainOf, type EvmChain } from "./open-client.ts"
import { unwrap, utils } from "./published-client.ts"
import { useWorld } from "./use-world.ts"

const world = useWorld(["--gasless", "off"])
const gas = "the owner pays the gas"

describe("the published client completes a swap of a service without relay", () => {
  test.for<Route>([
    { from: "bitcoin_testnet:btc", to: "solana_testnet:usdc", amount: 100_000, gas },
    { from: "solana_testnet:usdc", to: "bitcoin_testnet:btc", amount: 110_000_000, gas },
    { from: "solana_testnet:cbbtc", to: "ethereum_sepolia:wbtc", amount: 120_000, gas },
    { from: "bitcoin_testnet:btc", to: "starknet_sepolia:wbtc", amount: 130_000, gas },
    { from: "starknet_sepolia:wbtc", to: "solana_testnet:sol", amount: 140_000, gas },
    { from: "solana_testnet:sol", to: "bitcoin_testnet:btc", amount: 500_000_000, gas },
    {
      from: "ethereum_sepolia:eth",
      to: "solana_testnet:cbbtc",
      amount: 25_000_000_000_000_000,
      gas,
    },
  ])("$from to $to", (route) => completeSwap(world(), route))

  // Without typed data the client sends the deposit only; an app gives the allowance before, with
  // this function of the client.
  test.for<Route>([
    { from: "base_sepolia:wbtc", to: "starknet_sepolia:strk", amount: 150_000, gas },
    { from: "ethereum_sepolia:usdc", to: "bitcoin_testnet:btc", amount: 160_000_000, gas },
  ])("$from to $to, with an allowance of the client", (route) =>
    completeSwap(world(), route, approveAndCreateSwap),
  )

  // The client builds typed data and call from its own interface of the contract. The service
  // refuses the signature, so it sends the call.
  test.for<Route>([
    { from: "base_sepolia:cbbtc", to: "solana_testnet:usdc", amount: 170_000, gas },
    {
      from: "ethereum_sepolia:eth",
      to: "starknet_sepolia:wbtc",
      amount: 30_000_000_000_000_000,
      gas,
    },
  ])("$from to $to, with a deposit from the order", (route) =>
    completeSwap(world(), route, depositByOrder),
  )
})

const approveAndCreateSwap: Deposit = async (opened, params) => {
  const chain = chainOf(opened.sandbox, params.fromAsset)
  const asset = chain.assets.find(({ id }) => id === params.fromAsset)
  if (!asset?.token || !asset.htlc) throw new Error(`${params.fromAsset} needs no allowance`)
  // CAST: the routes above start on these two chains.
  const wallet = opened.client.evmWallets[chain.name as EvmChain]
  unwrap(
    await utils.checkAllowanceAndApprove(
      Number(params.sendAmount),
      asset.token,
      asset.htlc,
      wallet,
    ),
  )
  return depositByCreateSwap(opened, params)
}
