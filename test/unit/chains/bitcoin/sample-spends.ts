import { networks, Transaction } from "bitcoinjs-lib"
import { createSigner } from "#chains/bitcoin/signer.ts"
import { buildPlan } from "#chains/bitcoin/spend/build.ts"
import type { Output } from "#chains/bitcoin/spend/raw-transaction.ts"
import { Secret } from "#lib/secret.ts"
import { deriveHtlc } from "#sandbox/bitcoin/htlc.ts"
import {
  btc,
  sampleOptions,
  sampleSecretHash,
  serviceKey,
  wifOf,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { signHtlcSpend } from "../../../chains/bitcoin/sign-htlc-spend.ts"

const { regtest } = networks
export const terms = {
  refundKey: xOnlyOf(9),
  redeemKey: serviceKey,
  secretHash: sampleSecretHash,
  timelock: 12,
}
export const htlc = deriveHtlc(terms, regtest)
export const payTo = deriveHtlc({ ...terms, timelock: 99 }, regtest).address
export const coin = { txid: "ab".repeat(32), vout: 1, units: 100_000n }
export const locked: readonly Output[] = [{ script: htlc.output, value: coin.units }]

export function htlcSpend(
  by: "redeem" | "refund",
  key: number,
  change: Partial<typeof terms> = {},
): Transaction {
  return signHtlcSpend({ coin, terms: { ...terms, ...change }, by, key, payTo, units: 99_000n })
}

/** A deposit of two coins, signed by our own signer. */
export function walletSpend(addressType: "p2wpkh" | "p2tr"): {
  transaction: Transaction
  prevouts: readonly Output[]
} {
  const key = new Secret(wifOf(1), "env:BITCOIN_WIF")
  const signer = createSigner({
    ...sampleOptions([]),
    asset: btc,
    network: regtest,
    addressType,
    key,
  })
  const coins = [1, 2].map((serial) => {
    const parent = new Transaction()
    parent.addInput(new Uint8Array(32).fill(serial), 0)
    parent.addOutput(signer.wallet.script, 60_000n)
    return { txid: parent.getId(), vout: 0, units: 60_000n, parent: parent.toBuffer() }
  })
  const deposit = { address: payTo, units: 100_000n }
  const spends = [{ asset: btc, units: 100_000n }]
  const draft = { action: "initiate", coins, deposit, htlc: null, feeUnits: 500n } as const
  const { raw } = signer.signTransaction(
    buildPlan(draft, signer.wallet, { spends, attempt: 0, fromHeight: 1n }),
  )
  const prevouts = coins.map(() => ({ script: signer.wallet.script, value: 60_000n }))
  return { transaction: Transaction.fromHex(raw), prevouts }
}

/** A spend of each kind, with the outputs that it spends. */
export const SPENDS = [
  { name: "redeem", transaction: htlcSpend("redeem", 7), prevouts: locked },
  { name: "refund", transaction: htlcSpend("refund", 9), prevouts: locked },
  { name: "p2wpkh", ...walletSpend("p2wpkh") },
  { name: "p2tr", ...walletSpend("p2tr") },
]
