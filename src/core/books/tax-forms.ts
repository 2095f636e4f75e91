import type { SwapRow } from "./swap-row.ts"

export type TaxFormName = "koinly" | "cointracker"

/** A form that a tax tool imports: its columns, and its line of an order that ended. */
type TaxForm = {
  readonly columns: readonly string[]
  readonly toLine: (row: SwapRow) => Readonly<Record<string, string>>
}

/** The universal template of Koinly, and the template of CoinTracker. Both expect times in UTC. */
export const TAX_FORMS: Readonly<Record<TaxFormName, TaxForm>> = {
  koinly: {
    columns: [
      "Date",
      "Sent Amount",
      "Sent Currency",
      "Received Amount",
      "Received Currency",
      "Fee Amount",
      "Fee Currency",
      "Net Worth Amount",
      "Net Worth Currency",
      "Label",
      "Description",
      "TxHash",
    ],
    toLine: (row) => {
      const { sent, received, fee } = sidesOf(row)
      const isSwap = received.amount !== ""
      return {
        Date: `${row.deposited_at.slice(0, 10)} ${row.deposited_at.slice(11, 19)} UTC`,
        "Sent Amount": sent.amount,
        "Sent Currency": sent.currency,
        "Received Amount": received.amount,
        "Received Currency": received.currency,
        "Fee Amount": fee.amount,
        "Fee Currency": fee.currency,
        "Net Worth Amount": isSwap ? row.sent_fiat : row.network_fee_fiat,
        "Net Worth Currency": (isSwap ? row.sent_fiat : row.network_fee_fiat) === "" ? "" : "USD",
        Label: isSwap ? "" : "cost",
        Description: describe(row),
        TxHash: row.deposit_tx,
      }
    },
  },
  cointracker: {
    columns: [
      "Date",
      "Received Quantity",
      "Received Currency",
      "Sent Quantity",
      "Sent Currency",
      "Fee Amount",
      "Fee Currency",
      "Tag",
    ],
    toLine: (row) => {
      const { sent, received, fee } = sidesOf(row)
      const [year = "", month = "", day = ""] = row.deposited_at.slice(0, 10).split("-")
      return {
        Date: `${month}/${day}/${year} ${row.deposited_at.slice(11, 19)}`,
        "Received Quantity": received.amount,
        "Received Currency": received.currency,
        "Sent Quantity": sent.amount,
        "Sent Currency": sent.currency,
        "Fee Amount": fee.amount,
        "Fee Currency": fee.currency,
        Tag: "",
      }
    },
  },
}

type Side = { readonly amount: string; readonly currency: string }
const NOTHING: Side = { amount: "", currency: "" }

/**
 * A tool knows coins by their symbols. What came back is no swap: only its network fees are gone,
 * and they are what was sent.
 */
function sidesOf(row: SwapRow): {
  readonly sent: Side
  readonly received: Side
  readonly fee: Side
} {
  const fee = sideOf(row.network_fee_amount, row.network_fee_asset)
  if (row.outcome !== "completed") return { sent: fee, received: NOTHING, fee: NOTHING }
  return {
    sent: sideOf(row.sent_amount, row.sent_asset),
    received: sideOf(row.received_amount, row.received_asset),
    fee,
  }
}

function sideOf(amount: string, asset: string): Side {
  if (/^0?(\.0*)?$/.test(amount)) return NOTHING
  return { amount, currency: asset.slice(asset.indexOf(":") + 1).toUpperCase() }
}

function describe({ outcome, sent_asset, received_asset, order_id }: SwapRow): string {
  return `${outcome} ${sent_asset} to ${received_asset}, order ${order_id}`
}

/**
 * What a tool is told of an order: once it ended, after a deposit, with something gone. A line has
 * one fee, so that of our own redemption is a cost of its own.
 */
export function listTaxed(row: SwapRow): readonly SwapRow[] {
  return row.outcome === "" || row.deposited_at === ""
    ? []
    : [row, redemptionOf(row)].filter((one) => sidesOf(one).sent.amount !== "")
}

/** Its network fees are all that it sends, as in the line of an order that came back. */
function redemptionOf(row: SwapRow): SwapRow {
  return {
    ...row,
    outcome: "redeemed",
    deposited_at: row.paid_at === "" ? row.deposited_at : row.paid_at,
    network_fee_asset: row.redeem_fee_asset,
    network_fee_amount: row.redeem_fee_amount,
    network_fee_fiat: row.redeem_fee_fiat,
    deposit_tx: row.payout_tx,
  }
}
