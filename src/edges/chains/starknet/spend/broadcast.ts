import { z } from "zod"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { says } from "#nodes/node-words.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { RPC_CODES, rpcCodeOf, type StarknetRpc } from "../rpc.ts"

/**
 * Sends the stored bytes to every endpoint. Succeeds if one endpoint accepts the transaction or
 * already has it. A second broadcast is harmless, because the chain accepts a hash only once.
 *
 * Throws `starknet.not_taken`: `refused` only if every endpoint says that the transaction can never
 * be valid; `transient` if none accepted it and it may become valid later (fees, balance);
 * `uncertain` for every other failure, including a used nonce and a lost connection.
 */
export async function broadcastStarknetTransaction(
  rpc: StarknetRpc,
  signed: SignedTransaction,
): Promise<void> {
  const transaction: unknown = JSON.parse(signed.raw)
  const answers = await rpc.askAll(({ write }) =>
    write("starknet_addInvokeTransaction", [transaction], z.unknown()),
  )
  const verdicts = answers.map(judgeAnswer)
  if (verdicts.includes("accepted")) return
  const error = answers.find((answer) => !answer.ok)?.error
  // The worst case counts: if one endpoint refuses, another that did not answer may have accepted
  // it.
  const disposition =
    (["uncertain", "transient", "refused"] as const).find((each) => verdicts.includes(each)) ??
    "fatal"
  throw new AppError({
    code: "starknet.not_taken",
    disposition,
    message: ADVICE[disposition],
    details: {
      txid: signed.txid,
      rpcCode: rpcCodeOf(error),
      found: error?.message ?? "no endpoint",
    },
    cause: error,
  })
}

type Verdict = "accepted" | "uncertain" | "transient" | "refused"

const ADVICE = {
  uncertain: "The Starknet transaction may have arrived; observe the chain before sending it again",
  transient:
    "No Starknet endpoint accepts the transaction now; Ballast sends the same bytes again later",
  refused:
    "The Starknet node says that this transaction can never be valid; check the node's reason",
  fatal: "No Starknet endpoint is configured; add an rpc url",
} as const

/** Temporary: fees change, balances grow, and a competing transaction leaves the mempool. */
const LATER: readonly number[] = [
  RPC_CODES.insufficientResources,
  RPC_CODES.insufficientBalance,
  RPC_CODES.replacementUnderpriced,
  RPC_CODES.feeBelowMinimum,
]
const NEVER: readonly number[] = [
  RPC_CODES.validationFailure,
  RPC_CODES.nonAccount,
  RPC_CODES.unsupportedVersion,
]

function judgeAnswer(answer: EndpointAnswer<unknown>): Verdict {
  if (answer.ok) return "accepted"
  const code = rpcCodeOf(answer.error)
  if (code === RPC_CODES.duplicate) return "accepted"
  if (code !== null && LATER.includes(code)) return "transient"
  // Some gateways report a nonce problem as a failed validation, and these same bytes may have used
  // the nonce.
  if (code !== null && NEVER.includes(code) && !says(answer.error, "nonce")) return "refused"
  return "uncertain"
}
