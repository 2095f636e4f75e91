import { VersionedTransaction } from "@solana/web3.js"
import { AppError } from "#lib/app-error.ts"
import type { HtlcCall } from "../htlc.ts"
import { readBase58 } from "../keys/read-base58.ts"
import type { FoundTransaction } from "../node.ts"
import type { HtlcProgram } from "../program.ts"
import { TOKEN_PROGRAM } from "../tokens.ts"

/**
 * Reads the calls of `program` on `swapAccount` in one transaction from the chain, including calls
 * from inside other programs: a solver may redeem through its own contract. Throws
 * `solana.nonsense` (transient).
 */
export function readSwapCalls(
  found: FoundTransaction,
  program: string,
  swapAccount: string,
  { swapAccountAt, decodeCall }: Pick<HtlcProgram, "swapAccountAt" | "decodeCall">,
): SwapCall[] {
  const keys = accountKeys(found)
  return instructionsOf(found).flatMap(({ programIndex, accounts, data }) => {
    if (keys[programIndex] !== program || keys[accounts[swapAccountAt] ?? -1] !== swapAccount)
      return []
    const call = decodeCall(data)
    return call === null ? [] : [{ call, accounts: accounts.map((index) => keys[index] ?? "") }]
  })
}

export type SwapCall = { readonly call: HtlcCall; readonly accounts: readonly string[] }

/**
 * The amounts that the SPL Token program moved into `account` in a transaction, one for each
 * transfer.
 */
export function transfersInto(found: FoundTransaction, account: string): bigint[] {
  const keys = accountKeys(found)
  return instructionsOf(found).flatMap(({ programIndex, accounts, data }) => {
    const [kind] = data
    // Transfer: source, destination. TransferChecked: source, mint, destination.
    const destination = kind === TRANSFER ? 1 : kind === TRANSFER_CHECKED ? 2 : null
    if (keys[programIndex] !== TOKEN_PROGRAM.toBase58() || destination === null || data.length < 9)
      return []
    return keys[accounts[destination] ?? -1] === account
      ? [Buffer.from(data).readBigUInt64LE(1)]
      : []
  })
}

const TRANSFER = 3
const TRANSFER_CHECKED = 12

/**
 * The gain of a token account in a transaction, in units of `mint`; negative for a loss. An account
 * that the transaction creates counts from zero. `null` if the node lists no balance of this
 * account and mint.
 */
export function tokenGainOf(found: FoundTransaction, account: string, mint: string): bigint | null {
  const index = accountKeys(found).indexOf(account)
  const find = (balances: FoundTransaction["meta"]["preTokenBalances"]): bigint | undefined =>
    balances?.find((one) => one.accountIndex === index && one.mint === mint)?.uiTokenAmount.amount
  const before = find(found.meta.preTokenBalances)
  const after = find(found.meta.postTokenBalances)
  return before === undefined && after === undefined ? null : (after ?? 0n) - (before ?? 0n)
}

/**
 * The growth of an account's lamports in a transaction; 0 if the transaction does not include it.
 */
export function lamportsInto(found: FoundTransaction, address: string): bigint {
  const index = accountKeys(found).indexOf(address)
  const before = found.meta.preBalances[index]
  const after = found.meta.postBalances[index]
  return before === undefined || after === undefined ? 0n : after - before
}

/**
 * The gain of `address` in a transaction, in lamports. A fee that the address paid is added back.
 * `null` if the transaction does not include the address.
 */
export function gainOf(found: FoundTransaction, address: string): bigint | null {
  const index = accountKeys(found).indexOf(address)
  const { preBalances, postBalances, fee } = found.meta
  const before = preBalances[index]
  const after = postBalances[index]
  if (before === undefined || after === undefined) return null
  return after - before + (index === 0 ? fee : 0n)
}

/** All calls of a transaction in the order in which they ran, those between programs too. */
export function listCalls(found: FoundTransaction): readonly RanCall[] {
  const keys = accountKeys(found)
  return instructionsOf(found).map(({ programIndex, accounts, data }) => ({
    program: keys[programIndex] ?? "",
    accounts: accounts.map((index) => keys[index] ?? ""),
    data,
  }))
}

type RanCall = {
  readonly program: string
  readonly accounts: readonly string[]
  readonly data: Uint8Array
}

type RunInstruction = {
  readonly programIndex: number
  readonly accounts: number[]
  readonly data: Uint8Array
}

/**
 * All instructions in the order in which they ran: the calls of an instruction follow it, and
 * precede the next one.
 */
function instructionsOf(found: FoundTransaction): RunInstruction[] {
  const { message } = deserialize(found)
  const groups = found.meta.innerInstructions ?? []
  const ran = message.compiledInstructions.flatMap((instruction, at): RunInstruction[] => [
    {
      programIndex: instruction.programIdIndex,
      accounts: instruction.accountKeyIndexes,
      data: instruction.data,
    },
    ...groups
      .filter(({ index }) => index === at)
      .flatMap(({ instructions }) => instructions.map(readInner)),
  ])
  const unplaced = groups.filter(
    ({ index }) => message.compiledInstructions[index ?? -1] === undefined,
  )
  return [...ran, ...unplaced.flatMap(({ instructions }) => instructions.map(readInner))]
}

type Inner = NonNullable<
  FoundTransaction["meta"]["innerInstructions"]
>[number]["instructions"][number]

function readInner({ programIdIndex, accounts, data }: Inner): RunInstruction {
  return { programIndex: programIdIndex, accounts, data: readBase58(data) ?? Buffer.alloc(0) }
}

function accountKeys(found: FoundTransaction): string[] {
  const { message } = deserialize(found)
  const loaded = found.meta.loadedAddresses
  return [
    ...message.staticAccountKeys.map(String),
    ...(loaded?.writable ?? []),
    ...(loaded?.readonly ?? []),
  ]
}

/**
 * Throws `solana.nonsense` (transient): a second read, or another node, may return the whole
 * transaction.
 */
function deserialize({ transaction }: FoundTransaction): VersionedTransaction {
  try {
    return VersionedTransaction.deserialize(transaction)
  } catch (cause) {
    throw new AppError({
      code: "solana.nonsense",
      disposition: "transient",
      message:
        "the node returned a transaction that cannot be decoded; a second read may return it whole",
      details: { bytes: transaction.length },
      cause,
    })
  }
}
