import { VersionedTransaction } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import { decodeHtlcCall, type HtlcCall } from "./htlc.ts"
import type { FoundTransaction } from "./node.ts"
import { readBase58 } from "./read-base58.ts"

/**
 * Reads the calls of `program` on `swapAccount` in one transaction from the chain, including calls from inside other
 * programs: a solver may redeem through its own contract. Throws `solana.nonsense` (transient).
 */
export function readSwapCalls(found: FoundTransaction, program: string, swapAccount: string): HtlcCall[] {
  const keys = accountKeys(found)
  return instructionsOf(found).flatMap(({ programIndex, accounts, data }) => {
    if (keys[programIndex] !== program || keys[accounts[0] ?? -1] !== swapAccount) return []
    const call = decodeHtlcCall(data)
    return call === null ? [] : [call]
  })
}

/**
 * The gain of `address` in a transaction, in lamports. A fee that the address paid is added back. `null` if the
 * transaction does not include the address.
 */
export function gainOf(found: FoundTransaction, address: string): bigint | null {
  const index = accountKeys(found).indexOf(address)
  const { preBalances, postBalances, fee } = found.meta
  const [before, after] = [preBalances[index], postBalances[index]]
  if (before === undefined || after === undefined) return null
  return after - before + (index === 0 ? fee : 0n)
}

function instructionsOf(found: FoundTransaction): { programIndex: number; accounts: number[]; data: Uint8Array }[] {
  const { message } = deserialize(found)
  const outer = message.compiledInstructions.map((instruction) => ({
    programIndex: instruction.programIdIndex,
    accounts: instruction.accountKeyIndexes,
    data: instruction.data,
  }))
  const inner = (found.meta.innerInstructions ?? []).flatMap(({ instructions }) =>
    instructions.map((instruction) => ({
      programIndex: instruction.programIdIndex,
      accounts: instruction.accounts,
      data: readBase58(instruction.data) ?? Buffer.alloc(0),
    })),
  )
  return [...outer, ...inner]
}

function accountKeys(found: FoundTransaction): string[] {
  const { message } = deserialize(found)
  const loaded = found.meta.loadedAddresses
  return [...message.staticAccountKeys.map(String), ...(loaded?.writable ?? []), ...(loaded?.readonly ?? [])]
}

/** Throws `solana.nonsense` (transient): a second read, or another node, may return the whole transaction. */
function deserialize({ transaction }: FoundTransaction): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(transaction)
  } catch (cause) {
    throw new AppError({
      code: "solana.nonsense",
      disposition: "transient",
      message: "the node returned a transaction that cannot be decoded; a second read may return it whole",
      details: { bytes: transaction.length },
      cause,
    })
  }
}
