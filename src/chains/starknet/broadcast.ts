import { z } from "zod"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { type Answer, RPC_CODES, rpcCodeOf, rpcDataOf, type StarknetRpc } from "./rpc.ts"

/**
 * Sends the stored bytes to every endpoint; one that takes or already has them is enough. The hash guards against doing it twice.
 *
 * Throws `refused` only when every endpoint says that the transaction can never be valid, `transient` when none took it and it may be
 * valid later (fees, balance), and `uncertain` for everything else, a used nonce and a lost connection included.
 */
export async function broadcastStarknetTransaction(rpc: StarknetRpc, ours: SignedTransaction): Promise<void> {
  const transaction: unknown = JSON.parse(ours.raw)
  const answers = await rpc.askEach("starknet_addInvokeTransaction", [transaction], z.unknown())
  const verdicts = answers.map(judge)
  if (verdicts.includes("taken")) return
  const error = answers.find((answer) => !answer.ok)?.error
  // The worst case counts: what one endpoint refuses, another that did not answer may have taken.
  const disposition =
    (["uncertain", "transient", "refused"] as const).find((each) => verdicts.includes(each)) ?? "fatal"
  throw new AppError({
    code: "starknet.not_taken",
    disposition,
    message: ADVICE[disposition],
    details: { txid: ours.txid, rpcCode: rpcCodeOf(error), found: error?.message ?? "no endpoint" },
    cause: error,
  })
}

type Verdict = "taken" | "uncertain" | "transient" | "refused"

const ADVICE = {
  uncertain: "The Starknet transaction may or may not have arrived; look for it on chain before it is sent again",
  transient: "No Starknet endpoint takes the transaction now; the same bytes are sent again later",
  refused: "The Starknet node says that this transaction can never be valid; look at its reason",
  fatal: "No Starknet endpoint is configured; add an rpc url",
} as const

/** These pass: the fee market moves, balances are topped up, the rival in the mempool gets mined or dropped. */
const LATER: readonly number[] = [
  RPC_CODES.insufficientResources,
  RPC_CODES.insufficientBalance,
  RPC_CODES.replacementUnderpriced,
  RPC_CODES.feeBelowMinimum,
]
const NEVER: readonly number[] = [RPC_CODES.validationFailure, RPC_CODES.nonAccount, RPC_CODES.unsupportedVersion]

function judge(answer: Answer<unknown>): Verdict {
  if (answer.ok) return "taken"
  const code = rpcCodeOf(answer.error)
  if (code === RPC_CODES.duplicate) return "taken"
  if (code !== null && LATER.includes(code)) return "transient"
  // Some gateways report a nonce problem as a failed validation, and a used nonce may have been used by these very bytes.
  if (code !== null && NEVER.includes(code) && !/nonce/i.test(rpcDataOf(answer.error))) return "refused"
  return "uncertain"
}
