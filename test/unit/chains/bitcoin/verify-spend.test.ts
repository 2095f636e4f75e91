import { address, networks, Transaction } from "bitcoinjs-lib"
import { tapleafHash } from "bitcoinjs-lib/src/payments/bip341"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { verifySpend } from "#chains/bitcoin/legs/verify-spend.ts"
import { createSigner } from "#chains/bitcoin/signer.ts"
import { buildPlan } from "#chains/bitcoin/spend/build.ts"
import type { Output } from "#chains/bitcoin/spend/raw-transaction.ts"
import { Secret } from "#lib/secret.ts"
import { deriveHtlc } from "#sandbox/bitcoin/htlc.ts"
import {
  btc,
  sampleOptions,
  sampleSecret,
  sampleSecretHash,
  serviceKey,
  wifOf,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"
import { signHtlcSpend } from "../../../chains/bitcoin/sign-htlc-spend.ts"

const { regtest } = networks
const terms = {
  refundKey: xOnlyOf(9),
  redeemKey: serviceKey,
  secretHash: sampleSecretHash,
  timelock: 12,
}
const htlc = deriveHtlc(terms, regtest)
const payTo = deriveHtlc({ ...terms, timelock: 99 }, regtest).address
const coin = { txid: "ab".repeat(32), vout: 1, units: 100_000n }
const locked: readonly Output[] = [{ script: htlc.output, value: coin.units }]

function htlcSpend(
  by: "redeem" | "refund",
  key: number,
  change: Partial<typeof terms> = {},
): Transaction {
  return signHtlcSpend({ coin, terms: { ...terms, ...change }, by, key, payTo, units: 99_000n })
}

/** A deposit of two coins, signed by our own signer. */
function walletSpend(addressType: "p2wpkh" | "p2tr"): {
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

  const cases = [
    { name: "redeem", transaction: htlcSpend("redeem", 7), prevouts: locked },
    { name: "refund", transaction: htlcSpend("refund", 9), prevouts: locked },
    { name: "p2wpkh", ...walletSpend("p2wpkh") },
    { name: "p2tr", ...walletSpend("p2tr") },
  ]
  it.each(cases)("by $name is refused after any change of a bit", ({ transaction, prevouts }) => {
    const raw = Buffer.from(transaction.toHex(), "hex")
    fc.assert(
      fc.property(fc.nat(raw.length * 8 - 1), (bit) => {
        const changed = Buffer.from(raw)
        changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
        let parsed: Transaction
        try {
          parsed = Transaction.fromHex(changed.toString("hex"))
        } catch {
          return
        }
        const verified = parsed.ins.map((_, vin) => verifySpend(parsed, vin, prevouts))
        // A change outside the first input's witness may leave that input valid only where no
        // signature covers it: in the other's witness.
        const whole =
          verified.length === transaction.ins.length && verified.every((spend) => spend !== null)
        expect(whole).toBe(false)
      }),
      { numRuns: 300 },
    )
  })

  it.each(cases)(
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
