import { hash } from "starknet"
import { z } from "zod"
import type {
  ContractFinding,
  ContractInspection,
  ContractReader,
  ListedHtlc,
} from "#chains/contract-reader.ts"
import { ABSENT, type ContractIdentity } from "#domain/contract-identity.ts"
import { type AskNode, NodeRefusal } from "#nodes/ask-node.ts"
import { formatAddress, formatFelt, readAddress, readFelt } from "./felt.ts"
import { RPC_CODES } from "./rpc.ts"
import { STRK_TOKEN } from "./wallet.ts"

/**
 * Reads HTLC contracts. `class` is the class hash of the contract's code. A proxy of the older
 * kind, which keeps the class that it runs in its storage, also has `implementation`.
 */
export const starknetContractReader: ContractReader = {
  readIdentity,
  nativeTokens: [],
  inspect: inspectStarknetContract,
}

/**
 * The storage variables in which published proxies keep the class that they run (OpenZeppelin for
 * Cairo 0, Argent).
 */
const PROXY_VARIABLES = ["Proxy_implementation_hash", "_implementation"]
/** The method is missing: such a node cannot show storage. */
const METHOD_NOT_FOUND = -32601

async function readIdentity(ask: AskNode, htlc: string): Promise<ContractIdentity> {
  const own = await readClassHash(ask, htlc)
  if (own === null) return { class: ABSENT }
  const run = (
    await Promise.all(PROXY_VARIABLES.map((name) => readVariable(ask, htlc, name)))
  ).filter((value) => value !== null)
  return run.length === 0 ? { class: own } : { class: own, implementation: run.join("+") }
}

async function readClassHash(ask: AskNode, htlc: string): Promise<string | null> {
  try {
    return showFelt(await ask("starknet_getClassHashAt", ["latest", canonical(htlc)]))
  } catch (error) {
    if (error instanceof NodeRefusal && error.rpcCode === RPC_CODES.contractNotFound) return null
    throw error
  }
}

async function readVariable(ask: AskNode, htlc: string, name: string): Promise<string | null> {
  try {
    const slot = formatFelt(BigInt(hash.starknetKeccak(name)))
    const value = await ask("starknet_getStorageAt", [canonical(htlc), slot, "latest"])
    return readFelt(value) === 0n ? null : showFelt(value)
  } catch (error) {
    if (error instanceof NodeRefusal && error.rpcCode === METHOD_NOT_FOUND) return null
    throw error
  }
}

/** Calls a view without arguments; `null` where the contract has none. */
async function readView(ask: AskNode, to: string, name: string): Promise<readonly bigint[] | null> {
  const request = {
    contract_address: canonical(to),
    entry_point_selector: hash.getSelectorFromName(name),
    calldata: [],
  }
  try {
    const felts = z.array(z.string()).parse(await ask("starknet_call", [request, "latest"]))
    return felts.map((felt) => readFelt(felt) ?? -1n)
  } catch (error) {
    const missing: readonly number[] = [
      RPC_CODES.contractNotFound,
      RPC_CODES.entryPointNotFound,
      RPC_CODES.contractError,
    ]
    if (error instanceof NodeRefusal && missing.includes(error.rpcCode)) return null
    throw error
  }
}

async function inspectStarknetContract(
  ask: AskNode,
  listed: ListedHtlc,
): Promise<ContractInspection> {
  const { htlc } = listed
  if (readAddress(htlc) === null) {
    const message = `${htlc} is no Starknet address`
    const finding = { severity: "unusable", code: "discover.not_an_address", message } as const
    return { identity: { class: ABSENT }, details: {}, findings: [finding] }
  }
  const identity = await readIdentity(ask, htlc)
  if (identity["class"] === ABSENT) {
    const message = `${htlc} has no contract on this chain; a deposit to it would fail or be lost`
    return {
      identity,
      details: {},
      findings: [{ severity: "unusable", code: "discover.not_a_contract", message }],
    }
  }
  const token = (await readView(ask, htlc, "token"))?.[0] ?? null
  const expected = listed.token === null ? STRK_TOKEN : readAddress(listed.token)
  const decimals =
    expected === null
      ? null
      : ((await readView(ask, formatFelt(expected), "decimals"))?.[0] ?? null)
  const findings = [
    ...judgeToken(listed, token, expected),
    ...judgeDecimals(listed, decimals),
    ...judgeProxy(htlc, identity),
  ]
  return { identity, details: token === null ? {} : { token: formatAddress(token) }, findings }
}

function judgeToken(
  { htlc, token: listed }: ListedHtlc,
  token: bigint | null,
  expected: bigint | null,
): ContractFinding[] {
  if (token === null) {
    const message = `${htlc} does not tell its token, so nothing shows that it holds this asset`
    return [{ severity: "unusable", code: "discover.token_unreadable", message }]
  }
  if (token === expected) return []
  const message =
    `${htlc} holds the token ${formatAddress(token)}, and the service lists ` +
    `${listed ?? "STRK"}`
  return [{ severity: "unusable", code: "discover.wrong_token", message }]
}

function judgeDecimals(
  { token, decimals: listed }: ListedHtlc,
  decimals: bigint | null,
): ContractFinding[] {
  if (decimals === BigInt(listed)) return []
  const found = decimals === null ? "does not tell its decimals" : `has ${decimals} decimals`
  const message = `The token ${token ?? "STRK"} ${found}, and the service lists ${listed}`
  return [{ severity: "unusable", code: "discover.decimals_differ", message }]
}

function judgeProxy(htlc: string, { implementation }: ContractIdentity): ContractFinding[] {
  if (implementation === undefined) return []
  const message = `${htlc} is a proxy that runs the class ${implementation}`
  return [{ severity: "review", code: "discover.proxy", message }]
}

function canonical(address: string): string {
  return formatFelt(BigInt(address))
}

function showFelt(value: unknown): string {
  const felt = readFelt(value)
  if (felt === null) throw new Error(`the node's answer is no felt: ${String(value).slice(0, 80)}`)
  return formatAddress(felt)
}
