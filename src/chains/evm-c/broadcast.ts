import type { Hex } from "viem"
import type { SignedMove } from "#domain/move.ts"
import { AppError } from "#lib/app-error.ts"
import { type EvmRpc, shortMessage } from "./rpc.ts"

const KNOWN = /already known|already imported|alreadyknown|known transaction/i

/**
 * Sends the stored bytes to every endpoint; one that takes them, or has them, is enough. Anything else is `uncertain`: a node that refuses
 * today may have passed them on before.
 */
export async function broadcastMove(rpc: EvmRpc, move: SignedMove): Promise<void> {
  const answers = await Promise.all(
    rpc.clients.map(async (client) => {
      try {
        // CAST: our own signed serialisation.
        await client.sendRawTransaction({ serializedTransaction: move.raw as Hex })
        return null
      } catch (error) {
        const text = shortMessage(error)
        return KNOWN.test(text) ? null : text
      }
    }),
  )
  if (answers.some((answer) => answer === null)) return
  throw new AppError({
    code: "evm.broadcast_uncertain",
    disposition: "uncertain",
    message: `No node confirmed that it took the transaction: ${answers.join("; ")}`,
    details: { txid: move.txid },
  })
}
