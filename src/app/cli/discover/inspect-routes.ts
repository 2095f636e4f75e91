import type { ChainConfig } from "#chains/chain-config.ts"
import type { ContractFinding, ContractReader } from "#chains/contract-reader.ts"
import { familyOf } from "#chains/families.ts"
import type { FamilyDefinition, Inspection } from "#chains/family-definition.ts"
import type { Config } from "#config/config.ts"
import { type ChainId, chainOf } from "#domain/asset.ts"
import { ABSENT, type ContractIdentity } from "#domain/contract-identity.ts"
import type { Reason } from "#domain/reason.ts"
import type { RouteKind } from "#domain/route/route-kind.ts"
import { compareContract } from "#guards/compare-contract.ts"
import { mustExist } from "#lib/assert.ts"
import { type AskHttp, type AskNode, createNodeCall } from "#nodes/ask-node.ts"
import { ROUTES } from "#routes/registry.ts"
import type { RouteDefinition, RoutePins } from "#routes/route-definition.ts"
import { describeChange, notPinned, silent } from "./inspect-chain.ts"

/** The contracts of one route on one chain, with the chain's answers. */
export type DiscoveredPlace = {
  readonly route: RouteKind
  readonly chain: ChainId
  readonly contracts: readonly Identified[]
  readonly findings: readonly ContractFinding[]
}

type Identified = { readonly address: string; readonly identity: ContractIdentity }

/**
 * Compares the contracts of the configured routes with the chosen chains: their code with the pins,
 * and their state with those of the route's other chains. It needs no key. A silent node becomes a
 * finding.
 */
export async function inspectRoutes(
  config: Pick<Config, "routes" | "chains">,
  chosen: string | null,
  ask: AskHttp,
): Promise<readonly DiscoveredPlace[]> {
  const places = config.routes.flatMap((route) => {
    const definition = ROUTES.find(({ kind }) => kind === route.kind)
    const names = [...new Set(route.assets.map(chainOf))]
    return names
      .filter((name) => chosen === null || name === chosen)
      .map((name) =>
        inspectPlace(config, { route, name, names, ask, definition: mustExist(definition, name) }),
      )
  })
  return Promise.all(places)
}

type Place = {
  readonly route: Config["routes"][number]
  readonly definition: RouteDefinition
  readonly name: ChainId
  /** Every chain of the route. */
  readonly names: readonly ChainId[]
  readonly ask: AskHttp
}

async function inspectPlace(
  config: Pick<Config, "chains">,
  { route, definition, name, names, ask }: Place,
): Promise<DiscoveredPlace> {
  const place = { route: route.kind, chain: name }
  const chain = chainNamed(config, name)
  const family = familyOf(chain)
  const pin = pinOf(chain, route, definition)
  const reader = await family.loadContractReader?.()
  if (pin === null || reader === undefined) return { ...place, contracts: [], findings: [] }
  const node = createNodeCall(family.doctor.endpointsOf(chain), ask)
  try {
    const contracts = await identify(definition.contractsOf(pin), reader, node)
    const absent = contracts.filter(({ identity }) => isAbsent(identity))
    const others = names.flatMap((other) =>
      other === name ? [] : (pinOf(chainNamed(config, other), route, definition) ?? []),
    )
    const keys = family.identityOf(chain)
    const asked = [node, { keys, given: route.contracts[name] }, others] as const
    const faults = absent.length > 0 ? [] : await inspect(family, definition.kind, asked)
    const findings = [
      ...absent.map(({ address }) => noContract(address)),
      ...describeFaults(faults),
      ...contracts.flatMap((one) => comparePins(name, route.pinned?.[name] ?? [], one)),
    ]
    return { ...place, contracts, findings }
  } catch (error) {
    return { ...place, contracts: [], findings: [silent(name, error)] }
  }
}

async function inspect<Kind extends keyof RoutePins>(
  { routes }: FamilyDefinition,
  kind: Kind,
  asked: Readonly<Parameters<Inspection<Kind>>>,
): Promise<readonly Reason[]> {
  const inspection: Inspection<Kind> | undefined = routes?.inspections?.[kind]
  return (await inspection?.(...asked)) ?? []
}

/** One contract after the other: public nodes refuse many calls at once. */
async function identify(
  addresses: readonly string[],
  reader: ContractReader,
  node: AskNode,
): Promise<readonly Identified[]> {
  const found: Identified[] = []
  for (const address of addresses)
    found.push({ address, identity: await reader.readIdentity(node, address) })
  return found
}

function comparePins(
  chain: ChainId,
  pinned: NonNullable<Place["route"]["pinned"]>[string],
  { address, identity }: Identified,
): readonly ContractFinding[] {
  const pin = pinned.find(({ htlc }) => htlc.toLowerCase() === address.toLowerCase())
  if (pin === undefined) return [notPinned(address)]
  return compareContract(chain, pin, identity).map(describeChange)
}

/** The same fault shows for each of the other chains. */
function describeFaults(faults: readonly Reason[]): readonly ContractFinding[] {
  const told = faults.map(({ code, message, expected, found }): ContractFinding => {
    const values = expected === undefined ? "" : `: ${expected} → ${found}`
    return { severity: "unusable", code, message: `${message}${values}` }
  })
  return [...new Map(told.map((finding) => [finding.message, finding])).values()]
}

function isAbsent(identity: ContractIdentity): boolean {
  return Object.values(identity).every((value) => value === ABSENT)
}

function noContract(address: string): ContractFinding {
  const message = `${address} has no code on this chain, and nothing can be burnt there`
  return { severity: "unusable", code: "discover.not_a_contract", message }
}

function pinOf(chain: ChainConfig, { contracts }: Place["route"], { kind }: RouteDefinition) {
  const family = familyOf(chain)
  return family.routes?.pins[kind]?.(family.identityOf(chain), contracts[chain.chain]) ?? null
}

function chainNamed({ chains }: Pick<Config, "chains">, name: string): ChainConfig {
  return mustExist(
    chains.find(({ chain }) => chain === name),
    name,
  )
}

/** Comments for a person, one place of a route after the other. */
export function formatRouteFindings(places: readonly DiscoveredPlace[]): readonly string[] {
  return places.flatMap(({ route, chain, contracts, findings }) => [
    `route ${route} on ${chain}: ${contracts.length} contracts compared with the chain`,
    ...findings.map(({ severity, code, message }) => `  ${severity}: ${message} [${code}]`),
  ])
}

/** The present contracts as `pinned` of each route, for a person to review. YAML. */
export function formatRoutePins(places: readonly DiscoveredPlace[]): string {
  const kinds = [...Map.groupBy(places, ({ route }) => route)].flatMap(([kind, own]) => {
    const chains = own.flatMap(({ chain, contracts }) => {
      const known = contracts.filter(({ identity }) => !isAbsent(identity))
      return known.length === 0 ? [] : [`      ${chain}:`, ...known.map(formatPin)]
    })
    return chains.length === 0 ? [] : [`  ${kind}:`, "    pinned:", ...chains]
  })
  return kinds.length === 0 ? "" : ["routes:", ...kinds].join("\n")
}

function formatPin({ address, identity }: Identified): string {
  const values = Object.entries({ address, ...identity })
  const pin = values.map(([name, value]) => `${name}: ${JSON.stringify(value)}`).join(", ")
  return `        - { ${pin} }`
}
