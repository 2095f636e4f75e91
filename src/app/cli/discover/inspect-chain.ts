import type { ChainConfig } from "#chains/chain-config.ts"
import type { ContractFinding, ContractReader } from "#chains/contract-reader.ts"
import { FAMILIES, familyOf, findPreset } from "#chains/families.ts"
import type { FamilyDefinition } from "#chains/family-definition.ts"
import { foreignName } from "#chains/foreign-families.ts"
import type { Asset, AssetId } from "#domain/asset.ts"
import type { ContractIdentity } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"
import type { ListedAsset } from "#domain/route/service-listing.ts"
import { compareContract } from "#guards/compare-contract.ts"
import type { Address } from "#nodes/address.ts"
import type { AskHttp, AskNode } from "#nodes/ask-node.ts"
import { createNodeCall } from "#nodes/ask-node.ts"
import type { CataloguedChain } from "./read-catalogue.ts"

/** One asset as the service lists it, with the chain's answers. */
export type DiscoveredAsset = {
  readonly id: AssetId
  readonly decimals: number
  /** `null` for the native coin. */
  readonly token: string | null
  /** `null` where each order has an HTLC address of its own, or where none is listed. */
  readonly htlc: string | null
  /** Each order has an HTLC address of its own, so there is no contract to compare. */
  readonly ownAddresses: boolean
  /** `null` where nothing was compared with the chain, or nothing can be. */
  readonly identity: ContractIdentity | null
  readonly details: Readonly<Record<string, string>>
  readonly findings: readonly ContractFinding[]
}

export type DiscoveredChain = {
  readonly name: string
  /** The family's name; `null` for one that Ballast does not have. */
  readonly family: string | null
  readonly supported: boolean
  readonly preset: string | null
  /** As the service lists it: `<family>:<number>`. */
  readonly id: string | null
  readonly configured: boolean
  readonly assets: readonly DiscoveredAsset[]
  /** About the chain as a whole. */
  readonly findings: readonly ContractFinding[]
}

export type InspectionWorld = {
  /** Endpoints by chain name: those of the command line, then those of the configuration. */
  readonly urlsOf: (chain: string) => readonly Address[]
  readonly configured: readonly ChainConfig[]
  readonly assets: readonly Asset[]
  readonly ask: AskHttp
}

/** Compares the contracts of one listed chain with the chain. A silent node becomes a finding. */
export async function inspectChain(
  listed: CataloguedChain,
  world: InspectionWorld,
): Promise<DiscoveredChain> {
  const config = world.configured.find(({ chain }) => chain === listed.name) ?? null
  const definition = config === null ? familyByName(listed.name) : familyOf(config)
  const chain = {
    name: listed.name,
    family: definition?.name ?? null,
    supported: definition !== null,
    preset: findPreset(listed.name)?.preset.name ?? null,
    id: listed.id,
    configured: config !== null,
  }
  if (definition === null) return { ...chain, assets: [], findings: [unsupported(listed.name)] }
  const reader = (await definition.loadContractReader?.()) ?? null
  if (reader === null) return { ...chain, assets: listed.assets.map(withoutContract), findings: [] }
  const urls = world.urlsOf(listed.name)
  if (urls.length === 0)
    return { ...chain, assets: listed.assets.map(unread), findings: [noNode(listed.name)] }
  try {
    const node = createNodeCall(urls, world.ask)
    const assets: DiscoveredAsset[] = []
    // One asset after the other: public nodes refuse many calls at once.
    for (const asset of listed.assets.slice(0, MOST_ASSETS))
      assets.push(await inspectAsset(asset, { family: definition, reader, node, world }))
    const left = listed.assets.length - assets.length
    return { ...chain, assets, findings: left === 0 ? [] : [tooMany(listed.name, left)] }
  } catch (error) {
    return { ...chain, assets: listed.assets.map(unread), findings: [silent(listed.name, error)] }
  }
}

/** No live chain has a tenth of this; a longer list would only keep the nodes busy. */
const MOST_ASSETS = 200

function tooMany(chain: string, left: number): ContractFinding {
  const message =
    `${chain}: only the first ${MOST_ASSETS} listed assets were compared; ${left} others were ` +
    "left out"
  return { severity: "review", code: "discover.too_many", message }
}

/** By the names that services give to chains. */
function familyByName(name: string): FamilyDefinition | null {
  const preset = findPreset(name)
  if (preset !== null) return preset.family
  if (foreignName(name) !== null) return null
  return FAMILIES.find(({ chainName }) => chainName.test(name)) ?? null
}

type Tools = {
  readonly family: FamilyDefinition
  readonly reader: ContractReader
  readonly node: AskNode
  readonly world: InspectionWorld
}

async function inspectAsset(
  listed: ListedAsset,
  { family, reader, node, world }: Tools,
): Promise<DiscoveredAsset> {
  const { id, decimals } = listed
  const token = readToken(listed, family, reader)
  if (listed.htlc === null) {
    const message = `The service lists no contract for ${id}`
    const finding = { severity: "unusable", code: "discover.unlisted_htlc", message } as const
    return { ...UNREAD, id, decimals, token, htlc: null, findings: [finding] }
  }
  const htlc = listed.htlc.address
  const { identity, details, findings } = await reader.inspect(node, { htlc, token, decimals })
  const own = world.assets.find((asset) => asset.id === id) ?? null
  const compared = own === null ? [] : compareWithConfig(own, { htlc, token, decimals, identity })
  return {
    id,
    decimals,
    token,
    htlc,
    ownAddresses: false,
    identity,
    details,
    findings: [...findings, ...compared],
  }
}

/**
 * A native coin has no token; services list `null`, a word such as `primary`, or an address that
 * stands for the coin.
 */
function readToken(
  { token }: ListedAsset,
  { htlcForm }: FamilyDefinition,
  { nativeTokens }: ContractReader,
): string | null {
  if (token === null || htlcForm?.pattern.test(token.address) !== true) return null
  return nativeTokens.some((native) => native.toLowerCase() === token.address.toLowerCase())
    ? null
    : token.address
}

type Compared = Pick<DiscoveredAsset, "token" | "decimals"> & {
  readonly htlc: string
  readonly identity: ContractIdentity
}

function compareWithConfig(
  own: Asset,
  { htlc, token, decimals, identity }: Compared,
): ContractFinding[] {
  const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()
  const differs = (what: string, ours: unknown, theirs: unknown): ContractFinding => {
    const message =
      `${own.id}: the configuration has ${what} ${ours ?? "none"}, and the service lists ` +
      `${theirs ?? "none"}`
    return { severity: "review", code: "discover.config_differs", message }
  }
  const pin = own.pinned?.find((pinned) => same(pinned.htlc, htlc))
  const isListed = own.htlc.some((address) => same(address, htlc))
  const changed = pin === undefined ? [] : compareContract(own.chain, pin, identity)
  return [
    ...(isListed ? [] : [differs("htlc", own.htlc.join(", ") || null, htlc)]),
    ...(own.decimals === decimals ? [] : [differs("decimals", own.decimals, decimals)]),
    ...((own.token ?? "") !== "" && !same(own.token ?? "", token ?? "")
      ? [differs("token", own.token, token)]
      : []),
    ...changed.map(describeChange),
    ...(isListed && pin === undefined ? [notPinned(own.id)] : []),
  ]
}

export function describeChange({ message, expected, found }: Reason): ContractFinding {
  return {
    severity: "unusable",
    code: "discover.pin_differs",
    message: `${message}: ${expected} → ${found}`,
  }
}

export function notPinned(what: string): ContractFinding {
  return {
    severity: "review",
    code: "discover.not_pinned",
    message: `${what}: the contract is not pinned`,
  }
}

function withoutContract({ id, decimals }: ListedAsset): DiscoveredAsset {
  return { ...UNREAD, id, decimals, token: null, htlc: null, ownAddresses: true }
}

function unread({ id, decimals, token, htlc }: ListedAsset): DiscoveredAsset {
  const listed = { token: token?.address ?? null, htlc: htlc?.address ?? null }
  return { ...UNREAD, id, decimals, ...listed }
}

const UNREAD = { ownAddresses: false, identity: null, details: {}, findings: [] } as const

function unsupported(chain: string): ContractFinding {
  const message = foreignName(chain) ?? `Ballast knows no chain family for ${chain}`
  return { severity: "review", code: "discover.unsupported_family", message }
}

function noNode(chain: string): ContractFinding {
  const message =
    `${chain}: no node is known, so nothing was compared and its assets are left out. Add the ` +
    `chain to the configuration, or --rpc ${chain}=URL`
  return { severity: "review", code: "discover.no_node", message }
}

export function silent(chain: string, error: unknown): ContractFinding {
  const why = (error instanceof Error ? error.message : String(error))
    .replace(/\s+/g, " ")
    .slice(0, 300)
  return {
    severity: "unusable",
    code: NODE_SILENT,
    message: `${chain}: no usable answer of a node: ${why}`,
  }
}

export const NODE_SILENT = "discover.node_silent"
