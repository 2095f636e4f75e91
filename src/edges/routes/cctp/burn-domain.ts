import type { Reason } from "#domain/reason.ts"
import type { Hex } from "./message.ts"

/** One chain of CCTP v2, as pinned or configured. Each family makes it from its own presets. */
export type BurnDomain = {
  /** Circle's number of the chain; 0 is one of them. Chain ids are other numbers. */
  readonly domain: number
  readonly network: "main" | "test"
  /** Addresses as words of 32 bytes, as messages have them. */
  readonly token: Hex
  readonly messenger: Hex
  readonly transmitter: Hex
  /** The same as people write them. */
  readonly written: Written
  /** Those of them that run code, so that a pin can have its hash. */
  readonly pinnable: readonly string[]
  /** `null` for a chain whose burns Circle attests only at their finality. */
  readonly fastMs: AttestationTimes | null
  readonly standardMs: AttestationTimes
}

type Written = Readonly<Record<"token" | "messenger" | "transmitter", string>>

/**
 * Circle's averages of 2026, from the burn to the attestation. Later than `late` is worth an alarm;
 * it loses nothing.
 */
export type AttestationTimes = { readonly typical: number; readonly late: number }

/** A local chain attests at once; its attester delays on request. */
export const LOCAL_TIMES = {
  fastMs: { typical: 8_000, late: 600_000 },
  standardMs: { typical: 60_000, late: 600_000 },
} as const satisfies Pick<BurnDomain, "fastMs" | "standardMs">

/** The decimals of USDC on every chain. */
export const DECIMALS = 6

/**
 * The amount of a look at a route before any burn: a dollar, which is above every least fee and
 * below every limit.
 */
export const SAMPLE_UNITS = 1_000_000n

/** `found`: `null` where the token does not tell them. */
export function describeDecimals(token: string, found: number | null): readonly Reason[] {
  if (found === DECIMALS) return []
  const message = `The token ${token} has ${found ?? "no"} decimals, and USDC has ${DECIMALS}`
  return [{ code: "discover.decimals_differ", message }]
}

/** A hexadecimal address as messages have it. */
export function wordOfText(text: string): Hex {
  return `0x${text.toLowerCase().replace(/^0x/, "").padStart(64, "0")}`
}

/** A chain whose contracts the configuration names: a local one. */
export function localDomain(contracts: Readonly<Record<string, string>>): BurnDomain {
  const { domain = "", token = "", messenger = "", transmitter = "" } = contracts
  return {
    domain: Number(domain),
    network: "test",
    token: wordOfText(token),
    messenger: wordOfText(messenger),
    transmitter: wordOfText(transmitter),
    ...readContracts({ token, messenger, transmitter }),
    ...LOCAL_TIMES,
  }
}

/** Contracts by hexadecimal addresses, without their checksums. */
export function readContracts(written: Written): Pick<BurnDomain, "written" | "pinnable"> {
  const token = written.token.toLowerCase()
  const messenger = written.messenger.toLowerCase()
  const transmitter = written.transmitter.toLowerCase()
  return {
    written: { token, messenger, transmitter },
    pinnable: [token, messenger, transmitter],
  }
}
