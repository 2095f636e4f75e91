import { PublicKey } from "@solana/web3.js"
import type { Hex } from "#routes/cctp/message.ts"

/**
 * The state of the programs, as Circle publishes it: the discriminator, then the fields in their
 * order without padding. `null` for an account that is none of the program.
 */
type Account = { readonly owner: string; readonly data: Buffer } | null

type TransmitterState = {
  readonly isPaused: boolean
  readonly localDomain: number
  readonly threshold: number
  /** Addresses of 20 bytes, in lower-case hex. */
  readonly attesters: readonly Hex[]
}

export function decodeTransmitter(account: Account, program: PublicKey): TransmitterState | null {
  const data = stateOf(account, program, "4728b48e13cb23fc", 153)
  if (data === null) return null
  const count = data.readUInt32LE(149)
  if (count > MOST_ATTESTERS || data.length < 153 + 32 * count) return null
  return {
    isPaused: data[136] !== 0,
    localDomain: data.readUInt32LE(137),
    threshold: data.readUInt32LE(145),
    attesters: Array.from({ length: count }, (_, at): Hex => {
      const start = 153 + 32 * at
      return `0x${data.toString("hex", start + 12, start + 32)}`
    }),
  }
}

/** Far above every number of attesters; it bounds the work for a hostile answer. */
const MOST_ATTESTERS = 64

type MessengerState = { readonly feeRecipient: PublicKey; readonly minFee: bigint }

/** `minFee`: in ten-millionths of the amount. */
export function decodeMessenger(account: Account, program: PublicKey): MessengerState | null {
  const data = stateOf(account, program, "a204f23493f3dd60", 177)
  return (
    data && {
      feeRecipient: new PublicKey(data.subarray(109, 141)),
      minFee: BigInt(data.readUInt32LE(173)),
    }
  )
}

export function decodeRemoteMessenger(account: Account, program: PublicKey): Hex | null {
  const data = stateOf(account, program, "6973ae225fe98afc", 44)
  return data && wordAt(data, 12)
}

export function decodeMinter(
  account: Account,
  program: PublicKey,
): { readonly isPaused: boolean } | null {
  const data = stateOf(account, program, "7a85543f399fabce", 74)
  return data && { isPaused: data[72] !== 0 }
}

export function decodeLocalToken(
  account: Account,
  program: PublicKey,
): { readonly mint: Hex; readonly burnLimitUnits: bigint } | null {
  const data = stateOf(account, program, "9f833aaac15480b6", 130)
  return data && { mint: wordAt(data, 40), burnLimitUnits: data.readBigUInt64LE(72) }
}

/** The local token of a pair. */
export function decodeTokenPair(account: Account, program: PublicKey): Hex | null {
  const data = stateOf(account, program, "11d62db0e595c547", 77)
  return data && wordAt(data, 44)
}

function stateOf(
  account: Account,
  program: PublicKey,
  discriminator: string,
  bytes: number,
): Buffer | null {
  if (account === null || account.owner !== program.toBase58()) return null
  const { data } = account
  return data.length >= bytes && data.toString("hex", 0, 8) === discriminator ? data : null
}

function wordAt(data: Buffer, at: number): Hex {
  return `0x${data.toString("hex", at, at + 32)}`
}
