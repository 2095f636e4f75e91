import { plainJson } from "#lib/json.ts"
import type { Redemption, Rescue } from "./describe-rescue.ts"

export function formatRescue(rescue: Rescue): string {
  const { refund, transactions, gasless, service, source } = rescue
  const isVerified = source["htlc"] !== null
  const isBurnt = rescue.redeem !== null && rescue.redeem.payout === null
  return [
    `Order ${rescue.order} is ${rescue.state}: ${rescue.money}`,
    `Service ${service.url}, its order ${service.orderId ?? "none"}`,
    "",
    "Source: the deposit, sent or planned",
    ...formatFields(rescue.source),
    "",
    "Destination: the expected payout",
    ...formatFields(rescue.destination),
    "",
    refund !== null
      ? "Refund without Ballast"
      : isVerified
        ? isBurnt
          ? "Nothing returns this deposit: only its payout ends the order."
          : "The configuration of the source chain is missing, so the refund cannot be printed; " +
            "the terms above are those of the HTLC."
        : "Ballast verified no deposit, so it signed nothing and there is nothing to refund.",
    ...(refund === null ? [] : formatFields(refund)),
    ...formatRedemption(rescue.redeem),
    "",
    transactions.length === 0 ? "No transaction was signed." : "Signed transactions, oldest first",
    ...transactions.flatMap((transaction) => [...formatFields(transaction), ""]),
    ...(gasless === null
      ? []
      : ["Gasless signature handed to the service", ...formatFields(gasless)]),
  ].join("\n")
}

function formatRedemption(redeem: Redemption | null): string[] {
  if (redeem === null) return []
  const { secret, why, payout, recipe } = redeem
  return [
    "",
    "Redemption of the payout without Ballast",
    ...formatFields({ secret: secret ?? why, payout, ...recipe }),
  ]
}

function formatFields(fields: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(fields).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map(
      (item, index) =>
        `  ${(index === 0 ? name : "").padEnd(20)} ` +
        `${typeof item === "object" && item !== null ? plainJson(item) : (item ?? "-")}`,
    ),
  )
}
