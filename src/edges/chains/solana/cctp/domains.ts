import { type AttestationTimes, type BurnDomain, LOCAL_TIMES } from "#routes/cctp/burn-domain.ts"
import type { Hex } from "#routes/cctp/message.ts"
import { readBase58 } from "../keys/read-base58.ts"

/** The programs of CCTP v2 on one Solana cluster, and the mint that they burn. */
export type CctpTexts = {
  readonly network: "main" | "test"
  readonly domain: number
  readonly token: string
  readonly messenger: string
  readonly transmitter: string
}

/** Circle's number of Solana. */
const DOMAIN = 5

/** The same on every cluster (Circle's Solana programs, and the records of its bridge kit). */
const PROGRAMS = {
  messenger: "CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe",
  transmitter: "CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC",
}

/** By the name of the preset. `solana_testnet` is devnet. */
const PINNED: Readonly<Record<string, CctpTexts>> = {
  solana: {
    network: "main",
    domain: DOMAIN,
    token: "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v",
    ...PROGRAMS,
  },
  solana_testnet: {
    network: "test",
    domain: DOMAIN,
    token: "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU",
    ...PROGRAMS,
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
  const isWhole = [token, messenger, transmitter].every((text) => readBase58(text)?.length === 32)
  return isWhole ? { network: "test", domain: Number(domain), token, messenger, transmitter } : null
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
    token: wordOfBase58(token),
    messenger: wordOfBase58(messenger),
    transmitter: wordOfBase58(transmitter),
    written: { token, messenger, transmitter },
    ...(given === undefined ? { fastMs: times(8, 600), standardMs: times(25, 600) } : LOCAL_TIMES),
  }
}

function times(typicalSeconds: number, lateSeconds: number): AttestationTimes {
  return { typical: typicalSeconds * 1_000, late: lateSeconds * 1_000 }
}

function wordOfBase58(text: string): Hex {
  return `0x${Buffer.from(readBase58(text) ?? []).toString("hex")}`
}
