import * as orderbook from "@gardenfi/orderbook"

// CAST: the package exports its list; its types leave it out.
const { Config } = orderbook as unknown as {
  Config: Readonly<Record<string, { readonly type: string; readonly network: string }>>
}

/** One chain of the published client's list, as far as tests hold presets against it. */
export type PublishedChain = {
  readonly name: string
  readonly type: string
  readonly network: string
  /** CAIP-like, such as `evm:8453`; empty where the list has no assets of the chain. */
  readonly ids: readonly string[]
  readonly assets: readonly PublishedAsset[]
}

export type PublishedAsset = {
  readonly id: string
  readonly decimals: number
  readonly token: string | null
  readonly htlc: string | null
}

type Entry = {
  readonly id?: string
  readonly chain?: string
  readonly decimals: number
  readonly htlc?: { readonly address: string } | null
  readonly token?: { readonly address: string } | null
}

/** The chains and assets of the published client, without its local ones. */
export const PUBLISHED: readonly PublishedChain[] = Object.entries(Config)
  .map(([name, chain]) => {
    const { type, network, ...rest } = chain
    // CAST: the published list; only the fields of Entry are read.
    const entries = Object.values(rest as unknown as Readonly<Record<string, Entry>>)
    const assets = entries.flatMap(({ id, decimals, token, htlc }) =>
      id === undefined
        ? []
        : [{ id, decimals, token: token?.address ?? null, htlc: htlc?.address ?? null }],
    )
    const ids = [...new Set(entries.flatMap(({ chain: id }) => (id === undefined ? [] : [id])))]
    return { name, type, network, ids, assets }
  })
  .filter(({ network }) => network !== "localnet")
