import type { Hex } from "viem"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { says } from "#nodes/node-words.ts"
import type { EndpointAnswer } from "#nodes/quorum/agree-on.ts"
import { findReceipt, findTransaction, hashOf } from "../legs/read-transaction.ts"
import type { Wallet } from "../wallet.ts"

/**
 * Sends the stored bytes to every endpoint. Succeeds if one endpoint accepts the transaction or
 * already has it.
 *
 * Throws `evm.not_taken`: `refused` only if every endpoint says that these bytes can never be valid
 * and no endpoint knows the transaction; `uncertain` for every other failure, including a used
 * nonce and a lost connection.
 */
export async function broadcastEvmTransaction(
  { rpc }: Pick<Wallet, "rpc">,
  transaction: SignedTransaction,
): Promise<void> {
  const hash = hashOf(transaction)
  // CAST: the signer wrote `raw` as 0x-hex.
  const raw = transaction.raw as Hex
  const answers = await rpc.askEach((client) =>
    client.request({ method: "eth_sendRawTransaction", params: [raw] }),
  )
  const verdicts = answers.map((answer) => judgeAnswer(answer, hash))
  if (verdicts.includes("accepted")) return
  // An earlier attempt may have arrived: then a node that rejects these bytes now has them in a
  // block or in its mempool.
  const searches = await rpc.askEach(
    async (client) =>
      (await findReceipt(client, hash)) !== null || (await findTransaction(client, hash)) !== null,
  )
  if (searches.some((search) => search.ok && search.value)) return
  const never =
    verdicts.every((verdict) => verdict === "never") && searches.every((search) => search.ok)
  const error = answers.find((answer) => !answer.ok)?.error
  throw new AppError({
    code: "evm.not_taken",
    disposition: never ? "refused" : "uncertain",
    message: never
      ? "The EVM node says that this transaction can never be valid; check the node's reason"
      : "The EVM transaction may have arrived; observe the chain before sending it again",
    details: { txid: transaction.txid, found: error?.message ?? "another hash than ours" },
    cause: error,
  })
}

type Verdict = "accepted" | "never" | "unknown"

function judgeAnswer(answer: EndpointAnswer<Hex>, hash: Hex): Verdict {
  if (answer.ok) return answer.value === hash ? "accepted" : "unknown"
  if (says(answer.error, "known")) return "accepted"
  return says(answer.error, "never") ? "never" : "unknown"
}
