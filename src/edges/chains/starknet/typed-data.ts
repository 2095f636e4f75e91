import { typedData as snip12, type TypedData } from "starknet"
import { z } from "zod"
import type { Finding } from "#domain/deposit.ts"
import {
  encodeShortString,
  formatAddress,
  formatFelt,
  joinU256,
  readFelt,
  splitU256,
} from "./felt.ts"
import { HASH_LAYOUTS, type HashLayout, type InitiateTerms, joinHash, splitHash } from "./htlc.ts"

/** The expected content of the typed data: the decoded call, its contract and the chain. */
type ExpectedTypedData = InitiateTerms & {
  readonly layout: HashLayout
  readonly htlc: bigint
  readonly chainId: string
}

/**
 * Compares the service's SNIP-12 typed data with the decoded call, member by member, and returns a
 * version rebuilt from our own values: with the same hash, without redeclared preset types
 * (starknet.js rejects those), and without undeclared members.
 *
 * Known variants (field notes): domain version 1 or 2, `verifyingContract`, `valid_until`, the
 * secret hash as 8 × u32 or 2 × u128. Pure; never throws.
 */
export function checkTypedData(
  value: unknown,
  expected: ExpectedTypedData,
): { findings: readonly Finding[]; typedData: TypedData | null } {
  const parsed = typedDataSchema.safeParse(value)
  if (!parsed.success) {
    return {
      findings: [finding("starknet.typed_data", "SNIP-12 typed data", describe(parsed.error))],
      typedData: null,
    }
  }
  const { types, domain, message, primaryType } = parsed.data
  const members = types["Initiate"] ?? []
  const findings = [
    ...checkTypes(types, primaryType),
    ...checkDomain(types, domain, expected),
    ...members.flatMap((member) => checkMember(member, message, expected)),
    ...REQUIRED[expected.layout]
      .filter((name) => !members.some((member) => member.name === name))
      .map((name) => finding("starknet.typed_member_missing", name, "not declared")),
  ]
  if (findings.length > 0) return { findings, typedData: null }
  return { findings, typedData: rebuild(parsed.data, expected) }
}

/** The SNIP-12 hash that `account` signs. */
export function hashTypedData(typedData: TypedData, account: bigint): string {
  return snip12.getMessageHash(typedData, formatFelt(account))
}

const memberSchema = z.object({ name: z.string(), type: z.string() })
const typedDataSchema = z.object({
  types: z.record(z.string(), z.array(memberSchema)),
  primaryType: z.string(),
  domain: z.record(z.string(), z.union([z.string(), z.number()])),
  message: z.record(z.string(), z.unknown()),
})
type Parsed = z.infer<typeof typedDataSchema>
type Member = z.infer<typeof memberSchema>

const TERMS = ["redeemer", "amount", "timelock", "secretHash"]
/**
 * Contracts with halves name themselves in the signature (published client). Of those with words,
 * only the newer ones do.
 */
const REQUIRED: Readonly<Record<HashLayout, readonly string[]>> = {
  halves: [...TERMS, "verifyingContract"],
  words: TERMS,
}

/** SNIP-12 presets; a redeclared preset must equal the original. */
const PRESETS: Readonly<Record<string, string>> = {
  u256: "low:u128,high:u128",
  TokenAmount: "token_address:ContractAddress,amount:u256",
  NftId: "collection_address:ContractAddress,token_id:u256",
}

function checkTypes(types: Parsed["types"], primaryType: string): Finding[] {
  const findings = Object.entries(PRESETS).flatMap(([name, expected]) => {
    const declared = types[name]?.map((member) => `${member.name}:${member.type}`).join(",")
    return declared === undefined || declared === expected
      ? []
      : [finding("starknet.typed_preset", expected, declared)]
  })
  if (primaryType !== "Initiate")
    findings.push(finding("starknet.typed_primary", "Initiate", primaryType))
  const names = (types["Initiate"] ?? []).map((member) => member.name)
  if (new Set(names).size !== names.length)
    findings.push(finding("starknet.typed_member_twice", "once", names.join()))
  return findings
}

function checkDomain(
  types: Parsed["types"],
  domain: Parsed["domain"],
  expected: ExpectedTypedData,
): Finding[] {
  const findings: Finding[] = []
  const declared = types["StarknetDomain"] ?? []
  const known = declared.every(
    ({ name, type }) =>
      Object.hasOwn(domain, name) &&
      DOMAIN_MEMBERS.includes(name) &&
      DOMAIN_TYPES.includes(type.toLowerCase()),
  )
  const twice = new Set(declared.map(({ name }) => name)).size !== declared.length
  const missing = DOMAIN_MEMBERS.slice(0, 4).some(
    (name) => !declared.some((member) => member.name === name),
  )
  if (!known || twice || missing) {
    findings.push(
      finding(
        "starknet.typed_domain",
        DOMAIN_MEMBERS.join(),
        declared.map(({ name }) => name).join(),
      ),
    )
  }
  if (String(domain["revision"]) !== "1") {
    findings.push(finding("starknet.typed_revision", "1", String(domain["revision"])))
  }
  const chainId = domain["chainId"]
  const found = readFelt(chainId) ?? encodeShortString(String(chainId))
  if (found !== encodeShortString(expected.chainId)) {
    findings.push(finding("starknet.typed_chain_id", expected.chainId, String(chainId)))
  }
  const contract = domain["verifyingContract"]
  if (contract !== undefined && readFelt(contract) !== expected.htlc) {
    findings.push(
      finding("starknet.typed_contract", formatAddress(expected.htlc), String(contract)),
    )
  }
  return findings
}

/**
 * The first four are required. The deployment chooses name and version, and the contract checks
 * them.
 */
const DOMAIN_MEMBERS = ["name", "version", "chainId", "revision", "verifyingContract"]
/** SNIP-12's domain has short strings; its earlier revision and some deployments use `felt`. */
const DOMAIN_TYPES = ["shortstring", "felt", "string", "contractaddress"]

function checkMember(
  { name, type }: Member,
  message: Parsed["message"],
  expected: ExpectedTypedData,
): Finding[] {
  const member = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined
  if (!member) return [finding("starknet.typed_member_unknown", Object.keys(MEMBERS).join(), name)]
  if (!member.types.includes(type))
    return [finding("starknet.typed_member_type", member.types.join(" or "), type)]
  const value = message[name]
  if (member.holds(value, expected)) return []
  return [finding(`starknet.typed_${member.code}`, member.show(expected), show(value))]
}

type MemberRule = {
  readonly code: string
  readonly types: readonly string[]
  readonly holds: (value: unknown, expected: ExpectedTypedData) => boolean
  readonly show: (expected: ExpectedTypedData) => string
}

const MEMBERS: Readonly<Record<string, MemberRule>> = {
  redeemer: {
    code: "redeemer",
    types: ["ContractAddress", "felt"],
    holds: (value, { redeemer }) => readFelt(value) === redeemer,
    show: ({ redeemer }) => formatAddress(redeemer),
  },
  amount: {
    code: "amount",
    types: ["u256"],
    holds: (value, { units }) => readAmount(value) === units,
    show: ({ units }) => units.toString(),
  },
  timelock: {
    code: "timelock",
    types: ["u128", "felt"],
    holds: (value, { timelock }) => readFelt(value) === timelock,
    show: ({ timelock }) => timelock.toString(),
  },
  secretHash: {
    code: "secret_hash",
    types: ["u128*", "felt*"],
    holds: (value, { secretHash }) => readHash(value) === secretHash,
    show: ({ secretHash }) => secretHash,
  },
  verifyingContract: {
    code: "contract",
    types: ["ContractAddress", "felt"],
    holds: (value, { htlc }) => readFelt(value) === htlc,
    show: ({ htlc }) => formatAddress(htlc),
  },
  // The end of the signature's validity: an early end is harmless, and a late end is no worse than
  // none.
  valid_until: {
    code: "valid_until",
    types: ["u128", "felt", "timestamp"],
    holds: (value) => readFelt(value) !== null,
    show: () => "a block number or time",
  },
}

const amountSchema = z.object({ low: z.unknown(), high: z.unknown() })

function readAmount(value: unknown): bigint | null {
  const parsed = amountSchema.safeParse(value)
  return parsed.success ? joinU256(readFelt(parsed.data.low), readFelt(parsed.data.high)) : null
}

/** Eight u32 words or two u128 halves, joined to 32 bytes in hex. */
function readHash(value: unknown): string | null {
  const parts = Array.isArray(value) ? value.map(readFelt) : [null]
  if (!parts.every((part) => part !== null)) return null
  return HASH_LAYOUTS.map((layout) => joinHash(parts, layout)).find((hash) => hash !== null) ?? null
}

function rebuild({ types, domain, message }: Parsed, expected: ExpectedTypedData): TypedData {
  const [low, high] = splitU256(expected.units).map(formatFelt)
  const layout =
    Array.isArray(message["secretHash"]) && message["secretHash"].length === 2 ? "halves" : "words"
  const values: Record<string, unknown> = {
    redeemer: formatFelt(expected.redeemer),
    amount: { low, high },
    timelock: expected.timelock.toString(),
    secretHash: splitHash(expected.secretHash, layout).map(String),
    verifyingContract: formatFelt(expected.htlc),
    valid_until: String(message["valid_until"]),
  }
  const domainMembers = types["StarknetDomain"] ?? []
  const members = types["Initiate"] ?? []
  return {
    types: { StarknetDomain: domainMembers, Initiate: members },
    primaryType: "Initiate",
    domain: Object.fromEntries(domainMembers.map(({ name }) => [name, domain[name]])),
    message: Object.fromEntries(members.map(({ name }) => [name, values[name]])),
  }
}

function finding(code: string, expected: string, found: string): Finding {
  return {
    code,
    message: "the typed data differs from the call; Ballast signs nothing",
    expected,
    found,
  }
}

function describe(error: z.ZodError): string {
  return z.prettifyError(error).slice(0, 300)
}

function show(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200)
}
