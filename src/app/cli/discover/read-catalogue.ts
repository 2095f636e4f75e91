import type { ListedAsset, ListedChain, RoutePolicy } from "#domain/route/service-listing.ts"
import { AppError } from "#lib/app-error.ts"
import type { ServicePort } from "#ports/service.ts"

/** The lists of a service. Nothing in them is proven. */
export type Catalogue = {
  readonly chains: readonly CataloguedChain[]
  /** `null` where the service has no policy: then every pair counts as open. */
  readonly policy: RoutePolicy | null
  /** One sentence for each entry that could not be read. */
  readonly unreadable: readonly string[]
}

export type CataloguedChain = {
  readonly name: string
  /** `<family>:<number>` as the service lists it, or `null`. */
  readonly id: string | null
  readonly assets: readonly ListedAsset[]
}

/**
 * Joins the lists of chains and assets: a service may list the assets in either. Throws the errors
 * of the service's port.
 */
export async function readCatalogue(service: ServicePort): Promise<Catalogue> {
  const [chains, assets, policy] = await Promise.all([
    orNull(() => service.listChains()),
    orNull(() => service.listAssets()),
    orNull(() => service.listPolicy()),
  ])
  if (chains === null && assets === null) throw noLists()
  const listed = chains?.items ?? []
  const all = [...listed.flatMap((chain) => chain.assets), ...(assets?.items ?? [])]
  const byId = new Map(all.map((asset) => [asset.id, asset]))
  // With several entries of one name the first counts.
  const ids = new Map(listed.toReversed().map(({ chain, id }) => [chain, id]))
  const byChain = Map.groupBy(byId.values(), chainNameOf)
  const names = new Set([...listed.map(({ chain }) => chain), ...byChain.keys()])
  return {
    chains: [...names].map((name) => ({
      name,
      id: ids.get(name) ?? null,
      assets: byChain.get(name) ?? [],
    })),
    policy,
    unreadable: [
      ...(chains?.unreadable ?? []),
      ...listed.flatMap(unreadableOf),
      ...(assets?.unreadable ?? []),
    ],
  }
}

/** `null` for a list that the service does not have. */
async function orNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof AppError && error.code === "service.not_found") return null
    throw error
  }
}

function chainNameOf({ id }: ListedAsset): string {
  return id.slice(0, id.indexOf(":"))
}

function unreadableOf({ chain, unreadable }: ListedChain): readonly string[] {
  return unreadable.map((why) => `${chain}: ${why}`)
}

function noLists(): AppError {
  return new AppError({
    code: "discover.no_lists",
    disposition: "refused",
    message:
      "The service lists neither chains nor assets; ask its operator for the addresses of " +
      "its contracts",
  })
}
