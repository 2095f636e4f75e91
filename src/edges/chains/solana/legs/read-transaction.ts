import { ComputeBudgetProgram, VersionedMessage, VersionedTransaction } from "@solana/web3.js"

/**
 * Reads serialized transactions and messages, legacy and version 0, into instructions with their
 * accounts. Pure.
 *
 * Returns `null` if the bytes do not parse, or if they parse but do not serialize back to the same
 * bytes (hidden content).
 */
export const readTransaction = { fromBase64, fromMessage }

export type ReadTransaction = {
  readonly signatures: readonly Uint8Array[]
  readonly message: VersionedMessage
  readonly instructions: readonly ReadInstruction[]
  /** Accounts that the message locks although no instruction names them. */
  readonly unusedAccounts: readonly AccountReference[]
}

export type ReadInstruction = {
  readonly program: AccountReference
  readonly accounts: readonly AccountReference[]
  readonly data: Uint8Array
}

/** One account of a message; `address` is `null` if it is in an address lookup table on chain. */
export type AccountReference = {
  readonly address: string | null
  readonly signer: boolean
  readonly writable: boolean
  readonly lookup: { readonly table: string; readonly index: number } | null
}

/**
 * The limits that compute-budget instructions set (units, micro-lamports per unit); `null` if they
 * set none.
 */
export function readComputeBudget(instructions: readonly ReadInstruction[]): {
  unitLimit: bigint | null
  unitPriceMicroLamports: bigint | null
} {
  let unitLimit: bigint | null = null
  let unitPriceMicroLamports: bigint | null = null
  for (const { data } of instructions.filter(isComputeBudget)) {
    const bytes = Buffer.from(data)
    if (bytes[0] === 2 && bytes.length === 5) unitLimit = BigInt(bytes.readUInt32LE(1))
    if (bytes[0] === 3 && bytes.length === 9) unitPriceMicroLamports = bytes.readBigUInt64LE(1)
  }
  return { unitLimit, unitPriceMicroLamports }
}

export function isComputeBudget(instruction: ReadInstruction): boolean {
  return (
    instruction.program.address === ComputeBudgetProgram.programId.toBase58() &&
    instruction.accounts.length === 0
  )
}

function fromBase64(text: string): ReadTransaction | null {
  const bytes = Buffer.from(text, "base64")
  // The decoder skips foreign characters and stops at the padding, so that other texts would give
  // the same bytes.
  if (bytes.toString("base64") !== text) return null
  try {
    const { message, signatures } = VersionedTransaction.deserialize(bytes)
    if (!Buffer.from(new VersionedTransaction(message, signatures).serialize()).equals(bytes))
      return null
    return readParts(message, signatures)
  } catch {
    // The library throws for every malformed input; every such error means "unreadable" here.
    return null
  }
}

function fromMessage(bytes: Uint8Array): ReadTransaction | null {
  try {
    const message = VersionedMessage.deserialize(bytes)
    return Buffer.from(message.serialize()).equals(bytes) ? readParts(message, []) : null
  } catch {
    // As above.
    return null
  }
}

function readParts(
  message: VersionedMessage,
  signatures: readonly Uint8Array[],
): ReadTransaction | null {
  const accounts = readAccounts(message)
  const used = new Set<number>([0])
  const at = (index: number): AccountReference => {
    used.add(index)
    const account = accounts[index]
    if (account === undefined) throw new RangeError(`account ${index} is not in the message`)
    return account
  }
  const instructions = message.compiledInstructions.map((instruction) => ({
    program: at(instruction.programIdIndex),
    accounts: instruction.accountKeyIndexes.map(at),
    data: instruction.data,
  }))
  const unusedAccounts = accounts.filter((_, index) => !used.has(index))
  return { signatures, message, instructions, unusedAccounts }
}

/**
 * Lists static accounts, then the writable ones of all lookup tables, then the read-only ones, in
 * the runtime's order.
 */
function readAccounts(message: VersionedMessage): AccountReference[] {
  const staticAccounts = message.staticAccountKeys.map((key, index) => ({
    address: key.toBase58(),
    signer: message.isAccountSigner(index),
    writable: message.isAccountWritable(index),
    lookup: null,
  }))
  const fromTables = (writable: boolean): AccountReference[] =>
    message.addressTableLookups.flatMap((lookup) =>
      (writable ? lookup.writableIndexes : lookup.readonlyIndexes).map((index) => ({
        address: null,
        signer: false,
        writable,
        lookup: { table: lookup.accountKey.toBase58(), index },
      })),
    )
  return [...staticAccounts, ...fromTables(true), ...fromTables(false)]
}
