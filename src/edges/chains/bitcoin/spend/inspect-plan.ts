import { createHash } from "node:crypto"
import type { Psbt } from "bitcoinjs-lib"
import { URGENT_FEE_FACTOR } from "#domain/redeem-fee-cap.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { sameBytes, scriptOf } from "../address.ts"
import { feeLimitUnits } from "../fees.ts"
import { deriveHtlc, type Htlc, type HtlcTerms, leafOf } from "../htlc.ts"
import { outpointOf, type Wallet } from "../wallet.ts"
import { coinsOf, digestOf, feeOf, paidAwayUnits, sequenceOf, signedVsize } from "./build.ts"
import type { Unsigned } from "./unsigned.ts"

/**
 * Returns every reason against signing this transaction: each way in which it does more than, or
 * differs from, its action. An empty list allows the signature. Pure.
 *
 * The checks read the transaction itself, not its history, so they also catch a planner's bug or a
 * changed journal row.
 */
export function findPlanFaults(
  plan: TransactionPlan,
  unsigned: Unsigned,
  wallet: Wallet,
  caps: FeeCaps,
): string[] {
  return [
    ...checkFrame(plan, unsigned, wallet),
    ...checkInputs(plan, unsigned, wallet),
    ...checkOutputs(plan, unsigned, wallet),
    ...checkFee(plan, unsigned, wallet, caps),
  ]
}

/** `worthUnits`: the worth of the payout that a redemption takes; its fee may reach it. */
type FeeCaps = { readonly maxFeeRate: number; readonly worthUnits: bigint }

/** The most, in satoshi, that this transaction may pay without a known worth. */
export function usualFeeLimit(
  plan: TransactionPlan,
  unsigned: Unsigned,
  wallet: Wallet,
  maxFeeRate: number,
): bigint {
  const hasChange = unsigned.deposit === null || unsigned.psbt.txOutputs.length > 1
  const mostRate = plan.action === "redeem" ? maxFeeRate * Number(URGENT_FEE_FACTOR) : maxFeeRate
  return feeLimitUnits(
    { action: plan.action, vsize: signedVsize(unsigned, wallet), hasChange },
    mostRate,
  )
}

function checkFrame(plan: TransactionPlan, unsigned: Unsigned, wallet: Wallet): string[] {
  const { psbt, deposit, htlc, secret } = unsigned
  const spendsUnits = plan.spends.reduce((sum, { units }) => sum + units, 0n)
  return faults([
    [plan.chain === wallet.chain, `the plan is for chain ${plan.chain}`],
    [plan.account === wallet.address, `the plan is for account ${plan.account}`],
    [psbt.version === 2 && psbt.locktime === 0, "version and lock time are not 2 and 0"],
    [
      (plan.action === "initiate") === (deposit !== null),
      `a ${plan.action} with the wrong kind of deposit`,
    ],
    [
      ["refund", "redeem"].includes(plan.action) === (htlc !== null),
      `a ${plan.action} with the wrong kind of HTLC`,
    ],
    [
      (plan.action === "redeem") === (secret !== undefined),
      `a ${plan.action} with the wrong kind of secret`,
    ],
    [
      secret === undefined || (htlc !== null && opens(secret, htlc)),
      "the secret does not open the HTLC",
    ],
    [spendsUnits === paidAwayUnits(deposit), `the plan counts ${spendsUnits} units as spent`],
    [plan.digest === digestOf(unsigned, wallet), "the digest is not that of this transaction"],
  ])
}

function checkInputs(plan: TransactionPlan, unsigned: Unsigned, wallet: Wallet): string[] {
  const { psbt, htlc: terms, secret } = unsigned
  const htlc = terms === null ? null : deriveHtlc(terms, wallet.network)
  const script = htlc === null ? wallet.script : htlc.script
  const sequence = sequenceOf(unsigned)
  const ourKey = Buffer.from(wallet.xOnlyKey).toString("hex")
  const resources = coinsOf(psbt).map(outpointOf)
  return faults([
    [
      psbt.inputCount > 0 && resources.join() === plan.resources.join(),
      `the inputs ${resources.join()} differ from the plan's resources`,
    ],
    [terms === null || psbt.inputCount === 1, `a ${plan.action} must spend exactly one output`],
    [
      terms === null || secret !== undefined || terms.refundKey === ourKey,
      "the refund key is not ours",
    ],
    [
      terms === null || secret === undefined || terms.redeemKey === ourKey,
      "the redeem key is not ours",
    ],
    [
      psbt.data.inputs.every(
        (input) => input.witnessUtxo !== undefined && sameBytes(input.witnessUtxo.script, script),
      ),
      "an input is not ours to spend by this action",
    ],
    [
      psbt.data.inputs.every((input) => spendsBy(input.tapLeafScript, htlc, secret)),
      "an input is spent by another leaf",
    ],
    [
      psbt.data.inputs.every((input) => input.sighashType === undefined),
      "an input asks for a special signature hash",
    ],
    [psbt.txInputs.every((input) => input.sequence === sequence), `a sequence is not ${sequence}`],
  ])
}

function spendsBy(
  leaves: readonly { readonly script: Uint8Array }[] | undefined,
  htlc: Htlc | null,
  secret: string | undefined,
): boolean {
  if (htlc === null) return leaves === undefined
  return (
    leaves?.length === 1 &&
    leaves.every(({ script }) => sameBytes(script, leafOf(htlc, secret).script))
  )
}

function opens(secret: string, { secretHash }: HtlcTerms): boolean {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex") === secretHash
}

function checkOutputs(plan: TransactionPlan, unsigned: Unsigned, wallet: Wallet): string[] {
  const { psbt, deposit } = unsigned
  const [paid, change] = deposit === null ? [undefined, psbt.txOutputs[0]] : psbt.txOutputs
  const expected = deposit === null ? [1] : [1, 2]
  return faults([
    [
      expected.includes(psbt.txOutputs.length),
      `a ${plan.action} with ${psbt.txOutputs.length} outputs`,
    ],
    [
      change === undefined || sameBytes(change.script, wallet.script),
      "the change does not return to our wallet",
    ],
    [
      deposit === null || paysExactly(paid, deposit, wallet),
      "the first output is not the exact deposit to the HTLC",
    ],
  ])
}

function paysExactly(
  output: Psbt["txOutputs"][number] | undefined,
  deposit: { readonly address: string; readonly units: bigint },
  wallet: Wallet,
): boolean {
  const script = scriptOf(deposit.address, wallet.network)
  return (
    output !== undefined &&
    script !== null &&
    sameBytes(output.script, script) &&
    output.value === deposit.units
  )
}

function checkFee(
  plan: TransactionPlan,
  unsigned: Unsigned,
  wallet: Wallet,
  caps: FeeCaps,
): string[] {
  const feeUnits = feeOf(unsigned.psbt)
  const usualUnits = usualFeeLimit(plan, unsigned, wallet, caps.maxFeeRate)
  const limitUnits =
    plan.action === "redeem" && caps.worthUnits > usualUnits ? caps.worthUnits : usualUnits
  return faults([
    [
      feeUnits > 0n && feeUnits <= plan.maxFeeUnits,
      `the fee ${feeUnits} is not within the plan's ${plan.maxFeeUnits}`,
    ],
    [feeUnits <= limitUnits, `the fee ${feeUnits} is above the configured cap's ${limitUnits}`],
  ])
}

function faults(checks: readonly (readonly [boolean, string])[]): string[] {
  return checks.filter(([holds]) => !holds).map(([, fault]) => fault)
}
