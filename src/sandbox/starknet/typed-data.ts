import { splitU256 } from "./contract.ts"
import { encodeShortString, poseidon, selectorOf } from "./felt.ts"

/** The message that a user signs for a gasless initiation. `words` is the secret hash as eight u32. */
export type InitiateMessage = {
  readonly redeemer: bigint
  readonly timelock: bigint
  readonly units: bigint
  readonly words: readonly bigint[]
}

/**
 * The SNIP-12 (revision 1) hash of an `Initiate` message for `signer`.
 *
 * Written from the rules of the SNIP, as in the Cairo contract, and not with starknet.js: Ballast signs with starknet.js, so an error
 * there must not pass in the devnet too.
 */
export function hashInitiate(message: InitiateMessage, chainId: bigint, signer: bigint): bigint {
  return poseidon([encodeShortString("StarkNet Message"), hashDomain(chainId), signer, hashMessage(message)])
}

/** starknet.js encodes a short string of digits as a number: version "1" is 1 and not 0x31. */
export function hashDomain(chainId: bigint): bigint {
  return poseidon([DOMAIN_TYPE, encodeShortString(DOMAIN.name), BigInt(DOMAIN.version), chainId, 1n])
}

export function hashMessage({ redeemer, timelock, units, words }: InitiateMessage): bigint {
  const amount = poseidon([U256_TYPE, ...splitU256(units)])
  return poseidon([INITIATE_TYPE, redeemer, amount, timelock, poseidon(words)])
}

/** The typed data of the service interface (§2, Starknet). `hashInitiate` computes its hash. */
export function describeInitiate(message: InitiateMessage, chainName: string): Record<string, unknown> {
  const [low, high] = splitU256(message.units).map((half) => `0x${half.toString(16)}`)
  return {
    domain: { ...DOMAIN, chainId: chainName },
    primaryType: "Initiate",
    types: { StarknetDomain: fields(DOMAIN_FIELDS), Initiate: fields(INITIATE_FIELDS) },
    message: {
      redeemer: message.redeemer.toString(),
      amount: { low, high },
      timelock: message.timelock.toString(),
      secretHash: message.words.map(Number),
    },
  }
}

const DOMAIN = { name: "HTLC", version: "1", revision: "1" }

type Field = readonly [name: string, type: string]

const DOMAIN_FIELDS: readonly Field[] = [
  ["name", "shortstring"],
  ["version", "shortstring"],
  ["chainId", "shortstring"],
  ["revision", "shortstring"],
]
const INITIATE_FIELDS: readonly Field[] = [
  ["redeemer", "ContractAddress"],
  ["amount", "u256"],
  ["timelock", "u128"],
  ["secretHash", "u128*"],
]

const U256_TEXT = encodeType("u256", [
  ["low", "u128"],
  ["high", "u128"],
])
const U256_TYPE = selectorOf(U256_TEXT)
const DOMAIN_TYPE = selectorOf(encodeType("StarknetDomain", DOMAIN_FIELDS))
const INITIATE_TYPE = selectorOf(encodeType("Initiate", INITIATE_FIELDS) + U256_TEXT)

/** The encode_type of SNIP-12, with every name in double quotes. */
function encodeType(name: string, members: readonly Field[]): string {
  return `"${name}"(${members.map(([member, type]) => `"${member}":"${type}"`).join(",")})`
}

function fields(members: readonly Field[]): { name: string; type: string }[] {
  return members.map(([name, type]) => ({ name, type }))
}
