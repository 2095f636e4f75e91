import type { LocalChain } from "../local-chain.ts"
import type { Faults } from "./faults.ts"
import type { Market, QuoteBook } from "./quote-book.ts"

/**
 * The lists that live deployments serve at `/v2/assets`, `/v2/chains` and `/v2/policy`, in the
 * shapes that their published client reads. The service interface does not know them.
 */
export function listAssets(book: QuoteBook): readonly CatalogAsset[] {
  return book.markets().map((market) => encodeAsset(market, book))
}

export function listChains(
  chains: readonly LocalChain[],
  book: QuoteBook,
): readonly Record<string, unknown>[] {
  return chains.map((chain) => {
    const assets = book.markets().filter((market) => market.chain === chain)
    const listed = assets.map((market) => encodeAsset(market, book))
    return {
      chain: chain.name,
      id: chainId(chain),
      name: chain.name
        .split("_")
        .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
        .join(" "),
      icon: "",
      explorer_url: chain.url,
      confirmation_target: chain.requiredConfirmations,
      source_timelock: String(chain.timelocks.source),
      destination_timelock: String(chain.timelocks.destination),
      supported_htlc_schemas: schemasOf(listed.map(({ htlc }) => htlc)),
      supported_token_schemas: schemasOf(listed.map(({ token }) => token)),
      assets: listed,
    }
  })
}

/** All pairs are open, except those within one chain and those that a fault closes. */
export function describePolicy(
  chains: readonly LocalChain[],
  { closedPairs }: Pick<Faults, "closedPairs">,
): Record<string, unknown> {
  return {
    default: "open",
    isolation_groups: [],
    blacklist_pairs: [
      ...chains.map(({ name }) => `${name}:* -> ${name}:*`),
      ...closedPairs().map((pair) => pair.replace("/", " -> ")),
    ],
    whitelist_overrides: [],
  }
}

/** The solver's funds do not end, so it lists the largest order. */
export function listLiquidity(book: QuoteBook, to: string | undefined): readonly unknown[] {
  const liquidity = book
    .markets()
    .filter(({ asset }) => to === undefined || asset.id === to)
    .map((market) => {
      const most = book.boundsOf(market).max.toString()
      return { asset: market.asset.id, balance: most, virtual_balance: most }
    })
  return [{ solver_id: "sandbox", liquidity }]
}

type CatalogContract = { readonly address: string; readonly schema: string | null } | null

type CatalogAsset = {
  readonly id: string
  readonly name: string
  readonly chain: string
  readonly icon: string
  readonly htlc: CatalogContract
  readonly token: CatalogContract
  readonly decimals: number
  readonly min_amount: string
  readonly max_amount: string
  readonly price: number
  readonly is_active: boolean
}

function encodeAsset(market: Market, book: QuoteBook): CatalogAsset {
  const { asset, chain } = market
  const symbol = asset.id.slice(asset.id.indexOf(":") + 1)
  const { min, max } = book.boundsOf(market)
  return {
    id: asset.id,
    name: symbol.toUpperCase(),
    chain: chainId(chain),
    icon: "",
    htlc:
      asset.htlc === null
        ? null
        : { address: asset.htlc, schema: htlcSchema(chain.family, asset.token !== null) },
    token:
      asset.token === null ? null : { address: asset.token, schema: tokenSchema(chain.family) },
    decimals: asset.decimals,
    min_amount: min.toString(),
    max_amount: max.toString(),
    price: Number(market.price),
    is_active: true,
  }
}

function htlcSchema(family: LocalChain["family"], isToken: boolean): string {
  if (family === "solana") return isToken ? "solana:htlc_spltoken" : "solana:htlc"
  return isToken ? `${family}:htlc_erc20` : `${family}:htlc`
}

/** Live lists have no schema for the tokens of Solana. */
function tokenSchema(family: LocalChain["family"]): string | null {
  return family === "solana" ? null : `${family}:erc20`
}

function schemasOf(contracts: readonly CatalogContract[]): readonly string[] {
  return [...new Set(contracts.flatMap((contract) => contract?.schema ?? []))]
}

/**
 * `evm:84532`, `solana:103` (devnet), `starknet:<the chain id as a number>`, or the family alone.
 */
function chainId({ family, chainId: id }: LocalChain): string {
  if (family === "bitcoin") return "bitcoin"
  if (family === "solana") return "solana:103"
  return `${family}:${typeof id === "string" ? BigInt(`0x${Buffer.from(id).toString("hex")}`) : id}`
}
