import { type Asset, chainOf } from "#domain/asset.ts"
import { identityOfCode } from "../../support/fake-chain.ts"
import { HTLC } from "../../support/fake-ledger.ts"
import { ARB, BTC, ETH, SNBTC, SOL, STRK, WBTC } from "../../support/fake-world.ts"

const PINNED = [{ htlc: HTLC, identity: identityOfCode() }]

export const ASSETS: readonly Asset[] = [
  { id: BTC, chain: chainOf(BTC), decimals: 8, token: null, htlc: [] },
  { id: WBTC, chain: chainOf(WBTC), decimals: 8, token: "0xtoken", htlc: [HTLC], pinned: PINNED },
  { id: ETH, chain: chainOf(ETH), decimals: 8, token: null, htlc: [HTLC], pinned: PINNED },
  { id: ARB, chain: chainOf(ARB), decimals: 8, token: null, htlc: [HTLC], pinned: PINNED },
  { id: SOL, chain: chainOf(SOL), decimals: 8, token: null, htlc: [HTLC], pinned: PINNED },
  { id: STRK, chain: chainOf(STRK), decimals: 8, token: null, htlc: [HTLC], pinned: PINNED },
  { id: SNBTC, chain: chainOf(SNBTC), decimals: 8, token: "0xtoken", htlc: [HTLC], pinned: PINNED },
]
