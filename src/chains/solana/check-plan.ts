import { PublicKey } from "@solana/web3.js"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { assembleMessage, digestOf, feeOf, swapAccountResource } from "./assemble.ts"
import { buildInitiate, buildRefund, decodeHtlcCall } from "./htlc.ts"
import { isComputeBudget, type ReadInstruction, readComputeBudget, readTransaction } from "./read-transaction.ts"
import type { Wallet } from "./wallet.ts"

/**
 * The last check before the signature: the message must equal, byte for byte, the one message that its action allows.
 * Returns the message.
 *
 * Pure and independent of the planner: it decodes the bytes, rebuilds the only correct message, and compares the two.
 * Throws `signer.plan_mismatch` (refused).
 */
export function checkPlan(plan: TransactionPlan, wallet: Wallet): Uint8Array {
  const message = Buffer.from(plan.unsigned, "base64")
  if (plan.chain !== wallet.chain || plan.account !== wallet.account) throw mismatch(plan, "it is for another wallet")
  if (digestOf(message) !== plan.digest) throw mismatch(plan, "its digest does not match its message")
  const transaction = readTransaction.fromMessage(message)
  const calls = transaction?.instructions.filter((instruction) => !isComputeBudget(instruction)) ?? []
  const [call] = calls
  if (transaction === null || call === undefined || calls.length !== 1) {
    throw mismatch(plan, "it does not hold exactly one HTLC instruction")
  }

  const { unitLimit, unitPriceMicroLamports } = readComputeBudget(transaction.instructions)
  if (unitLimit === null || unitPriceMicroLamports === null) throw mismatch(plan, "it sets no compute budget")
  const price = unitPriceMicroLamports
  if (price > wallet.maxPriorityFeeMicroLamports || feeOf(unitLimit, price) > plan.maxFeeUnits) {
    throw mismatch(plan, "its fee is above the allowed fee")
  }
  const instruction = rebuild(plan, call, wallet)
  const expected = assembleMessage({
    account: wallet.account,
    blockhash: transaction.message.recentBlockhash,
    unitPriceMicroLamports: price,
    instruction,
  })
  if (!message.equals(expected)) throw mismatch(plan, "its bytes differ from the transaction that its action allows")
  return message
}

function rebuild(plan: TransactionPlan, call: ReadInstruction, wallet: Wallet): ReturnType<typeof buildInitiate> {
  const program = call.program.address ?? ""
  const asset = wallet.assets.find((candidate) => candidate.token === null && candidate.htlc.includes(program))
  if (asset === undefined) throw mismatch(plan, "it calls a program that is not a configured HTLC of the native asset")
  const decoded = decodeHtlcCall(call.data)
  const us = new PublicKey(wallet.account)
  if (plan.action === "initiate" && decoded?.kind === "initiate") {
    const [spend, ...more] = plan.spends
    if (spend?.asset !== asset.id || spend.units !== decoded.terms.units || more.length > 0) {
      throw mismatch(plan, "it transfers a different amount than planned")
    }
    const instruction = buildInitiate(new PublicKey(program), us, decoded.terms)
    if (!plan.resources.includes(swapAccountResource(String(instruction.keys[0]?.pubkey)))) {
      throw mismatch(plan, "it deposits into a different swap account than the reserved one")
    }
    return instruction
  }
  if (plan.action === "refund" && decoded?.kind === "refund") {
    // The data names no secret hash to derive the swap account from. We copy it; the program checks that it is ours.
    const instruction = buildRefund(new PublicKey(program), us, Buffer.alloc(32))
    const [swapAccount] = call.accounts
    instruction.keys = instruction.keys.map((key, index) =>
      index === 0 ? { ...key, pubkey: new PublicKey(swapAccount?.address ?? "") } : key,
    )
    return instruction
  }
  throw mismatch(plan, `it calls ${decoded?.kind ?? "an unknown instruction"}, but its action is ${plan.action}`)
}

function mismatch(plan: TransactionPlan, problem: string): AppError {
  return new AppError({
    code: "signer.plan_mismatch",
    disposition: "refused",
    message: `the plan is not signed: ${problem}; plan a new transaction`,
    details: { chain: plan.chain, purpose: plan.action, digest: plan.digest, problem },
  })
}
