import type { Reason } from "#domain/reason.ts"

/** A chain family that the service has and Ballast has not. */
type ForeignFamily = {
  readonly family: string
  /** The names that the service gives to its chains. */
  readonly chains: RegExp
  /** The form of its addresses; `null` where a family of ours has the same form. */
  readonly address: RegExp | null
}

/** Every family of the service that Ballast does not support. Only this table names them. */
const FOREIGN_FAMILIES: readonly ForeignFamily[] = [
  { family: "Tron", chains: /^tron(_|$)/, address: /^T[1-9A-HJ-NP-Za-km-z]{33}$/ },
  // 0x and 64 hex digits, as on Starknet.
  { family: "Sui", chains: /^sui(_|$)/, address: null },
  {
    family: "Litecoin",
    chains: /^(litecoin|ltc)(_|$)/,
    address: /^((ltc|tltc|rltc)1[02-9ac-hj-np-z]{11,87}|[LM][1-9A-HJ-NP-Za-km-z]{26,33})$/,
  },
  { family: "XRPL", chains: /^(xrpl|xrp|ripple)(_|$)/, address: /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/ },
  {
    family: "Lightning",
    chains: /^(lightning|ln)(_|$)/,
    address: /^ln(bc|tb|tbs|bcrt)[0-9]{0,12}[munp]?1[02-9ac-hj-np-z]{20,}$/i,
  },
  {
    family: "Spark",
    chains: /^spark(_|$)/,
    address: /^(spark|sparkt|sparkrt|sp|spt|sprt)1[02-9ac-hj-np-z]{20,100}$/,
  },
  { family: "Alpen signet", chains: /^alpen_signet(_|$)/, address: null },
  // The exchange of Hyperliquid. Its EVM chain is `hyperevm`.
  { family: "HyperCore", chains: /^hypercore(_|$)/, address: null },
]

const OURS = "Ballast supports Bitcoin, EVM chains, Solana and Starknet"

/**
 * The sentence that refuses a chain, an asset id or a family by name; `null` where no foreign
 * family has that name.
 */
export function foreignName(text: string): string | null {
  const chain = text.split(":")[0]?.toLowerCase() ?? ""
  const found = FOREIGN_FAMILIES.find(({ chains }) => chains.test(chain))
  return found === undefined
    ? null
    : `${text} is of the chain family ${found.family}, which is not supported yet; ${OURS}`
}

/** The sentence that refuses an address of a foreign family; `null` for any other text. */
export function foreignAddress(text: string): string | null {
  const found = FOREIGN_FAMILIES.find(({ address }) => address?.test(text) === true)
  return found === undefined
    ? null
    : `this is an address of ${found.family}, a chain family that is not supported yet; ${OURS}`
}

/**
 * The refusal of asset ids and addresses of foreign families: `family.unsupported`, one reason for
 * each.
 */
export function refuseForeign(names: readonly string[], addresses: readonly string[]): Reason[] {
  const messages = [...names.map(foreignName), ...addresses.map(foreignAddress)].filter(
    (message) => message !== null,
  )
  return messages.map((message) => ({ code: "family.unsupported", message }))
}
