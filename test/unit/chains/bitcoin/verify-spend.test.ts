import { address, networks, Transaction } from "bitcoinjs-lib"
import { tapleafHash } from "bitcoinjs-lib/src/payments/bip341"
import { describe, expect, it } from "vitest"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { verifySpend } from "#chains/bitcoin/legs/verify-spend.ts"
import { sampleSecret, wifOf } from "../../../chains/bitcoin/sample-order.ts"
import { signHtlcSpend } from "../../../chains/bitcoin/sign-htlc-spend.ts"
import {
  coin,
  htlc,
  htlcSpend,
  locked,
  payTo,
  SPENDS,
  terms,
  walletSpend,
} from "./sample-spends.ts"

const { regtest } = networks

describe("a spend", () => {
  it("by the redeem leaf shows the secret, and one by the refund leaf shows none", () => {
    expect(verifySpend(htlcSpend("redeem", 7), 0, locked)).toEqual({
      by: "redeem",
      secret: sampleSecret,
    })
    expect(verifySpend(htlcSpend("refund", 9), 0, locked)).toEqual({ by: "refund", secret: null })
  })

  it.each(["p2wpkh", "p2tr"] as const)(
    "of our own %s wallet is valid for each input",
    (addressType) => {
      const { transaction, prevouts } = walletSpend(addressType)
      for (const vin of [0, 1])
        expect(verifySpend(transaction, vin, prevouts)).toEqual({ by: "key", secret: null })
      expect(verifySpend(transaction, 2, prevouts)).toBeNull()
    },
  )

  it("is refused with the key of another role, another HTLC's leaf, or a refund before its lock", () => {
    expect(verifySpend(htlcSpend("redeem", 9), 0, locked)).toBeNull()
    expect(verifySpend(htlcSpend("refund", 7), 0, locked)).toBeNull()
    expect(verifySpend(htlcSpend("redeem", 7, { timelock: 13 }), 0, locked)).toBeNull()
    // A lock by time (bit 22), a disabled lock (bit 31), and one block too few, each really signed.
    for (const sequence of [11, 0x400000 | 12, 0x80000000 + 12]) {
      const early = signHtlcSpend({
        coin,
        terms,
        by: "refund",
        key: 9,
        payTo,
        units: 99_000n,
        sequence,
      })
      expect(verifySpend(early, 0, locked)).toBeNull()
    }
  })

  it("by the instant leaf needs the signatures of both parties", () => {
    const instant = (refunder: number, redeemer: number) => {
      const transaction = htlcSpend("refund", 9)
      const { script, controlBlock } = htlc.leaves.instant
      const hash = tapleafHash({ output: script })
      const digest = transaction.hashForWitnessV1(
        0,
        [htlc.output],
        [coin.units],
        Transaction.SIGHASH_DEFAULT,
        hash,
      )
      const signature = (key: number) => secp.fromWIF(wifOf(key), regtest).signSchnorr(digest)
      // A script takes its first argument from the top of the stack.
      transaction.setWitness(0, [signature(redeemer), signature(refunder), script, controlBlock])
      return verifySpend(transaction, 0, locked)
    }
    expect(instant(9, 7)).toEqual({ by: "instant", secret: null })
    expect([instant(9, 9), instant(7, 7), instant(7, 9)]).toEqual([null, null, null])
  })

  it("is refused without a witness, and with prevouts of another number", () => {
    const bare = htlcSpend("redeem", 7)
    bare.setWitness(0, [])
    expect(verifySpend(bare, 0, locked)).toBeNull()
    expect(verifySpend(htlcSpend("redeem", 7), 0, [])).toBeNull()
    expect(verifySpend(htlcSpend("redeem", 7), 0, [...locked, ...locked])).toBeNull()
    const keyless = {
      script: address.toOutputScript("mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn", regtest),
      value: 1n,
    }
    expect(verifySpend(htlcSpend("redeem", 7), 0, [keyless])).toBeNull()
  })

  it.each(SPENDS)(
    "by $name is refused with another value or script of the spent output",
    ({ transaction, prevouts }) => {
      const lies = [
        prevouts.map((out) => ({ ...out, value: out.value + 1n })),
        prevouts.map((out) => ({ ...out, script: address.toOutputScript(payTo, regtest) })),
      ]
      for (const lie of lies) expect(verifySpend(transaction, 0, lie)).toBeNull()
    },
  )
})
