import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { linksOf } from "./order-links.ts"

const RPC = 'rpc: ["http://127.0.0.1:1"], key: "env:K"'
const CHAINS = `base: { ${RPC} }
  solana_testnet: { ${RPC} }
  local: { family: evm, chain_id: 8453, ${RPC} }`
const config = parseConfig(`service: { url: "http://127.0.0.1:1" }\nchains:\n  ${CHAINS}\n`, {
  file: "b.yaml",
  secrets: (reference) => new Secret("k", reference),
})
const BASE = parseAssetId("base:usdc")
const SOLANA = parseAssetId("solana_testnet:sol")
const LOCAL = parseAssetId("local:eth")

test("an order on chains with presets has a link for each of its transactions", () => {
  const order = { from: BASE, to: SOLANA, depositTx: "0xaa", destinationTx: "5sig", refundTx: null }
  expect(linksOf(order, config)).toEqual({
    deposit: "https://basescan.org/tx/0xaa",
    payout: "https://explorer.solana.com/tx/5sig?cluster=devnet",
  })
  expect(linksOf({ ...order, destinationTx: null, refundTx: "0xbb" }, config)).toEqual({
    deposit: "https://basescan.org/tx/0xaa",
    refund: "https://basescan.org/tx/0xbb",
  })
})

test("a chain without a preset has no links, although it has the id of a known chain", () => {
  expect(
    linksOf(
      { from: LOCAL, to: LOCAL, depositTx: "0xaa", destinationTx: "0xbb", refundTx: null },
      config,
    ),
  ).toEqual({})
})
