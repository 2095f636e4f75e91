import { splitU256 } from "./contract.ts"
import { encodeShortString, formatAddress, formatFelt, poseidon, selectorOf } from "./felt.ts"
import { type HtlcVariant, splitHash } from "./htlc-variant.ts"

/** The terms of an initiation. `secretHash` is 32 bytes in hex. */
export type InitiateMessage = {
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

/** The contract that verifies a signature. */
export type Verifier = {
  readonly variant: HtlcVariant
  readonly chainId: bigint
  readonly htlc: bigint
}

/**
 * The SNIP-12 (revision 1) hash of an `Initiate` message for `signer`.
 *
 * Written from the rules of the SNIP, as in the Cairo contract, and not with starknet.js: Ballast
 * signs with starknet.js, so an error there must not pass in the devnet too.
 */
export function hashInitiate(message: InitiateMessage, verifier: Verifier, signer: bigint): bigint {
  return hashFor(hashMessage(message, verifier), verifier, signer)
}

/** The hash of the message with which a redeemer agrees to an early refund. */
export function hashInstantRefund(orderId: bigint, verifier: Verifier, signer: bigint): bigint {
  const { variant, htlc } = verifier
  const members: Field[] = [
    ["orderID", "felt"],
    ...(variant.namesContract ? [VERIFYING_CONTRACT] : []),
  ]
  const type = selectorOf(encodeType("instantRefund", members))
  return hashFor(
    poseidon([type, orderId, ...(variant.namesContract ? [htlc] : [])]),
    verifier,
    signer,
  )
}

function hashFor(message: bigint, { variant, chainId }: Verifier, signer: bigint): bigint {
  return poseidon([
    encodeShortString("StarkNet Message"),
    hashDomain(variant, chainId),
    signer,
    message,
  ])
}

export function hashDomain({ domainVersion }: HtlcVariant, chainId: bigint): bigint {
  return poseidon([DOMAIN_TYPE, encodeShortString(DOMAIN.name), domainVersion, chainId, 1n])
}

export function hashMessage(message: InitiateMessage, { variant, htlc }: Verifier): bigint {
  const { redeemer, timelock, units, secretHash } = message
  const amount = poseidon([U256_TYPE, ...splitU256(units)])
  const type = selectorOf(encodeType("Initiate", initiateFields(variant)) + U256_TEXT)
  const contract = variant.namesContract ? [htlc] : []
  return poseidon([
    type,
    redeemer,
    amount,
    timelock,
    poseidon(splitHash(variant, secretHash)),
    ...contract,
  ])
}

/**
 * The typed data of the service interface (§2, Starknet). `hashInitiate` computes its hash. The
 * domain's version is a felt in hex, as the published client writes it, because starknet.js encodes
 * a short string of digits as a number.
 */
export function describeInitiate(
  message: InitiateMessage,
  { variant, htlc }: Verifier,
  chainName: string,
): Record<string, unknown> {
  const [low, high] = splitU256(message.units).map(formatFelt)
  const parts = splitHash(variant, message.secretHash)
  return {
    domain: { ...DOMAIN, version: formatFelt(variant.domainVersion), chainId: chainName },
    primaryType: "Initiate",
    types: { StarknetDomain: fields(DOMAIN_FIELDS), Initiate: fields(initiateFields(variant)) },
    message: {
      redeemer: message.redeemer.toString(),
      amount: { low, high },
      timelock: message.timelock.toString(),
      // Words fit JSON numbers; halves do not.
      secretHash: variant.hashPartBits === 32 ? parts.map(Number) : parts.map(String),
      ...(variant.namesContract ? { verifyingContract: formatAddress(htlc) } : {}),
    },
  }
}

const DOMAIN = { name: "HTLC", revision: "1" }

type Field = readonly [name: string, type: string]

const VERIFYING_CONTRACT: Field = ["verifyingContract", "ContractAddress"]
const DOMAIN_FIELDS: readonly Field[] = [
  ["name", "shortstring"],
  ["version", "shortstring"],
  ["chainId", "shortstring"],
  ["revision", "shortstring"],
]

function initiateFields({ namesContract }: HtlcVariant): readonly Field[] {
  const common: readonly Field[] = [
    ["redeemer", "ContractAddress"],
    ["amount", "u256"],
    ["timelock", "u128"],
    ["secretHash", "u128*"],
  ]
  return namesContract ? [...common, VERIFYING_CONTRACT] : common
}

const U256_TEXT = encodeType("u256", [
  ["low", "u128"],
  ["high", "u128"],
])
const U256_TYPE = selectorOf(U256_TEXT)
const DOMAIN_TYPE = selectorOf(encodeType("StarknetDomain", DOMAIN_FIELDS))

/** The encode_type of SNIP-12, with every name in double quotes. */
function encodeType(name: string, members: readonly Field[]): string {
  return `"${name}"(${members.map(([member, type]) => `"${member}":"${type}"`).join(",")})`
}

function fields(members: readonly Field[]): { name: string; type: string }[] {
  return members.map(([name, type]) => ({ name, type }))
}
