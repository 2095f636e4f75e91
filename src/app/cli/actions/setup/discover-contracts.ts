import { DEPOSIT_READERS, familyOf } from "#chains/families.ts"
import type { Config } from "#config/config.ts"
import { openEdges } from "#daemon/compose.ts"
import { EXIT } from "#daemon/start/exit-code.ts"
import type { RoutePolicy } from "#domain/route/service-listing.ts"
import { firstService } from "#engine/context.ts"
import { AppError } from "#lib/app-error.ts"
import { plainJson } from "#lib/json.ts"
import type { Address } from "#nodes/address.ts"
import { createAsk } from "#nodes/create-ask.ts"
import type { ServicePort } from "#ports/service.ts"
import { createServiceClient } from "#service/client.ts"
import type { CommandContext } from "../../define-command.ts"
import {
  formatComments,
  formatFindings,
  formatFragment,
  isUsable,
} from "../../discover/format-discovery.ts"
import {
  type DiscoveredChain,
  type InspectionWorld,
  inspectChain,
  NODE_SILENT,
} from "../../discover/inspect-chain.ts"
import {
  type DiscoveredPlace,
  formatRouteFindings,
  formatRoutePins,
  inspectRoutes,
} from "../../discover/inspect-routes.ts"
import { type Catalogue, readCatalogue } from "../../discover/read-catalogue.ts"
import { openConfigForReading } from "../../open/open-config.ts"
import { usageError } from "../../usage-error.ts"

export type DiscoverOptions = {
  readonly chain: string | null
  readonly service: string | null
  readonly "app-id": string | null
  readonly "app-id-header": string | null
  readonly rpc: string | null
}

/**
 * Compares the contracts that a service lists with the chains, and prints a configuration for a
 * person to review. It needs no keys, and changes nothing.
 */
export async function discoverContracts(
  context: CommandContext,
  options: DiscoverOptions,
): Promise<number> {
  const isForeign = options.service !== null && URL.canParse(options.service)
  if (!isForeign && options["app-id"] !== null)
    throw usageError("--app-id is for a URL in --service; a configured service has its own app_id")
  const endpoints = parseEndpoints(options.rpc)
  const config = isForeign ? null : openConfigForReading(context)
  const catalogue = await readCatalogue(openService(context, config, options))
  const wanted = catalogue.chains.filter(
    ({ name }) => options.chain === null || name === options.chain,
  )
  if (wanted.length === 0) throw unknownChain(options.chain, catalogue)
  const stray = [...endpoints.keys()].find(
    (name) => !catalogue.chains.some((chain) => chain.name === name),
  )
  if (stray !== undefined) throw unknownChain(stray, catalogue)
  const world = createWorld(config, endpoints)
  const chains = await Promise.all(wanted.map((chain) => inspectChain(chain, world)))
  const routes = config === null ? [] : await inspectRoutes(config, options.chain, world.ask)
  print(context, catalogue, { chains, routes })
  return exitCodeFor({ chains, routes })
}

const TIMEOUT_MS = 15_000

function openService(
  { clock }: CommandContext,
  config: Config | null,
  options: DiscoverOptions,
): ServicePort {
  if (config !== null) {
    const { services } = openEdges(config, clock, new Map())
    const service = services.get(options.service ?? firstService(services))
    if (service !== undefined) return service
    const names = [...services.keys()].join(", ")
    throw usageError(`--service expects a URL, or one of ${names}; found ${options.service}`)
  }
  return createServiceClient({
    baseUrl: options.service ?? "",
    appId: options["app-id"] ?? "",
    appIdHeader: options["app-id-header"] ?? "service-app-id",
    pathPrefix: "/v2",
    timeoutMs: TIMEOUT_MS,
    maxRequestsPerSecond: 5,
    orderExtras: false,
    depositReaders: DEPOSIT_READERS,
    clock,
  })
}

/** `chain=URL,chain=URL`; several URLs of one chain are tried in their order. */
function parseEndpoints(text: string | null): ReadonlyMap<string, readonly string[]> {
  const endpoints = new Map<string, string[]>()
  for (const entry of text === null ? [] : text.split(",")) {
    const at = entry.indexOf("=")
    const chain = entry.slice(0, at).trim()
    const url = entry.slice(at + 1).trim()
    if (at < 1 || !URL.canParse(url)) throw usageError(`--rpc expects CHAIN=URL, found ${entry}`)
    endpoints.set(chain, [...(endpoints.get(chain) ?? []), url])
  }
  return endpoints
}

function createWorld(
  config: Config | null,
  given: ReadonlyMap<string, readonly Address[]>,
): InspectionWorld {
  const configured = config?.chains ?? []
  return {
    configured,
    assets: config?.assets ?? [],
    ask: createAsk(TIMEOUT_MS),
    urlsOf: (name) => {
      const chain = configured.find((each) => each.chain === name)
      return (
        given.get(name) ?? (chain === undefined ? [] : familyOf(chain).doctor.endpointsOf(chain))
      )
    },
  }
}

type Found = {
  readonly chains: readonly DiscoveredChain[]
  readonly routes: readonly DiscoveredPlace[]
}

function print(
  context: CommandContext,
  { policy, unreadable }: Catalogue,
  { chains, routes }: Found,
): void {
  const parts = [formatFragment(chains), formatRoutePins(routes)]
  const configuration = parts.filter((part) => part !== "").join("\n")
  const pairs = countPairs(policy, chains)
  if (context.json) {
    context.print(plainJson({ chains, routes, pairs, unreadable, configuration }, 2))
    return
  }
  const conclusion =
    configuration === ""
      ? ["No asset can be used yet; the lines above say why."]
      : [
          `The service swaps ${pairs.open} of the ${pairs.all} pairs of the assets below.`,
          "Compare every address and hash with a source that you trust before you paste " +
            "this. docs/GO-LIVE.md has the next steps.",
        ]
  const comments = [
    ...formatFindings(chains),
    ...formatRouteFindings(routes),
    ...unreadable
      .slice(0, MOST_UNREADABLE)
      .map(
        (why) =>
          `review: an entry of the list could not be read: ${why} [discover.unreadable_entry]`,
      ),
    ...(unreadable.length > MOST_UNREADABLE
      ? [
          `review: ${unreadable.length} entries of the lists could not be read ` +
            "[discover.unreadable_entry]",
        ]
      : []),
    ...conclusion,
  ]
  context.print(
    [...formatComments(comments), ...(configuration === "" ? [] : [configuration])].join("\n"),
  )
}

const MOST_UNREADABLE = 20

function countPairs(
  policy: RoutePolicy | null,
  chains: readonly DiscoveredChain[],
): { open: number; all: number } {
  const ids = chains
    .flatMap(({ supported, assets }) => (supported ? assets.filter(isUsable) : []))
    .map(({ id }) => id)
  const pairs = ids.flatMap((from) =>
    ids.filter((to) => to !== from).map((to) => [from, to] as const),
  )
  const open = pairs.filter(([from, to]) => policy?.allows(from, to) ?? true)
  return { open: open.length, all: pairs.length }
}

/**
 * A contract that cannot be used is exit 1; when only nodes were silent, a later run may succeed.
 */
function exitCodeFor({ chains, routes }: Found): number {
  const findings = [...chains.flatMap((chain) => [chain, ...chain.assets]), ...routes].flatMap(
    (part) => part.findings,
  )
  const unusable = findings.filter(({ severity }) => severity === "unusable")
  if (unusable.length === 0) return EXIT.ok
  return unusable.every(({ code }) => code === NODE_SILENT) ? EXIT.tryLater : EXIT.refused
}

function unknownChain(chain: string | null, { chains }: Catalogue): AppError {
  const names = chains.map(({ name }) => name).join(", ")
  const message =
    chain === null
      ? "The service lists no chains"
      : `The service lists no chain ${chain}; it has ${names}`
  return new AppError({ code: "discover.unknown_chain", disposition: "refused", message })
}
