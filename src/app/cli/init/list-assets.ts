import { DEPOSIT_READERS } from "#chains/families.ts"
import { AppError } from "#lib/app-error.ts"
import type { Clock } from "#lib/clock.ts"
import { createServiceClient } from "#service/client.ts"
import { readCatalogue } from "../discover/read-catalogue.ts"
import type { ChosenChain, KnownAsset } from "./parse-answers.ts"

/** The native coins of the chains; Ballast knows them without a service. */
export function listNativeAssets(chains: readonly ChosenChain[]): readonly KnownAsset[] {
  return chains.map(({ name, nativeCoin: { symbol, decimals, token } }) => {
    return { id: `${name}:${symbol.toLowerCase()}`, decimals, token }
  })
}

/**
 * The assets that the service lists on these chains; `null` where it does not answer. Nothing in
 * the list is proven, so contracts that could be paid stay out: `ballast discover` compares them
 * with the chains.
 */
export async function listServiceAssets(
  { url, appId, clock }: { readonly url: string; readonly appId: string; readonly clock: Clock },
  chains: readonly ChosenChain[],
): Promise<readonly KnownAsset[] | null> {
  const service = createServiceClient({
    baseUrl: url,
    appId,
    appIdHeader: "service-app-id",
    pathPrefix: "/v2",
    timeoutMs: TIMEOUT_MS,
    maxRequestsPerSecond: 5,
    orderExtras: false,
    depositReaders: DEPOSIT_READERS,
    clock,
  })
  try {
    const catalogue = await readCatalogue(service)
    const lists = catalogue.chains.map(async ({ name, assets }) => {
      const chain = chains.find((each) => each.name === name)
      if (chain === undefined) return []
      const readToken = await createTokenReader(chain)
      return assets.map(({ id, decimals, token }) => ({
        id,
        decimals,
        token: readToken(token?.address ?? ""),
      }))
    })
    return (await Promise.all(lists)).flat()
  } catch (error) {
    if (error instanceof AppError && error.disposition !== "bug") return null
    throw error
  }
}

const TIMEOUT_MS = 5_000

/**
 * For a native coin services list nothing, a word such as `primary`, or an address that stands for
 * the coin.
 */
async function createTokenReader({
  family,
}: ChosenChain): Promise<(address: string) => string | null> {
  const natives = (await family.loadContractReader?.())?.nativeTokens ?? []
  return (address) => {
    if (family.htlcForm?.pattern.test(address) !== true) return null
    return natives.some((native) => native.toLowerCase() === address.toLowerCase()) ? null : address
  }
}
