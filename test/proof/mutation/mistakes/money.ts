import {
  argumentIs,
  callIs,
  operatorIs,
  resultIs,
  valueIs,
  withoutEntry,
  withoutStatement,
} from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** Units are counted, valued or booked wrongly. */
export const moneyMistakes = mistakesOf("money", {
  "src/core/books/book-step.ts": {
    bookStep: {
      "an entry that changed is not reversed": argumentIs(
        "filter old",
        0,
        "(key) => !now.has(key)",
      ),
    },
  },
  "src/core/books/entries-of.ts": {
    bookDeposit: {
      "a relayed deposit is not booked": valueIs(
        "gasless",
        "data.gasless === null ? data.seen.sourceInitiated : null",
      ),
    },
    bookPayout: {
      "a payout to another wallet counts as ours": valueIs("wallets", "walletOf(to)"),
      "a payout books the promised amount": argumentIs("post payee", 2, "destinationUnits"),
    },
    bookReturn: {
      "a refund after a payout leaves transit twice": valueIs(
        "receipt",
        "ACCOUNTS.inTransit(data.id)",
      ),
    },
    bookRent: { "more rent comes back than was paid": valueIs("<", "data.rentReturned.units") },
  },
  "src/core/books/pending.ts": {
    addTransactions: {
      "the fee of a signed transaction is not pending": withoutStatement("largest"),
    },
  },
  "src/edges/chains/evm/fees.ts": {
    chooseTip: {
      "a tip is whatever an endpoint suggests": argumentIs("min cap", 0, "suggested ?? paid ?? 0n"),
    },
  },
  "src/engine/orders/observe/observe-order.ts": {
    judgePayout: {
      "a payout of one unit is enough": valueIs(
        "isEnough",
        "paidUnits !== null &&\n    paidUnits > 0n &&\n    paidUnits > 0n",
      ),
    },
  },
  "src/engine/orders/observe/observe-transaction.ts": {
    rivalOf: { "two transactions with one nonce are both booked": resultIs("isMined", "rival") },
  },
  "src/engine/watches/reconciler.ts": {
    raiseAlarm: { "missing units pause nothing": argumentIs("raiseAlert", 2, '"alert"') },
  },
  "src/core/guards/order-value.ts": {
    larger: { "limits count the smaller of two values": operatorIs(">", "<") },
    withNetworkFees: {
      "the network fee of the refund does not count": argumentIs(
        "fiatOfUnits",
        0,
        "budget.depositUnits",
      ),
    },
  },
  "src/core/guards/price.ts": {
    withoutPayoutFee: {
      "a payout fee above the payout leaves all of it": valueIs(
        "feeUnits",
        "units > feeUnits ? units - feeUnits : units",
      ),
    },
    judgePrice: {
      "a quote without a price passes": withoutEntry("code readable"),
      "a rule's looser cost limit replaces the general one": valueIs(
        "maxCost",
        "ruleMaxCost === null ? [maxCost] : [ruleMaxCost]",
      ),
    },
    judgeReference: {
      "the tolerance of reference prices counts twice": valueIs(
        "bps toleranceBps",
        '2n * toleranceBps + (maxCost.kind === "share" ? maxCost.bps : 0n)',
      ),
    },
  },
  "src/edges/journal/orders.ts": {
    commit: { "a booking is lost": withoutStatement("writeBooking") },
  },
  "src/edges/journal/sqlite-ledger.ts": {
    addToAccount: { "an account holds its last posting": callIs("textOf", '"0"') },
  },
  "src/core/order/mined.ts": {
    withoutBlock: { "the fee of a vanished block counts twice": operatorIs("feeUnits", "+") },
  },
})
