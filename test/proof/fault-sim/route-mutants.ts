import { ENGINE_MUTANTS, type EngineMutant } from "./engine-mutants.ts"

const VOUCHER = "src/engine/orders/route/read-voucher.ts"
const GUARDS = "src/core/order/guards.ts"
const runs = { routes: true } as const
/** No other fault keeps an order from its voucher before its burn is final. */
const lossOnly = { ...runs, only: ["burn reorganised", "operator"] } satisfies EngineMutant["runs"]

/** The same mistake in runs with a hundred orders. */
export function asCrowded(mutant: EngineMutant): EngineMutant {
  return { ...mutant, runs: { ...mutant.runs, crowded: true } }
}

/** Mistakes about both kinds that must show on a burn and its mint too. */
const SHARED = [
  "a deposit is signed without its claim",
  "a redeem is signed without its claim",
  "a deposit is sent before its bytes are stored",
  "signed bytes are not stored",
]

/** Mistakes about burns and mints. */
export const ROUTE_MUTANTS: readonly EngineMutant[] = [
  {
    name: "the voucher of another deposit is kept",
    edits: [
      {
        file: VOUCHER,
        find: "  if (foreign.length > 0) return { alerts: foreign }\n",
        replace: "",
      },
    ],
    runs,
  },
  {
    name: "a voucher is not kept",
    edits: [
      {
        file: "src/core/order/order-updates.ts",
        find: "    ...(event.voucher === undefined ? {} : { voucher: event.voucher }),\n",
        replace: "",
      },
    ],
    runs,
  },
  {
    name: "a mint that is not final ends its order",
    edits: [
      {
        file: "src/engine/orders/observe/observe-order.ts",
        find: "    paid: counts(payout, isFinal),\n",
        replace: "    paid: counts(payout, isSeen),\n",
      },
    ],
    runs,
  },
  // The order and the record of its transactions each ask for a final burn.
  {
    name: "a burn that is not final ends its order",
    edits: [
      {
        file: GUARDS,
        find: "  return event.seen.sourceInitiated?.final === true && isBooked(context, event)\n",
        replace: "  return isBooked(context, event)\n",
      },
      {
        file: GUARDS,
        find: "  return LASTING.every((purpose) => {\n",
        replace:
          '  return LASTING.every((purpose) => {\n    if (purpose === "deposit") return true\n',
      },
    ],
    runs,
  },
  {
    name: "an attested burn is voided",
    edits: [{ file: GUARDS, find: "    !isAttested(context)\n", replace: "    true\n" }],
    runs: lossOnly,
  },
  {
    name: "an attested burn is late",
    edits: [
      {
        file: "src/engine/orders/observe/job.ts",
        find: "  if (isAttested(job.data)) return false\n",
        replace: "",
      },
      {
        file: "src/engine/orders/deposit/broadcast-transaction.ts",
        find: 'if (kind === "deposit" && !isAttested(job.data))',
        replace: 'if (kind === "deposit")',
      },
    ],
    runs: lossOnly,
  },
  // The rescue's patience alone breaks nothing, and with it too few of them meet a dropped burn.
  {
    name: "an attested burn may lose its nonce",
    edits: [
      {
        file: "src/engine/orders/pay/nonce-rows.ts",
        find: "!isFinal(order.state) && isAttested(order.data)\n",
        replace: "!isFinal(order.state) && order.data.id === null\n",
      },
      {
        file: "src/engine/orders/pay/take-nonce.ts",
        find: "Math.abs(nowMs - first.atMs) >= patienceMs }\n",
        replace: "Math.abs(nowMs - first.atMs) >= Math.min(patienceMs, 10_000) }\n",
      },
    ],
    runs: {
      ...runs,
      crowded: true,
      only: [
        "burn reorganised",
        "node unreadable",
        "attester late",
        "operator",
        "mint by a stranger",
        "message expires",
        "attestation service lies",
      ],
    },
  },
  {
    name: "the issuer may owe any amount",
    edits: [
      {
        file: "src/core/guards/limits.ts",
        find: "  if (fiat <= most) return []\n",
        replace: "  if (fiat > 0n) return []\n",
      },
    ],
    runs,
  },
  ...ENGINE_MUTANTS.filter(({ name }) => SHARED.includes(name)).map((mutant) => ({
    ...mutant,
    name: `${mutant.name}, with burns`,
    runs,
  })),
]
