import { type Address, type Hex, isAddress, isHex } from "viem"
import { z } from "zod"
import type { Finding } from "#domain/deposit.ts"
import { initiateFields } from "./htlc.ts"

/** Typed data as we sign it: every type and field is ours, every value was compared with the calldata's. */
export type InitiateTypedData = {
  readonly domain: {
    readonly name: string
    readonly version: string
    readonly chainId: number
    readonly verifyingContract: Address
  }
  readonly types: { readonly Initiate: typeof initiateFields }
  readonly primaryType: "Initiate"
  readonly message: {
    readonly redeemer: Address
    readonly timelock: bigint
    readonly amount: bigint
    readonly secretHash: Hex
  }
}

/** The stored, JSON-able form. */
type Stored = {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly contract: string
} & Terms

type Terms = {
  readonly redeemer: string
  readonly timelock: string
  readonly amount: string
  readonly secretHash: string
}

const field = z.object({ name: z.string(), type: z.string() })
const numeral = z.union([z.string(), z.number(), z.bigint()])
const claim = z.object({
  domain: z.strictObject({ name: z.string(), version: z.string(), chainId: numeral, verifyingContract: z.string() }),
  primaryType: z.string(),
  types: z.record(z.string(), z.array(field)),
  message: z.strictObject({ redeemer: z.string(), timelock: numeral, amount: numeral, secretHash: z.string() }),
})

const domainFields = [
  { name: "name", type: "string" },
  { name: "version", type: "string" },
  { name: "chainId", type: "uint256" },
  { name: "verifyingContract", type: "address" },
]

export type Expected = {
  readonly chainId: number
  readonly contract: string
  readonly redeemer: string
  readonly timelock: bigint
  readonly units: bigint
  readonly secretHash: string
}

/** Compares the service's typed data with the calldata member by member (EIP-712). Never throws. */
export function judgeTypedData(value: unknown, expected: Expected): { stored: Stored | null; findings: Finding[] } {
  const parsed = claim.safeParse(value)
  if (!parsed.success) {
    const found = parsed.error.issues[0]?.path.join(".") ?? ""
    return {
      stored: null,
      findings: [
        finding("evm.typed_data_form", "The typed data is not of the documented form", "EIP-712 Initiate", found),
      ],
    }
  }
  const { domain, primaryType, types, message } = parsed.data
  const findings = [
    ...differs(
      "evm.typed_data_types",
      "The typed data declares other types",
      typesText(expectedTypes),
      typesText(types),
    ),
    ...differs("evm.typed_data_primary", "The typed data signs another type", "Initiate", primaryType),
    ...differs("evm.typed_data_name", "The typed data's domain has another name", "HTLC", domain.name),
    ...differs(
      "evm.typed_data_chain",
      "The typed data is for another chain",
      String(expected.chainId),
      text(domain.chainId),
    ),
    ...differs(
      "evm.typed_data_contract",
      "The typed data is for another contract",
      expected.contract.toLowerCase(),
      domain.verifyingContract.toLowerCase(),
    ),
    ...differs(
      "evm.typed_data_redeemer",
      "The typed data names another redeemer than the calldata",
      expected.redeemer.toLowerCase(),
      message.redeemer.toLowerCase(),
    ),
    ...differs(
      "evm.typed_data_timelock",
      "The typed data has another timelock than the calldata",
      String(expected.timelock),
      text(message.timelock),
    ),
    ...differs(
      "evm.typed_data_amount",
      "The typed data has another amount than the calldata",
      String(expected.units),
      text(message.amount),
    ),
    ...differs(
      "evm.typed_data_secret",
      "The typed data has another secret hash than the calldata",
      expected.secretHash,
      message.secretHash.toLowerCase().replace(/^0x/, ""),
    ),
    ...(/^[0-9A-Za-z._-]{1,16}$/.test(domain.version)
      ? []
      : [finding("evm.typed_data_version", "The domain version is odd", "a short version", domain.version)]),
  ]
  if (findings.length > 0) return { stored: null, findings }
  const { redeemer, timelock, units, secretHash, chainId, contract } = expected
  const terms = { redeemer, timelock: String(timelock), amount: String(units), secretHash: `0x${secretHash}` }
  return { stored: { name: domain.name, version: domain.version, chainId, contract, ...terms }, findings: [] }
}

const expectedTypes: Record<string, readonly { name: string; type: string }[]> = {
  EIP712Domain: domainFields,
  Initiate: initiateFields,
}

/** From the stored form back to what viem signs; `null` for anything that is not one. */
export function readTypedData(stored: unknown): InitiateTypedData | null {
  if (typeof stored !== "object" || stored === null) return null
  // CAST: our own stored form, written by judgeTypedData; addresses and hex are checked below.
  const { name, version, chainId, contract, redeemer, timelock, amount, secretHash } = stored as Stored
  if (!isAddress(contract, { strict: false }) || !isAddress(redeemer, { strict: false }) || !isHex(secretHash))
    return null
  return {
    domain: { name, version, chainId, verifyingContract: contract },
    types: { Initiate: initiateFields },
    primaryType: "Initiate",
    message: { redeemer, timelock: BigInt(timelock), amount: BigInt(amount), secretHash },
  }
}

/** EIP712Domain may be left out: it is not hashed as given, but derived from the domain by every library. */
function typesText(types: Record<string, readonly { name: string; type: string }[]>): string {
  const all = { EIP712Domain: domainFields, ...types }
  return Object.entries(all)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([name, fields]) => `${name}(${fields.map((f) => `${f.type} ${f.name}`).join(",")})`)
    .join(" ")
}

function text(value: string | number | bigint): string {
  try {
    return BigInt(value).toString()
  } catch {
    // Not an integer: shown as it came, which then differs from what was expected.
    return String(value)
  }
}

function differs(code: string, message: string, expected: string, found: string): Finding[] {
  return expected === found ? [] : [finding(code, message, expected, found)]
}

function finding(code: string, message: string, expected: string, found: string): Finding {
  return { code, message, expected, found }
}
