import {
  argumentIs,
  callIs,
  operatorIs,
  resultIs,
  valueIs,
  withoutEntry,
  withoutStatement,
} from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** Units are counted, valued or booked wrongly. */
export const moneyMistakes: MistakesOfRoom = {
  room: "money",
  mistakes: [
    {
      name: "an entry that changed is not reversed",
      file: "src/core/books/book-step.ts",
      function: "bookStep",
      change: argumentIs("filter old", 0, "(key) => !now.has(key)"),
    },
    {
      name: "a relayed deposit is not booked",
      file: "src/core/books/entries-of.ts",
      function: "bookDeposit",
      change: valueIs("gasless", "data.gasless === null ? data.seen.sourceInitiated : null"),
    },
    {
      name: "a payout to another wallet counts as ours",
      file: "src/core/books/entries-of.ts",
      function: "bookPayout",
      change: valueIs("wallets", "walletOf(to)"),
    },
    {
      name: "a payout books the promised amount",
      file: "src/core/books/entries-of.ts",
      function: "bookPayout",
      change: argumentIs("post payee", 2, "destinationUnits"),
    },
    {
      name: "a refund after a payout leaves transit twice",
      file: "src/core/books/entries-of.ts",
      function: "bookReturn",
      change: valueIs("receipt", "ACCOUNTS.inTransit(data.id)"),
    },
    {
      name: "more rent comes back than was paid",
      file: "src/core/books/entries-of.ts",
      function: "bookRent",
      change: valueIs("<", "data.rentReturned.units"),
    },
    {
      name: "the fee of a signed transaction is not pending",
      file: "src/core/books/pending.ts",
      function: "addTransactions",
      change: withoutStatement("largest"),
    },
    {
      name: "a tip is whatever an endpoint suggests",
      file: "src/edges/chains/evm/fees.ts",
      function: "chooseTip",
      change: argumentIs("min cap", 0, "suggested ?? paid ?? 0n"),
    },
    {
      name: "a payout of one unit is enough",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "judgePayout",
      change: valueIs(
        "isEnough",
        "paidUnits !== null &&\n    paidUnits > 0n &&\n    paidUnits > 0n",
      ),
    },
    {
      name: "two transactions with one nonce are both booked",
      file: "src/engine/orders/observe/observe-transaction.ts",
      function: "rivalOf",
      change: resultIs("isMined", "rival"),
    },
    {
      name: "missing units pause nothing",
      file: "src/engine/watches/reconciler.ts",
      function: "raiseAlarm",
      change: argumentIs("raiseAlert", 2, '"alert"'),
    },
    {
      name: "limits count the smaller of two values",
      file: "src/core/guards/order-value.ts",
      function: "larger",
      change: operatorIs(">", "<"),
    },
    {
      name: "the network fee of the refund does not count",
      file: "src/core/guards/order-value.ts",
      function: "withNetworkFees",
      change: argumentIs("fiatOfUnits", 0, "budget.depositUnits"),
    },
    {
      name: "a payout fee above the payout leaves all of it",
      file: "src/core/guards/price.ts",
      function: "withoutPayoutFee",
      change: valueIs("feeUnits", "units > feeUnits ? units - feeUnits : units"),
    },
    {
      name: "a quote without a price passes",
      file: "src/core/guards/price.ts",
      function: "judgePrice",
      change: withoutEntry("code readable"),
    },
    {
      name: "the tolerance of reference prices counts twice",
      file: "src/core/guards/price.ts",
      function: "judgeReference",
      change: valueIs(
        "bps toleranceBps",
        '2n * toleranceBps + (maxCost.kind === "share" ? maxCost.bps : 0n)',
      ),
    },
    {
      name: "a rule's looser cost limit replaces the general one",
      file: "src/core/guards/price.ts",
      function: "judgePrice",
      change: valueIs("maxCost", "ruleMaxCost === null ? [maxCost] : [ruleMaxCost]"),
    },
    {
      name: "a booking is lost",
      file: "src/edges/journal/orders.ts",
      function: "commit",
      change: withoutStatement("writeBooking"),
    },
    {
      name: "an account holds its last posting",
      file: "src/edges/journal/sqlite-ledger.ts",
      function: "addToAccount",
      change: callIs("textOf", '"0"'),
    },
    {
      name: "the fee of a vanished block counts twice",
      file: "src/core/order/mined.ts",
      function: "withoutBlock",
      change: operatorIs("feeUnits", "+"),
    },
  ],
}
