import { AppError } from "#lib/app-error.ts"
import { firstFailure } from "#nodes/quorum/reasons.ts"
import type { PastUse } from "#ports/account-uses.ts"
import type { FoundTransaction, SolanaNode } from "../node.ts"
import { type Endpoints, readAgreed } from "../nodes/endpoints.ts"
import { assertGenuine } from "../spend/assert-genuine.ts"
import { readSafePlan, type SafePlan } from "../spend/check-plan.ts"
import type { Wallet } from "../wallet.ts"
import { costsOf } from "./observe-transaction.ts"

/**
 * Reads a transaction that our key signed, as far as it pays only us. Its bytes carry its id, which
 * is a signature over the message, and all other signatures, so one endpoint is enough and none can
 * invent one. Its costs are in no signature, so enough endpoints must agree about them. `null` if
 * it does more. Throws `solana.nonsense` (transient) if no endpoint shows it, and the errors of an
 * agreement.
 */
export async function readSolanaUse(
  endpoints: Endpoints,
  wallet: Wallet,
  txid: string,
): Promise<PastUse | null> {
  const answers = await endpoints.askEach(async ({ node }) =>
    readPlan(await fetchShown(node({ commitment: "finalized" }), txid), txid, wallet),
  )
  const [read] = answers.filter((answer) => answer.ok)
  if (read === undefined) throw firstFailure(answers)
  const plan = read.value
  if (plan === null) return null
  const { action, isWithinCaps } = plan
  if (!isWithinCaps) return { txid, action, feeUnits: null }
  const { feeUnits } = await readAgreed(endpoints, "finalized", async (node) => {
    const shown = await fetchShown(node, txid)
    return costsOf(shown, plan, shown.meta.err === null, wallet)
  })
  return { txid, action, feeUnits }
}

function readPlan(shown: FoundTransaction, txid: string, wallet: Wallet): SafePlan | null {
  return readSafePlan(assertGenuine(shown, txid).message.serialize(), wallet)
}

async function fetchShown(node: SolanaNode, txid: string): Promise<FoundTransaction> {
  const found = await node.fetchTransaction(txid)
  if (found !== null) return found
  throw new AppError({
    code: "solana.nonsense",
    disposition: "transient",
    message:
      `the node does not show transaction ${txid} that another read listed; a second read may ` +
      "return it",
    details: { txid },
  })
}
