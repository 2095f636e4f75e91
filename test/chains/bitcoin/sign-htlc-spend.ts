import { address, networks, Transaction } from "bitcoinjs-lib"
import { tapleafHash } from "bitcoinjs-lib/src/payments/bip341"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { deriveHtlc, type HtlcTerms } from "#sandbox/bitcoin/htlc.ts"
import { sampleSecret, wifOf } from "./sample-order.ts"

/**
 * For tests: a spend of one HTLC output to `payTo`, really signed by key number `key`, by the
 * sandbox's derivation of the HTLC.
 */
export function signHtlcSpend(options: {
  readonly coin: { readonly txid: string; readonly vout: number; readonly units: bigint }
  readonly terms: HtlcTerms
  readonly by: "redeem" | "refund"
  readonly key: number
  readonly payTo: string
  readonly units: bigint
  /** Default: as the leaf asks. */
  readonly sequence?: number
}): Transaction {
  const { coin, terms, by, key, payTo, units } = options
  const htlc = deriveHtlc(terms, networks.regtest)
  const spend = new Transaction()
  spend.version = 2
  const sequence = options.sequence ?? (by === "refund" ? terms.timelock : 0xfffffffd)
  spend.addInput(Uint8Array.from(Buffer.from(coin.txid, "hex").reverse()), coin.vout, sequence)
  spend.addOutput(address.toOutputScript(payTo, networks.regtest), units)
  const leaf = htlc.leaves[by]
  const leafHash = tapleafHash({ output: leaf.script })
  const digest = spend.hashForWitnessV1(
    0,
    [htlc.output],
    [coin.units],
    Transaction.SIGHASH_DEFAULT,
    leafHash,
  )
  const signature = secp.fromWIF(wifOf(key), networks.regtest).signSchnorr(digest)
  const secret = by === "redeem" ? [Uint8Array.from(Buffer.from(sampleSecret, "hex"))] : []
  spend.setWitness(0, [signature, ...secret, leaf.script, leaf.controlBlock])
  return spend
}
