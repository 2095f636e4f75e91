import { inspect } from "node:util"
import { crypto, Psbt, Transaction } from "bitcoinjs-lib"
import * as ecc from "tiny-secp256k1"
import { expect, it } from "vitest"
import { networkOf } from "#chains/bitcoin/address.ts"
import { deriveHtlc } from "#chains/bitcoin/htlc.ts"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { createSigner } from "#chains/bitcoin/signer.ts"
import { buildPlan, coinsOf, type Draft, digestOf, feeOf } from "#chains/bitcoin/spend/build.ts"
import { encodeUnsigned, parseUnsigned } from "#chains/bitcoin/spend/unsigned.ts"
import { byOutpoint, type Coin, outpointOf } from "#chains/bitcoin/wallet.ts"
import { toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { Secret } from "#lib/secret.ts"
import {
  btc,
  sampleOptions,
  sampleSecretHash,
  serviceKey,
  wifOf,
  xOnlyOf,
} from "../../../chains/bitcoin/sample-order.ts"

const options = { ...sampleOptions([]), asset: btc, network: networkOf("regtest"), maxFeeRate: 10 }
const signer = createSigner(options)
const { wallet } = signer
const htlc = {
  refundKey: xOnlyOf(1),
  redeemKey: serviceKey,
  secretHash: sampleSecretHash,
  timelock: 144,
}
const deposit = { address: deriveHtlc(htlc, wallet.network).address, units: 100_000n }
const htlcScript = deriveHtlc(htlc, wallet.network).script
const coins = [
  coinOf(1, [
    { script: htlcScript, value: 1n },
    { script: wallet.script, value: 90_000n },
  ]),
  coinOf(2, [{ script: wallet.script, value: 80_000n }]),
].sort(byOutpoint)
const locked = coinOf(3, [{ script: htlcScript, value: 100_000n }])
const draft: Draft = { action: "initiate", coins, deposit, htlc: null, feeUnits: 800n }
const meta = { spends: [{ asset: btc, units: 100_000n }], attempt: 0, fromHeight: 1n }
const plan = buildPlan(draft, wallet, meta)

/** A coin: the last output of a transaction from nowhere, with that transaction. */
function coinOf(
  serial: number,
  outs: readonly { script: Uint8Array; value: bigint }[],
): Required<Coin> {
  const parent = new Transaction()
  parent.addInput(new Uint8Array(32).fill(serial), serial)
  for (const { script, value } of outs) parent.addOutput(script, value)
  const vout = outs.length - 1
  return { txid: parent.getId(), vout, units: outs[vout]?.value ?? 0n, parent: parent.toBuffer() }
}

/**
 * A consistent plan, as a planner's bug would make it: only the inspection of the transaction
 * itself finds the fault.
 */
function withPsbt(change: (psbt: Psbt) => Psbt, from = plan): TransactionPlan {
  const unsigned = parseUnsigned(from, wallet)
  const psbt = change(unsigned.psbt)
  const changed = { ...unsigned, psbt }
  const resources = coinsOf(psbt).map(outpointOf)
  const maxFeeUnits = feeOf(psbt) > 0n ? feeOf(psbt) : from.maxFeeUnits
  return {
    ...from,
    unsigned: encodeUnsigned(changed),
    digest: digestOf(changed, wallet),
    resources,
    maxFeeUnits,
  }
}

/** The same inputs, other outputs. */
function paying(outputs: readonly { script: Uint8Array; value: bigint }[]): TransactionPlan {
  return withPsbt((psbt) => {
    const copy = new Psbt({ network: wallet.network })
    for (const [index, { hash, sequence }] of psbt.txInputs.entries()) {
      const { witnessUtxo, nonWitnessUtxo } = psbt.data.inputs[index] ?? {}
      if (witnessUtxo && nonWitnessUtxo)
        copy.addInput({
          hash,
          index: coins[index]?.vout ?? 0,
          sequence: sequence ?? 0,
          witnessUtxo,
          nonWitnessUtxo,
        })
    }
    for (const output of outputs) copy.addOutput(output)
    return copy
  })
}

function refusalOf(bad: TransactionPlan): string {
  try {
    signer.signTransaction(bad)
  } catch (error) {
    if (error instanceof AppError && error.disposition === "refused")
      return `${error.code}: ${error.message}`
    throw error
  }
  return "signed"
}

const { wallet: stranger } = createSigner({ ...options, key: new Secret(wifOf(2), "env:OTHER") })

it("signs the planned transaction and keeps the transaction id of the unsigned bytes", () => {
  const signed = signer.signTransaction(plan)
  const tx = Transaction.fromHex(signed.raw)
  expect(tx.getId()).toBe(signed.txid)
  expect(tx.outs.map(({ value }) => value)).toEqual([100_000n, 69_200n])
  const [signature] = tx.ins[0]?.witness ?? []
  expect(signature?.at(-1)).toBe(Transaction.SIGHASH_ALL)
})

it("signs deterministically, with zeros as auxiliary data of Schnorr signatures", () => {
  expect(signer.signTransaction(plan)).toEqual(signer.signTransaction(structuredClone(plan)))
  const refund = buildPlan(
    { ...draft, action: "refund", coins: [locked], deposit: null, htlc },
    wallet,
    {
      ...meta,
      spends: [],
    },
  )
  const signed = Transaction.fromHex(signer.signTransaction(refund).raw)
  const { refundLeaf, script } = deriveHtlc(htlc, wallet.network)
  const leafHash = crypto.taggedHash(
    "TapLeaf",
    Uint8Array.from([0xc0, refundLeaf.length, ...refundLeaf]),
  )
  const hash = signed.hashForWitnessV1(
    0,
    [script],
    [100_000n],
    Transaction.SIGHASH_DEFAULT,
    leafHash,
  )
  const key = secp.fromWIF(wifOf(1), wallet.network).privateKey
  expect(signed.ins[0]?.witness[0]).toEqual(ecc.signSchnorr(hash, key ?? hash, new Uint8Array(32)))
})

const paid = { script: htlcScript, value: 100_000n }
const change = { script: wallet.script, value: 69_200n }
const twice = [paid, { ...paid, value: 60_000n }, { ...change, value: 9_200n }]
const otherLeaf = deriveHtlc({ ...htlc, timelock: 7 }, wallet.network)
const refundPlan = buildPlan(
  { ...draft, action: "refund", coins: [locked], deposit: null, htlc },
  wallet,
  {
    ...meta,
    spends: [],
  },
)

it.each<[string, () => TransactionPlan, string]>([
  [
    "the change goes elsewhere",
    () => paying([paid, { ...change, script: stranger.script }]),
    "does not return to our wallet",
  ],
  [
    "the deposit is a unit short",
    () => paying([{ ...paid, value: 99_999n }, change]),
    "not the exact deposit",
  ],
  [
    "the deposit goes elsewhere",
    () => paying([{ ...paid, script: stranger.script }, change]),
    "not the exact deposit",
  ],
  ["the HTLC is paid twice", () => paying(twice), "with 3 outputs"],
  ["the change becomes part of the fee", () => paying([paid]), "above the configured cap"],
  [
    "a sequence forbids replacement",
    () => withPsbt((psbt) => psbt.setInputSequence(0, 0xffffffff)),
    "a sequence is not",
  ],
  ["a lock time is set", () => withPsbt((psbt) => psbt.setLocktime(500)), "lock time"],
  [
    "an input asks for another signature hash",
    () => withPsbt((psbt) => psbt.updateInput(0, { sighashType: 0x83 })),
    "special",
  ],
  ["an input has a leaf", () => withPsbt((psbt) => withLeaf(psbt)), "another leaf"],
  ["a refund uses another leaf", () => withPsbt(withLeaf, refundPlan), "another leaf"],
  [
    "a refund spends two outputs",
    () => withPsbt(withTwoCoins, refundPlan),
    "a refund must spend exactly one output",
  ],
  ["a refund has no HTLC", () => ({ ...plan, action: "refund" }), "wrong kind of HTLC"],
  [
    "the resources name other coins",
    () => ({ ...plan, resources: [...plan.resources].reverse() }),
    "differ from the plan's resources",
  ],
  ["the digest is wrong", () => ({ ...plan, digest: "00".repeat(32) }), "the digest"],
  [
    "the fee is above the plan's",
    () => ({ ...plan, maxFeeUnits: 799n }),
    "not within the plan's 799",
  ],
  ["the action is another", () => ({ ...plan, action: "void" }), "wrong kind of deposit"],
  ["the plan counts other spending", () => ({ ...plan, spends: [] }), "counts 0 units"],
  ["the account is another", () => ({ ...plan, account: stranger.address }), "for account"],
  ["the chain is another", () => ({ ...plan, chain: toChainId("bitcoin") }), "for chain"],
])("does not sign when %s", (_case, bad, fault) => {
  const refusal = refusalOf(bad())
  expect(refusal).toContain("signer.plan_mismatch")
  expect(refusal).toContain(fault)
})

function withLeaf(psbt: Psbt): Psbt {
  const { refundLeaf: script, refundControlBlock: controlBlock } = otherLeaf
  for (const input of psbt.data.inputs)
    input.tapLeafScript = [{ leafVersion: 0xc0, script, controlBlock }]
  return psbt
}

function withTwoCoins(psbt: Psbt): Psbt {
  const { witnessUtxo, tapLeafScript } = psbt.data.inputs[0] ?? {}
  if (!witnessUtxo || !tapLeafScript) throw new Error("a refund has a leaf")
  return psbt.addInput({
    hash: "ff".repeat(32),
    index: 0,
    sequence: 144,
    witnessUtxo,
    tapLeafScript,
  })
}

it("does not sign a fee above the configured cap, even when the plan allows it", () => {
  const greedy = buildPlan({ ...draft, feeUnits: 5_000n }, wallet, meta)
  expect(refusalOf(greedy)).toContain("above the configured cap")
})

it("does not sign inputs that are not ours, nor a refund leaf with a foreign key", () => {
  expect(refusalOf({ ...buildPlan(draft, stranger, meta), account: wallet.address })).toContain(
    "not ours to spend",
  )
  const terms = { ...htlc, refundKey: xOnlyOf(2) }
  const refund = {
    ...draft,
    action: "refund",
    coins: coins.slice(0, 1),
    deposit: null,
    htlc: terms,
  } as const
  expect(refusalOf(buildPlan(refund, wallet, { ...meta, spends: [] }))).toContain(
    "refund key is not ours",
  )
})

it.each(["p2wpkh", "p2tr"] as const)(
  "signs no input of %s without the parent that proves its value",
  (addressType) => {
    const { wallet: own, signTransaction } = createSigner({ ...options, addressType })
    const coin = coinOf(4, [{ script: own.script, value: 200_000n }])
    const planOf = (change: Partial<Coin>) =>
      buildPlan({ ...draft, coins: [{ ...coin, ...change }] }, own, meta)
    const whyNot = (bad: TransactionPlan): string => {
      try {
        signTransaction(bad)
      } catch (error) {
        if (error instanceof AppError && error.disposition === "refused")
          return `${error.code}: ${error.message}`
        throw error
      }
      return "signed"
    }
    expect(whyNot(planOf({}))).toBe("signed")
    const { parent: _own, ...bare } = coin
    const unproven = buildPlan({ ...draft, coins: [bare] }, own, meta)
    expect(whyNot(unproven)).toContain("signer.input_unproven")
    expect(whyNot(unproven)).toContain("without its parent")
    const other = coinOf(5, [{ script: own.script, value: 200_000n }])
    expect(whyNot(planOf({ parent: other.parent }))).toContain("is another transaction")
    for (const units of [199_999n, 200_001n]) {
      const lie = { ...draft, coins: [{ ...coin, units }], feeUnits: draft.feeUnits }
      const shown = whyNot(buildPlan(lie, own, meta))
      expect(shown).toContain("signer.input_unproven")
      expect(shown).toContain("holds 200000 units")
    }
    const strange = coinOf(6, [{ script: stranger.script, value: 200_000n }])
    expect(whyNot(buildPlan({ ...draft, coins: [strange] }, own, meta))).toContain("another script")
  },
)

it.each(["", "{}", '{"psbt":"AA==","deposit":null,"htlc":null}'])(
  "does not sign a plan whose stored transaction is unreadable: %j",
  (unsigned) => {
    expect(refusalOf({ ...plan, unsigned })).toContain("signer.plan_unreadable")
  },
)

it.each([
  ["not a key", "nonsense-that-must-not-show"],
  ["a key of another network", wifOf(1, "mainnet")],
  ["an uncompressed key", uncompressedWif()],
])("refuses %s at start without printing it", (_case, text) => {
  try {
    createSigner({ ...options, key: new Secret(text, "env:BITCOIN_WIF") })
  } catch (error) {
    expect(error).toMatchObject({ code: "config.key", disposition: "fatal" })
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(text)
    return
  }
  throw new Error("the signer accepted the key")
})

function uncompressedWif(): string {
  const privateKey = secp.fromWIF(wifOf(1), wallet.network).privateKey ?? new Uint8Array()
  return secp.fromPrivateKey(privateKey, { network: wallet.network, compressed: false }).toWIF()
}
