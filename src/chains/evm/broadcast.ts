import type { Hex } from "viem"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { findReceipt, findTransaction, hashOf } from "./read-transaction.ts"
import type { Answer } from "./rpc.ts"
import type { Wallet } from "./wallet.ts"

/**
 * Sends the stored bytes to every endpoint; one that takes them, or has them already, is enough.
 *
 * Throws `evm.not_taken`: `refused` only when every endpoint says that these bytes can never be valid and none of them knows them,
 * `uncertain` for everything else, a used nonce and a lost connection included.
 */
export async function broadcastEvmTransaction(
  { rpc }: Pick<Wallet, "rpc">,
  transaction: SignedTransaction,
): Promise<void> {
  const hash = hashOf(transaction)
  // CAST: the signer wrote `raw` as 0x-hex.
  const raw = transaction.raw as Hex
  const answers = await rpc.askEach((client) => client.request({ method: "eth_sendRawTransaction", params: [raw] }))
  const verdicts = answers.map((answer) => judge(answer, hash))
  if (verdicts.includes("taken")) return
  // These bytes may have been here before: then a node that refuses them now has them in a block or in its pool.
  const looks = await rpc.askEach(
    async (client) => (await findReceipt(client, hash)) !== null || (await findTransaction(client, hash)) !== null,
  )
  if (looks.some((look) => look.ok && look.value)) return
  const never = verdicts.every((verdict) => verdict === "never") && looks.every((look) => look.ok)
  const error = answers.find((answer) => !answer.ok)?.error
  throw new AppError({
    code: "evm.not_taken",
    disposition: never ? "refused" : "uncertain",
    message: never
      ? "The EVM node says that this transaction can never be valid; look at its reason"
      : "The EVM transaction may or may not have arrived; look for it on chain before it is sent again",
    details: { txid: transaction.txid, found: error?.message ?? "another hash than ours" },
    cause: error,
  })
}

type Verdict = "taken" | "never" | "unknown"

/** Nodes have no codes for these, only words: geth, erigon, nethermind, besu, reth and anvil differ in few of them. */
const KNOWN = /already known|already imported|known transaction|alreadyknown/i
const NEVER = /insufficient funds|intrinsic gas|exceeds block gas limit/i

function judge(answer: Answer<Hex>, hash: Hex): Verdict {
  if (answer.ok) return answer.value === hash ? "taken" : "unknown"
  const found = String(answer.error.details["found"] ?? "")
  if (answer.error.code !== "evm.rpc") return "unknown"
  if (KNOWN.test(found)) return "taken"
  return NEVER.test(found) ? "never" : "unknown"
}
