import { type Address, type Hex, hashTypedData as hashEip712 } from "viem"
import { z } from "zod"
import type { Finding } from "#domain/deposit.ts"
import { readAddress, type Terms } from "./htlc.ts"

/**
 * EIP-712 typed data of one order, rebuilt from our own values. Numbers are decimal strings, so
 * that it survives JSON.
 */
export type InitiateTypedData = {
  readonly domain: {
    readonly name: "HTLC"
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: Address
  }
  readonly primaryType: "Initiate"
  readonly types: typeof INITIATE_TYPES
  readonly message: {
    readonly redeemer: Address
    readonly timelock: string
    readonly amount: string
    readonly secretHash: Hex
  }
}

/**
 * Compares the service's typed data with the decoded call, member by member. The result is rebuilt
 * from the call, so the only hashed text of the service is the version of the domain, which the
 * deployment chooses. Pure; never throws.
 *
 * Numbers may be hex strings, decimal strings or JSON numbers. EIP-712 does not hash types that
 * `Initiate` does not use, so they are ignored.
 */
export function checkTypedData(
  value: unknown,
  expected: { readonly terms: Terms; readonly htlc: Address; readonly chainId: number },
): { readonly findings: readonly Finding[]; readonly typedData: InitiateTypedData | null } {
  const parsed = typedDataSchema.safeParse(value)
  if (!parsed.success) {
    const found = z.prettifyError(parsed.error).slice(0, 300)
    return { findings: [finding("form", "EIP-712 typed data", found)], typedData: null }
  }
  const { domain, types, primaryType, message } = parsed.data
  const findings = [
    ...(primaryType === "Initiate" ? [] : [finding("primary_type", "Initiate", primaryType)]),
    ...checkTypes(types),
    ...checkDomain(domain, expected),
    ...checkMessage(message, expected.terms),
  ]
  const version = domain["version"]
  if (findings.length > 0 || typeof version !== "string") return { findings, typedData: null }
  return { findings, typedData: rebuild(version, expected) }
}

/** The EIP-712 digest to sign. */
export function hashTypedData(typedData: InitiateTypedData): Hex {
  return hashEip712(toViem(typedData))
}

/** The same data with bigints, as viem's signer expects it. */
export function toViem({ domain, types, primaryType, message }: InitiateTypedData) {
  const { redeemer, timelock, amount, secretHash } = message
  return {
    domain,
    types,
    primaryType,
    message: { redeemer, timelock: BigInt(timelock), amount: BigInt(amount), secretHash },
  } as const
}

const INITIATE_TYPES = {
  Initiate: [
    { name: "redeemer", type: "address" },
    { name: "timelock", type: "uint256" },
    { name: "amount", type: "uint256" },
    { name: "secretHash", type: "bytes32" },
  ],
} as const

/** The domain of the interface document. EIP-712 would also hash a fifth member such as `salt`. */
const DOMAIN_TYPE = "string name,string version,uint256 chainId,address verifyingContract"
const DOMAIN_MEMBERS = ["chainId", "name", "verifyingContract", "version"]

const membersSchema = z.array(z.object({ name: z.string(), type: z.string() }))
const typedDataSchema = z.object({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), membersSchema),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
})

function checkTypes(types: z.infer<typeof typedDataSchema>["types"]): Finding[] {
  const initiate = describe(types["Initiate"] ?? [])
  const domain = types["EIP712Domain"]
  const expected = describe(INITIATE_TYPES.Initiate)
  return [
    ...(initiate === expected ? [] : [finding("types", expected, initiate)]),
    // Typed data often omits the domain's type, because it follows from the domain.
    ...(domain === undefined || describe(domain) === DOMAIN_TYPE
      ? []
      : [finding("domain_type", DOMAIN_TYPE, describe(domain))]),
  ]
}

function describe(members: readonly { readonly name: string; readonly type: string }[]): string {
  return members.map(({ name, type }) => `${type} ${name}`).join(",")
}

type Fields = Readonly<Record<string, unknown>>

function checkDomain(
  domain: Fields,
  { htlc, chainId }: { htlc: Address; chainId: number },
): Finding[] {
  const { name, version, verifyingContract } = domain
  const members = Object.keys(domain).sort().join()
  const findings: Finding[] = []
  if (members !== DOMAIN_MEMBERS.join())
    findings.push(finding("domain", DOMAIN_MEMBERS.join(), members))
  if (name !== "HTLC") findings.push(finding("name", "HTLC", show(name)))
  if (typeof version !== "string" || version === "" || version.length > 32) {
    findings.push(finding("version", "a short text", show(version)))
  }
  if (readNumber(domain["chainId"]) !== BigInt(chainId)) {
    findings.push(finding("chain_id", String(chainId), show(domain["chainId"])))
  }
  if (typeof verifyingContract !== "string" || readAddress(verifyingContract) !== htlc) {
    findings.push(finding("verifying_contract", htlc, show(verifyingContract)))
  }
  return findings
}

function checkMessage(message: Fields, terms: Terms): Finding[] {
  const { redeemer, timelock, amount, secretHash } = message
  const findings: Finding[] = []
  if (typeof redeemer !== "string" || readAddress(redeemer) !== terms.redeemer) {
    findings.push(finding("redeemer", terms.redeemer, show(redeemer)))
  }
  if (readNumber(timelock) !== terms.timelock) {
    findings.push(finding("timelock", terms.timelock.toString(), show(timelock)))
  }
  if (readNumber(amount) !== terms.units)
    findings.push(finding("amount", terms.units.toString(), show(amount)))
  if (
    typeof secretHash !== "string" ||
    secretHash.toLowerCase().replace(/^0x/, "") !== terms.secretHash
  ) {
    findings.push(finding("secret_hash", terms.secretHash, show(secretHash)))
  }
  return findings
}

/**
 * Reads a number in any of these notations; `null` unless it is an exact integer. 78 decimal digits
 * hold every uint256.
 */
function readNumber(value: unknown): bigint | null {
  if (typeof value === "number")
    return Number.isSafeInteger(value) && value >= 0 ? BigInt(value) : null
  if (typeof value === "string" && /^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value))
    return BigInt(value)
  return null
}

function rebuild(
  version: string,
  { terms, htlc, chainId }: { terms: Terms; htlc: Address; chainId: number },
): InitiateTypedData {
  return {
    domain: { name: "HTLC", version, chainId, verifyingContract: htlc },
    primaryType: "Initiate",
    types: INITIATE_TYPES,
    message: {
      redeemer: terms.redeemer,
      timelock: terms.timelock.toString(),
      amount: terms.units.toString(),
      secretHash: `0x${terms.secretHash}`,
    },
  }
}

function finding(part: string, expected: string, found: string): Finding {
  const message = "The typed data differs from the transaction; Ballast signs nothing"
  return { code: `evm.typed_data_${part}`, message, expected, found: found.slice(0, 300) }
}

function show(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing")
}
