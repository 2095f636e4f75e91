import { mustExist } from "#lib/assert.ts"
import { type AttestationTimes, type BurnDomain, LOCAL_TIMES } from "#routes/cctp/burn-domain.ts"
import type { Hex } from "#routes/cctp/message.ts"

/** The programs of CCTP v2 on one Solana cluster, and the mint that they burn. */
export type CctpTexts = {
  readonly network: "main" | "test"
  readonly domain: number
  readonly token: string
  readonly messenger: string
  readonly transmitter: string
  /** Circle's own table of the programs' addresses; `null` without one. */
  readonly lookupTable: string | null
}

/** Circle's number of Solana. */
const DOMAIN = 5

/** The same on every cluster (Circle's Solana programs, and the records of its bridge kit). */
const PROGRAMS = {
  messenger: "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe",
  transmitter: "CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC",
}

/**
 * By the name of the preset. `solana_testnet` is devnet. The tables are constants of Circle's
 * published client (`@circle-fin/adapter-solana`); a mint reads what they hold.
 */
const PINNED: Readonly<Record<string, CctpTexts>> = {
  solana: {
    network: "main",
    domain: DOMAIN,
    token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    ...PROGRAMS,
    lookupTable: "qj4EYgsGpnRdt9rvQW3wWZR8JVaKPg9rG9EB8DNgfz8",
  },
  solana_testnet: {
    network: "test",
    domain: DOMAIN,
    token: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
    ...PROGRAMS,
    lookupTable: "29VCJ73d5aR5dE6oxaUkipntw1tFzDDKNLqrXE2ujWHW",
  },
}

/**
 * The programs of a preset, or those that the configuration of a local chain names. `null` where
 * there are none, or one is no address.
 */
export function findCctpTexts(
  preset: string,
  given?: Readonly<Record<string, string>>,
): CctpTexts | null {
  if (given === undefined) return PINNED[preset] ?? null
  const { domain = "", token = "", messenger = "", transmitter = "" } = given
  const isWhole = [token, messenger, transmitter].every((text) => readWord(text) !== null)
  if (!isWhole) return null
  const programs = { token, messenger, transmitter }
  return { network: "test", domain: Number(domain), ...programs, lookupTable: null }
}

/** The place of a cluster in CCTP. Fast is attested after 2 or 3 slots, standard after 32. */
export function findBurnDomain(
  preset: string,
  given?: Readonly<Record<string, string>>,
): BurnDomain | null {
  const texts = findCctpTexts(preset, given)
  if (texts === null) return null
  const { network, domain, token, messenger, transmitter } = texts
  return {
    network,
    domain,
    token: requireWord(token),
    messenger: requireWord(messenger),
    transmitter: requireWord(transmitter),
    written: { token, messenger, transmitter },
    // A mint is no program.
    pinnable: [messenger, transmitter],
    ...(given === undefined ? { fastMs: times(8, 600), standardMs: times(25, 600) } : LOCAL_TIMES),
  }
}

function times(typicalSeconds: number, lateSeconds: number): AttestationTimes {
  return { typical: typicalSeconds * 1_000, late: lateSeconds * 1_000 }
}

function requireWord(text: string): Hex {
  return mustExist(readWord(text), "an address of 32 bytes")
}

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Base 58 without its library, for the registry of families loads none. */
function readWord(text: string): Hex | null {
  if (!/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(text)) return null
  const digits = [...text].map((letter) => BigInt(ALPHABET.indexOf(letter)))
  const value = digits.reduce((sum, digit) => sum * 58n + digit, 0n)
  const zeros = text.length - text.replace(/^1+/, "").length
  const bytes = value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)
  return zeros + bytes === 32 ? `0x${value.toString(16).padStart(64, "0")}` : null
}
