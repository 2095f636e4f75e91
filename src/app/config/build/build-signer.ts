import { resolve } from "node:path"
import { familyOf } from "#chains/families.ts"
import { type Asset, type AssetId, chainOf, parseAssetId } from "#domain/asset.ts"
import type { SoldLimit } from "#domain/sold-limit.ts"
import { mustExist } from "#lib/assert.ts"
import { unitsRoundedDown } from "#schema/limit-amount.ts"
import type { SignerConfig } from "../config.ts"
import type { ConfigFile } from "../schema/schema.ts"

/** Are the keys of this configuration in another process than the daemon? */
export function keepsKeysApart({ mode, signer }: Pick<ConfigFile, "mode" | "signer">): boolean {
  return mode === "live" && (signer.run === "child" || signer.socket !== null)
}

/**
 * `maxOrder` is the limit of a signature that has none of its own. Relative paths start at
 * `dataFrom`.
 */
export function buildSigner(
  file: ConfigFile,
  {
    assets,
    maxOrder,
    dataFrom,
  }: {
    readonly assets: readonly Asset[]
    readonly maxOrder: SoldLimit | null
    readonly dataFrom: string
  },
): SignerConfig {
  const {
    run,
    socket,
    data_dir: dataDir,
    limits,
    signatures_per_hour: signaturesPerHour,
    refund_key,
  } = file.signer
  const units = (id: AssetId, text: string | null): bigint | null =>
    text === null ? null : unitsRoundedDown(text, decimalsOf(file, assets, id))
  const written = Object.entries(limits).map(([name, limit]) => {
    const asset = parseAssetId(name)
    const perSignature = units(asset, limit.per_signature) ?? ordersLimit(maxOrder, asset)
    return {
      asset,
      perSignature,
      perHour: units(asset, limit.per_hour),
      perDay: units(asset, limit.per_day),
    }
  })
  const named = new Set(written.map(({ asset }) => asset))
  const others = assets
    .filter(({ id }) => !named.has(id))
    .map(({ id }) => ({
      asset: id,
      perSignature: ordersLimit(maxOrder, id),
      perHour: null,
      perDay: null,
    }))
  const isApart = keepsKeysApart(file)
  return {
    isApart,
    run,
    socket,
    dataDir:
      dataDir === null ? resolve(dataFrom, file.data_dir, "signer") : resolve(dataFrom, dataDir),
    limits: [...written, ...others].toSorted((a, b) => (a.asset < b.asset ? -1 : 1)),
    signaturesPerHour,
    foreignRefundKeys: refund_key === "any",
  }
}

function ordersLimit(maxOrder: SoldLimit | null, asset: AssetId): bigint | null {
  return maxOrder?.kind === "units" ? (maxOrder.byAsset[asset] ?? null) : null
}

function decimalsOf({ chains }: ConfigFile, assets: readonly Asset[], id: AssetId): number {
  const asset = assets.find((each) => each.id === id)
  return (
    asset?.decimals ??
    familyOf(mustExist(chains[chainOf(id)], `the chain of ${id}`)).traits.nativeCoin.decimals
  )
}
