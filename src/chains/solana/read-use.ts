import { AppError } from "#lib/app-error.ts"
import { assertGenuine } from "./assert-genuine.ts"
import { readSafeAction, type SafeAction } from "./check-plan.ts"
import { askEach, type Endpoints, firstErrorOf } from "./endpoints.ts"
import type { SolanaNode } from "./node.ts"
import type { Wallet } from "./wallet.ts"

export type SolanaUse = { readonly txid: string; readonly action: SafeAction }

/**
 * Reads a transaction that our key signed, as far as it pays only us. Its bytes carry its id, which is a signature over the message, and all other
 * signatures, so one endpoint is enough and none can invent one. `null` if it does more. Throws `solana.nonsense` (transient) if no endpoint shows it.
 */
export async function readSolanaUse(endpoints: Endpoints, wallet: Wallet, txid: string): Promise<SolanaUse | null> {
  const answers = await askEach(
    endpoints,
    async ({ node }) => readSafeAction(await readMessage(node({ commitment: "finalized" }), txid), wallet),
    endpoints.all,
  )
  const [read] = answers.filter((answer) => answer.ok)
  if (read === undefined) throw firstErrorOf(answers)
  return read.value === null ? null : { txid, action: read.value }
}

async function readMessage(node: SolanaNode, txid: string): Promise<Uint8Array> {
  const found = await node.fetchTransaction(txid)
  if (found !== null) return assertGenuine(found, txid).serialize()
  throw new AppError({
    code: "solana.nonsense",
    disposition: "transient",
    message: `the node does not show transaction ${txid} that another read listed; a second read may return it`,
    details: { txid },
  })
}
