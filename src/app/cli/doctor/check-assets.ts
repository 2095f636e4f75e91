import { formatUnits } from "#domain/amount.ts"
import type { Asset } from "#domain/asset.ts"
import { ABSENT } from "#domain/contract-identity.ts"
import type { ChainPort } from "#ports/chain.ts"
import { broken, type Diagnosis, doubtful, healthy } from "./diagnosis.ts"

/**
 * Compares each configured asset with its chain, where the chain can: token, decimals, programs,
 * and the account that receives it; and reads its balance.
 */
export async function checkAssets(
  port: ChainPort,
  assets: readonly Pick<Asset, "id" | "htlc">[],
): Promise<Diagnosis[]> {
  const { assetChecks } = port
  if (assetChecks === undefined) return []
  const found = assets.map(async ({ id: asset, htlc }): Promise<Diagnosis[]> => {
    const check = `asset ${asset}`
    try {
      const findings = await assetChecks.checkAsset(asset)
      // A node may answer all else; rules and orders need the balance.
      await port.fetchBalance(asset, new Set())
      if (findings.length === 0)
        return [healthy(check, `${AS_CONFIGURED}${await describeAuthorities(port, htlc)}`)]
      return findings.map(({ expected, found, message }) =>
        broken(check, `${found}; expected ${expected}`, message),
      )
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      return [
        doubtful(
          check,
          `it could not be read: ${why.slice(0, 200)}`,
          "Check the node of this chain.",
        ),
      ]
    }
  })
  return [...(await Promise.all(found)).flat(), ...(await findOpenings(port))]
}

const AS_CONFIGURED = "its contracts and accounts are on the chain as configured"

/** The keys that may replace a program at any time (Solana). */
async function describeAuthorities(port: ChainPort, htlc: readonly string[]): Promise<string> {
  const identities = await Promise.all(
    htlc.map((address) => port.contracts?.fetchContractIdentity(address)),
  )
  const keys = identities
    .flatMap((identity) => identity?.["authority"] ?? [])
    .filter((key) => key !== ABSENT)
  return keys.length === 0 ? "" : `; ${[...new Set(keys)].join(", ")} may replace the program`
}

/** The token accounts that the daemon opens by itself, with the most that each one costs. */
async function findOpenings(port: ChainPort): Promise<Diagnosis[]> {
  try {
    return ((await port.tokenAccounts?.findMissing()) ?? []).map(({ asset, address, costUnits }) =>
      doubtful(
        `token account ${asset}`,
        `${address} does not exist; the daemon opens it for at most ${showNative(port, costUnits)}`,
        "Keep that much in the wallet beside min_native. A paused or observing daemon opens " +
          "nothing.",
      ),
    )
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return [
      doubtful(
        `token accounts ${port.chain}`,
        `they could not be read: ${why.slice(0, 200)}`,
        "Check the node.",
      ),
    ]
  }
}

function showNative({ traits: { nativeCoin } }: ChainPort, units: bigint): string {
  return `${formatUnits(units, nativeCoin.decimals)} ${nativeCoin.symbol}`
}
