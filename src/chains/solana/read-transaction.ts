import { ComputeBudgetProgram, VersionedMessage, VersionedTransaction } from "@solana/web3.js"

/**
 * Reads serialized transactions and messages, legacy and version 0, into instructions with their accounts. Pure.
 *
 * `null` for what does not parse, or parses but does not serialize back to the same bytes (something is hidden in it).
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

/** One account of a message; `address` is `null` where only an address lookup table on chain knows it. */
export type AccountReference = {
  readonly address: string | null
  readonly signer: boolean
  readonly writable: boolean
  readonly lookup: { readonly table: string; readonly index: number } | null
}

/** The most that compute-budget instructions allow; `null` where they set nothing. */
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
  return instruction.program.address === ComputeBudgetProgram.programId.toBase58() && instruction.accounts.length === 0
}

function fromBase64(text: string): ReadTransaction | null {
  const bytes = Buffer.from(text, "base64")
  try {
    const { message, signatures } = VersionedTransaction.deserialize(bytes)
    if (!Buffer.from(new VersionedTransaction(message, signatures).serialize()).equals(bytes)) return null
    return readParts(message, signatures)
  } catch {
    // The library throws for every malformed input; all of them mean the same to us.
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

function readParts(message: VersionedMessage, signatures: readonly Uint8Array[]): ReadTransaction | null {
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

/** Static accounts, then the writable ones of all lookup tables, then the read-only ones: the runtime's own order. */
function readAccounts(message: VersionedMessage): AccountReference[] {
  const known = message.staticAccountKeys.map((key, index) => ({
    address: key.toBase58(),
    signer: message.isAccountSigner(index),
    writable: message.isAccountWritable(index),
    lookup: null,
  }))
  const lookedUp = (writable: boolean): AccountReference[] =>
    message.addressTableLookups.flatMap((lookup) =>
      (writable ? lookup.writableIndexes : lookup.readonlyIndexes).map((index) => ({
        address: null,
        signer: false,
        writable,
        lookup: { table: lookup.accountKey.toBase58(), index },
      })),
    )
  return [...known, ...lookedUp(true), ...lookedUp(false)]
}
