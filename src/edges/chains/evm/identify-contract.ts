import {
  type Address,
  decodeFunctionResult,
  encodeFunctionData,
  getAddress,
  type Hex,
  keccak256,
  parseAbi,
  zeroAddress,
} from "viem"
import { z } from "zod"
import type {
  ContractFinding,
  ContractInspection,
  ContractReader,
  ListedHtlc,
} from "#chains/contract-reader.ts"
import { ABSENT, type ContractIdentity } from "#domain/contract-identity.ts"
import { type AskNode, NodeRefusal } from "#nodes/ask-node.ts"
import { readAddress, sameAddress } from "./htlc.ts"
import type { EvmRpc } from "./rpc.ts"

/** The token of the published native HTLC: no contract, but the usual placeholder of the coin. */
export const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE"

/** The identity of one contract. All reads come from one endpoint, so that they fit together. */
export function fetchContractIdentity(rpc: EvmRpc, address: string): Promise<ContractIdentity> {
  return rpc.read((client) => {
    // CAST: the type lists viem's own methods with their parameters; the reader checks each answer.
    const request = client.request as (call: {
      method: string
      params: unknown
    }) => Promise<unknown>
    return evmContractReader.readIdentity((method, params) => request({ method, params }), address)
  })
}

/**
 * Reads HTLC contracts. `code` is the Keccak-256 of the account's code, as EXTCODEHASH gives it
 * (EIP-1052). A proxy also has `implementation`, the code hash of the contract that it runs;
 * several of them are joined with `+`.
 */
export const evmContractReader: ContractReader = {
  readIdentity: async (ask, htlc) => identityOf(await readLayers(ask, htlc)),
  nativeTokens: [zeroAddress, NATIVE_TOKEN],
  inspect: inspectEvmContract,
}

/** A contract, or a contract that another one runs by delegation. `how` is `null` for the first. */
type Layer = { readonly address: string; readonly code: Hex; readonly how: string | null }

/**
 * The slots of EIP-1967 (keccak256 of the name, minus one) and the older one of EIP-1822 (keccak256
 * of "PROXIABLE").
 */
const SLOTS = {
  implementation: "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc",
  beacon: "0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50",
  admin: "0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103",
  proxiable: "0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7",
} as const

/**
 * A minimal proxy in any of its published forms (EIP-1167 and its shorter variants, with or without
 * immutable arguments behind the code): it pushes one address and delegates to it.
 */
const CLONE = /^0x[0-9a-f]{0,60}73([0-9a-f]{40})5af4/
/**
 * The code of an account that delegates (EIP-7702). Its key can choose another contract at any
 * time.
 */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/
const MAX_LAYERS = 4

const hexText = z.string().regex(/^0x[0-9a-f]*$/i)

async function readLayers(ask: AskNode, htlc: string): Promise<readonly Layer[]> {
  const layers: Layer[] = [{ address: htlc, code: await readCode(ask, htlc), how: null }]
  const add = async (address: string | null, how: string): Promise<void> => {
    if (
      address === null ||
      layers.length >= MAX_LAYERS ||
      layers.some((layer) => sameAddress(layer.address, address))
    )
      return
    const code = await readCode(ask, address)
    layers.push({ address, code, how })
    await followCode(code)
  }
  const followCode = async (code: Hex): Promise<void> => {
    const clone = CLONE.exec(code)?.[1]
    const delegate = DELEGATION.exec(code)?.[1]
    if (clone !== undefined) await add(`0x${clone}`, "EIP-1167 minimal proxy")
    if (delegate !== undefined) await add(`0x${delegate}`, "EIP-7702 delegation")
  }
  await followCode(layers[0]?.code ?? "0x")
  if (layers[0]?.code === "0x") return layers
  // A proxy keeps these slots in its own storage, beside any code.
  const [implementation, beacon, proxiable] = await Promise.all([
    readSlot(ask, htlc, SLOTS.implementation),
    readSlot(ask, htlc, SLOTS.beacon),
    readSlot(ask, htlc, SLOTS.proxiable),
  ])
  await add(implementation, "EIP-1967 proxy")
  await add(
    beacon === null ? null : await readView(ask, beacon, "implementation"),
    "EIP-1967 beacon proxy",
  )
  await add(proxiable, "EIP-1822 proxy")
  return layers
}

function identityOf([contract, ...run]: readonly Layer[]): ContractIdentity {
  const code = contract === undefined ? ABSENT : hashOf(contract.code)
  return run.length === 0
    ? { code }
    : { code, implementation: run.map((layer) => hashOf(layer.code)).join("+") }
}

function hashOf(code: Hex): string {
  return code === "0x" ? ABSENT : keccak256(code)
}

async function readCode(ask: AskNode, address: string): Promise<Hex> {
  const code = hexText.parse(await ask("eth_getCode", [address, "latest"])).toLowerCase()
  // CAST: the schema above checks the form.
  return code as Hex
}

async function readSlot(ask: AskNode, address: string, slot: string): Promise<string | null> {
  const word = hexText.parse(await ask("eth_getStorageAt", [address, slot, "latest"]))
  const text = word.slice(2).padStart(64, "0").slice(24)
  return /^0*$/.test(text) ? null : `0x${text.toLowerCase()}`
}

const viewAbi = parseAbi([
  "function token() view returns (address)",
  "function implementation() view returns (address)",
  "function version() view returns (string)",
  "function decimals() view returns (uint8)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
])
type ViewName = "token" | "implementation" | "version"

/**
 * Calls a view without arguments; `null` where the contract has none, or answers in another form.
 */
async function readView(ask: AskNode, to: string, functionName: ViewName): Promise<string | null> {
  const data = await callView(ask, to, encodeFunctionData({ abi: viewAbi, functionName }))
  return data === null
    ? null
    : decodeOrNull(() => decodeFunctionResult({ abi: viewAbi, functionName, data }))
}

async function callView(ask: AskNode, to: string, data: Hex): Promise<Hex | null> {
  try {
    const answer = hexText.parse(await ask("eth_call", [{ to, data }, "latest"])).toLowerCase()
    // CAST: the schema above checks the form.
    return answer === "0x" ? null : (answer as Hex)
  } catch (error) {
    if (error instanceof NodeRefusal && isRevert(error)) return null
    throw error
  }
}

/** Code 3 is geth's code of a revert; other nodes use a general code and such a text. */
export function isRevert({ rpcCode, message }: NodeRefusal): boolean {
  return rpcCode === 3 || /revert|invalid opcode|out of ?gas/i.test(message)
}

function decodeOrNull<T>(decode: () => T): T | null {
  try {
    return decode()
  } catch {
    return null // The contract answers this selector with something else.
  }
}

const KNOWN_VERSIONS = ["1", "2", "3"]

async function inspectEvmContract(ask: AskNode, listed: ListedHtlc): Promise<ContractInspection> {
  const { htlc } = listed
  if (readAddress(htlc) === null) return malformed(htlc)
  const layers = await readLayers(ask, htlc)
  const identity = identityOf(layers)
  if (layers[0]?.code === "0x") return { identity, details: {}, findings: [missing(htlc)] }
  const [token, version, domain, admin, chainId, decimals] = await Promise.all([
    readView(ask, htlc, "token"),
    readView(ask, htlc, "version"),
    readDomain(ask, htlc),
    readSlot(ask, htlc, SLOTS.admin),
    ask("eth_chainId", []).then((id) => BigInt(hexText.parse(id))),
    listed.token === null ? null : readDecimals(ask, listed.token),
  ])
  const run = layers.slice(1)
  const details = {
    ...(token === null ? {} : { token }),
    ...(version === null ? {} : { version }),
    ...(domain === null ? {} : { domain: `${domain.name} ${domain.version}` }),
    ...(run.length === 0
      ? {}
      : { implementation: run.map(({ address }) => showAddress(address)).join("+") }),
    ...(admin === null ? {} : { admin: showAddress(admin) }),
  }
  const findings = [
    ...judgeToken(listed, token),
    ...judgeDomain(htlc, domain, version, chainId),
    ...judgeDecimals(listed, decimals),
    ...judgeLayers(htlc, run, admin),
  ]
  return { identity, details, findings }
}

type Domain = {
  readonly name: string
  readonly version: string
  readonly chainId: bigint
  readonly verifyingContract: string
}

/** EIP-5267. */
async function readDomain(ask: AskNode, htlc: string): Promise<Domain | null> {
  const functionName = "eip712Domain"
  const data = await callView(ask, htlc, encodeFunctionData({ abi: viewAbi, functionName }))
  if (data === null) return null
  return decodeOrNull(() => {
    const [, name, version, chainId, verifyingContract] = decodeFunctionResult({
      abi: viewAbi,
      functionName,
      data,
    })
    return { name, version, chainId, verifyingContract }
  })
}

export async function readDecimals(ask: AskNode, token: string): Promise<number | null> {
  if (readAddress(token) === null) return null
  const functionName = "decimals"
  const data = await callView(ask, token, encodeFunctionData({ abi: viewAbi, functionName }))
  return data === null
    ? null
    : decodeOrNull(() => decodeFunctionResult({ abi: viewAbi, functionName, data }))
}

function judgeToken({ htlc, token: listed }: ListedHtlc, token: string | null): ContractFinding[] {
  const expected = listed ?? NATIVE_TOKEN
  if (token === null) {
    const message = `${htlc} does not tell its token, so nothing shows that it holds this asset`
    return [
      {
        severity: listed === null ? "review" : "unusable",
        code: "discover.token_unreadable",
        message,
      },
    ]
  }
  if (sameAddress(token, expected)) return []
  const other = listed ?? "the native coin"
  const message = `${htlc} holds the token ${token}, and the service lists ${other}`
  return [{ severity: "unusable", code: "discover.wrong_token", message }]
}

function judgeDomain(
  htlc: string,
  domain: Domain | null,
  version: string | null,
  chainId: bigint,
): ContractFinding[] {
  const found = domain?.version ?? version
  if (found === null) {
    const message = `${htlc} tells no version: compare its code with a known deployment`
    return [{ severity: "review", code: "discover.unknown_version", message }]
  }
  const findings: ContractFinding[] = []
  if (!KNOWN_VERSIONS.includes(found)) {
    const known = KNOWN_VERSIONS.join(", ")
    const message = `${htlc} is version ${found}; Ballast knows the versions ${known}`
    findings.push({ severity: "unusable", code: "discover.unknown_version", message })
  }
  if (
    domain !== null &&
    (domain.chainId !== chainId || !sameAddress(domain.verifyingContract, htlc))
  ) {
    const where = `chain ${domain.chainId} and contract ${domain.verifyingContract}`
    const message = `${htlc} accepts signatures for ${where}, so a gasless deposit fails`
    findings.push({ severity: "review", code: "discover.foreign_domain", message })
  }
  return findings
}

function judgeDecimals(
  { token, decimals: listed }: ListedHtlc,
  decimals: number | null,
): ContractFinding[] {
  if (token === null || decimals === listed) return []
  const found = decimals === null ? "does not tell its decimals" : `has ${decimals} decimals`
  const message = `The token ${token} ${found}, and the service lists ${listed}`
  return [{ severity: "unusable", code: "discover.decimals_differ", message }]
}

function judgeLayers(htlc: string, run: readonly Layer[], admin: string | null): ContractFinding[] {
  return run.map(({ address, code, how }): ContractFinding => {
    if (code === "0x") {
      const message = `${htlc} is a proxy (${how}) to ${showAddress(address)}, which has no code`
      return { severity: "unusable", code: "discover.not_a_contract", message }
    }
    const owner = admin === null ? "" : `; ${showAddress(admin)} may replace it`
    const message = `${htlc} is a proxy (${how}) that runs ${showAddress(address)}${owner}`
    return { severity: "review", code: "discover.proxy", message }
  })
}

function showAddress(address: string): string {
  // CAST: every address here has the form that the regular expressions above demand.
  return getAddress(address as Address)
}

function missing(htlc: string): ContractFinding {
  const message = `${htlc} has no code on this chain; a deposit to it would be lost`
  return { severity: "unusable", code: "discover.not_a_contract", message }
}

function malformed(htlc: string): ContractInspection {
  const finding = {
    severity: "unusable",
    code: "discover.not_an_address",
    message: `${htlc} is no EVM address`,
  } as const
  return { identity: { code: ABSENT }, details: {}, findings: [finding] }
}
