import { type Hex, hashTypedData as hash } from "viem"
import { z } from "zod"
import type { Finding } from "#domain/deposit.ts"
import { plainJson } from "#lib/json.ts"
import type { Terms } from "./htlc.ts"
import { readAddress, readBytes32 } from "./wallet.ts"

/**
 * Compares the service's EIP-712 data with the call that our own code decoded, and returns a normalised copy made of our own
 * figures. Only the domain's version is the service's word: a wrong one makes a signature that no contract accepts.
 */
export function checkTypedData(
  value: unknown,
  expected: Expected,
): { findings: Finding[]; typedData: TypedData | null } {
  const parsed = schema.safeParse(value)
  if (!parsed.success) {
    const found = z.prettifyError(parsed.error).slice(0, 300)
    return { findings: [finding("form", "EIP-712 typed data", found)], typedData: null }
  }
  const { domain, types, primaryType, message } = parsed.data
  const findings = [
    ...(primaryType === "Initiate" ? [] : [finding("primary", "Initiate", primaryType)]),
    ...checkDomain(domain, expected),
    ...checkTypes(types),
    ...checkMessage(message, expected),
  ]
  const version = domain["version"]
  const sound = findings.length === 0 && typeof version === "string"
  return { findings, typedData: sound ? rebuild(version, expected) : null }
}

/** The digest that the contract checks the signature against, over the figures in the normalised copy. */
export function hashTypedData(typedData: TypedData): Hex {
  return hash(signable(typedData))
}

/** In viem's form, whose numbers are bigint. */
export function signable({ domain, types, primaryType, message }: TypedData) {
  const { redeemer, timelock, amount, secretHash } = message
  const figures = { redeemer, timelock: BigInt(timelock), amount: BigInt(amount), secretHash }
  return { domain: { ...domain, chainId: BigInt(domain.chainId) }, types, primaryType, message: figures }
}

export type Expected = Terms & { readonly chainId: number; readonly htlc: Hex }

/** JSON-able; `timelock` and `amount` are decimal strings. */
export type TypedData = {
  readonly domain: { name: string; version: string; chainId: number; verifyingContract: Hex }
  readonly types: { readonly EIP712Domain: typeof DOMAIN; readonly Initiate: typeof INITIATE }
  readonly primaryType: "Initiate"
  readonly message: { redeemer: Hex; timelock: string; amount: string; secretHash: Hex }
}

type Member = { readonly name: string; readonly type: string }

const record = z.record(z.string(), z.unknown())
const schema = z.object({
  domain: record,
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: record,
})

/** Service interface §2. */
const DOMAIN = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
] as const satisfies readonly Member[]
const INITIATE = [
  { name: "redeemer", type: "address" },
  { name: "timelock", type: "uint256" },
  { name: "amount", type: "uint256" },
  { name: "secretHash", type: "bytes32" },
] as const satisfies readonly Member[]

function checkDomain(domain: Record<string, unknown>, { chainId, htlc }: Expected): Finding[] {
  const known: readonly string[] = DOMAIN.map(({ name }) => name)
  const foreign = Object.keys(domain).filter((name) => !known.includes(name))
  return [
    ...holds(foreign.length === 0, "domain", known.join(), foreign.join()),
    ...holds(domain["name"] === "HTLC", "domain", "name HTLC", domain["name"]),
    ...holds(typeof domain["version"] === "string", "domain", "a version", domain["version"]),
    ...holds(readNumber(domain["chainId"]) === BigInt(chainId), "domain", `chainId ${chainId}`, domain["chainId"]),
    ...holds(
      readAddress(domain["verifyingContract"]) === htlc,
      "domain",
      `verifyingContract ${htlc}`,
      domain["verifyingContract"],
    ),
  ]
}

/** A service may leave out the domain's own type, as viem does: it is always the plain one. */
function checkTypes(types: Record<string, readonly Member[]>): Finding[] {
  const [domain, initiate] = [types["EIP712Domain"] ?? DOMAIN, types["Initiate"] ?? []]
  return [
    ...holds(describe(domain) === describe(DOMAIN), "types", describe(DOMAIN), describe(domain)),
    ...holds(describe(initiate) === describe(INITIATE), "types", describe(INITIATE), describe(initiate)),
  ]
}

function checkMessage(message: Record<string, unknown>, expected: Expected): Finding[] {
  const { redeemer, timelock, units, secretHash } = expected
  const shows = (name: string, same: boolean, value: string): Finding[] =>
    holds(same, "message", `${name} ${value}`, message[name])
  return [
    ...shows("redeemer", readAddress(message["redeemer"]) === redeemer, redeemer),
    ...shows("timelock", readNumber(message["timelock"]) === timelock, timelock.toString()),
    ...shows("amount", readNumber(message["amount"]) === units, units.toString()),
    ...shows("secretHash", readBytes32(message["secretHash"]) === secretHash, secretHash),
  ]
}

function rebuild(version: string, { chainId, htlc, redeemer, timelock, units, secretHash }: Expected): TypedData {
  return {
    domain: { name: "HTLC", version, chainId, verifyingContract: htlc },
    types: { EIP712Domain: DOMAIN, Initiate: INITIATE },
    primaryType: "Initiate",
    message: { redeemer, timelock: timelock.toString(), amount: units.toString(), secretHash },
  }
}

/** Hex strings, decimal strings, safe numbers and bigints; `null` for anything else. */
function readNumber(value: unknown): bigint | null {
  if (typeof value === "bigint") return value
  if (typeof value === "number") return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  return typeof value === "string" && /^(0x[0-9a-fA-F]{1,64}|\d{1,78})$/.test(value) ? BigInt(value) : null
}

function describe(members: readonly Member[]): string {
  return members.map(({ name, type }) => `${type} ${name}`).join(", ")
}

function holds(condition: boolean, code: string, expected: string, found: unknown): Finding[] {
  return condition ? [] : [finding(code, expected, found)]
}

function finding(code: string, expected: string, found: unknown): Finding {
  const shown = typeof found === "string" ? found : (plainJson(found) ?? "nothing")
  const message = "The typed data does not say what the call does; nothing is signed"
  return { code: `evm.typed_data_${code}`, message, expected, found: shown.slice(0, 300) }
}
