import { transactionLink } from "#chains/chain-preset.ts"
import type { Config } from "#config/config.ts"
import { chainOf } from "#domain/asset.ts"
import type { OrderView } from "#order/view.ts"

export type Links = { readonly [transaction: string]: string }

/**
 * The explorer's pages of the order's transactions, on chains whose explorer the configuration
 * knows by a preset.
 */
export function linksOf(
  {
    from,
    to,
    depositTx,
    destinationTx,
    refundTx,
  }: Pick<OrderView, "from" | "to" | "depositTx" | "destinationTx" | "refundTx">,
  { chains }: Pick<Config, "chains">,
): Links {
  const sides = [
    { name: "deposit", asset: from, tx: depositTx },
    { name: "payout", asset: to, tx: destinationTx },
    { name: "refund", asset: from, tx: refundTx },
  ]
  return Object.fromEntries(
    sides.flatMap(({ name, asset, tx }): [string, string][] => {
      const explorer = chains.find(({ chain }) => chain === chainOf(asset))?.explorer ?? null
      return explorer === null || tx === null ? [] : [[name, transactionLink(explorer, tx)]]
    }),
  )
}
