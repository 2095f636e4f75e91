import { initEccLib, type networks, opcodes as OP, payments, script } from "bitcoinjs-lib"
import * as ecc from "tiny-secp256k1"
import { mustExist } from "#lib/assert.ts"

/**
 * Derives the taproot HTLC of a Bitcoin leg (BIP 341, BIP 342, BIP 112): an internal key without a
 * known private key, and the tree `[redeem, [refund, instant]]` with leaf version 0xc0.
 *
 * redeem: the preimage and `redeemKey` · refund: `refundKey` after `timelock` blocks · instant:
 * both keys, at any time.
 */
export function deriveHtlc(terms: HtlcTerms, network: Network): Htlc {
  const redeemKey = Buffer.from(terms.redeemKey, "hex")
  const refundKey = Buffer.from(terms.refundKey, "hex")
  const redeem = script.compile([
    OP.OP_SHA256,
    Buffer.from(terms.secretHash, "hex"),
    OP.OP_EQUALVERIFY,
    redeemKey,
    OP.OP_CHECKSIG,
  ])
  const timelock = script.number.encode(terms.timelock)
  const refund = script.compile([
    timelock,
    OP.OP_CHECKSEQUENCEVERIFY,
    OP.OP_DROP,
    refundKey,
    OP.OP_CHECKSIG,
  ])
  const instant = script.compile([
    refundKey,
    OP.OP_CHECKSIG,
    redeemKey,
    OP.OP_CHECKSIGADD,
    OP.OP_2,
    OP.OP_NUMEQUAL,
  ])

  const internalPubkey = Buffer.from(INTERNAL_KEY, "hex")
  const scriptTree: ScriptTree = [{ output: redeem }, [{ output: refund }, { output: instant }]]
  const leaf = (output: Uint8Array): HtlcLeaf => {
    const spend = payments.p2tr({
      internalPubkey,
      scriptTree,
      redeem: { output, redeemVersion: 0xc0 },
      network,
    })
    return { script: output, controlBlock: mustExist(spend.witness?.at(-1), "control block") }
  }
  const funding = payments.p2tr({ internalPubkey, scriptTree, network })
  return {
    address: mustExist(funding.address, "HTLC address"),
    output: mustExist(funding.output, "HTLC output"),
    leaves: { redeem: leaf(redeem), refund: leaf(refund), instant: leaf(instant) },
  }
}

export type HtlcTerms = {
  /** 32 bytes, hex. */
  readonly secretHash: string
  /** x-only, hex. */
  readonly refundKey: string
  /** x-only, hex. */
  readonly redeemKey: string
  /** Relative, in blocks: 1 to 65535 (BIP 68). */
  readonly timelock: number
}

export type Htlc = {
  readonly address: string
  readonly output: Uint8Array
  readonly leaves: Readonly<Record<"redeem" | "refund" | "instant", HtlcLeaf>>
}

export type HtlcLeaf = { readonly script: Uint8Array; readonly controlBlock: Uint8Array }

type Network = typeof networks.regtest
type ScriptTree = NonNullable<payments.Payment["scriptTree"]>

initEccLib(ecc)

/** An x-only key without a known private key, the same in every deployment of the service. */
const INTERNAL_KEY = "2160e11a135f94e536a5b222e5d09fd9db1be5f5f5e753920290c0410cf388f0"
