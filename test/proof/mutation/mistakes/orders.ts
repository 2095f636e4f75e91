import { argumentIs, callIs, operatorIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** An order is forgotten, or ends too early. */
export const ordersMistakes = mistakesOf("orders", {
  "src/engine/orders/choose-work.ts": {
    hasPlace: { "a crowd takes the slots of refunds": valueIs("count", "count(key) * 1") },
    slotKeyOf: {
      "a dead chain takes the slots of all": callIs(
        "join",
        'Object.keys(places).length + placesOf(work).length > 0 ? "all" : ""',
      ),
    },
    needsOf: { "refunds wait in line": callIs("headStartOf", "0") },
    laneOf: { "redemptions wait in the lane of deposits": callIs("isRescue", "false") },
    urgencyOf: { "what holds the lane asks last": callIs("laneOf", "null") },
  },
  "src/engine/orders/isolate-damaged.ts": {
    readWork: {
      "one damaged order stops the engine's poll": callIs("isolate error", "throw error"),
    },
  },
  "src/engine/orders/observe/observe-order.ts": {
    isRefundable: {
      "an order is refunded although its payout is on the chain": valueIs(
        "destinationRedeemed",
        "agreedEnd(seen.destinationRedeemed) !== null && unpaid",
      ),
      "a refund is tried one block too early": resultIs(
        "canRefund",
        "canRefund(job) && seen.sourceHeight >= seen.refundableAtHeight - 1n",
      ),
    },
  },
  "src/engine/orders/deposit/submit-signature.ts": {
    submitSignature: {
      "a signature that may be out ends as never handed over": resultIs(
        "doubt",
        "declineAsTooLate(job)",
      ),
    },
  },
  "src/engine/orders/worker.ts": {
    toEvent: {
      "a bug ends an order with a verified deposit": valueIs("deposit", '"order.declined"'),
    },
  },
  "src/edges/journal/orders.ts": {
    commitStep: {
      "the next work is lost": argumentIs(
        "updateOrder",
        2,
        "{ order, place, work: null, before: orders.find(order.id), cause }",
      ),
    },
    openOrder: { "an order is opened without its work": argumentIs("insertOrder", 3, "null") },
  },
  "src/edges/journal/outbox.ts": {
    listDue: {
      "work that is due now waits": argumentIs(
        "takeWhile",
        0,
        "({ dueAtMs }) => dueAtMs < untilMs",
      ),
    },
  },
  "src/edges/journal/read-open-orders.ts": {
    current: { "a change by another process is missed": withoutStatement("version") },
  },
  "src/core/order/guards.ts": {
    isEndingGone: {
      "one vanished ending takes back the other": operatorIs("type sourceRefunded", "||"),
    },
    isOwnDepositNew: {
      "a payout proves no deposit": resultIs("event", "event.seen.sourceInitiated !== null"),
    },
    leavesRefund: {
      "a paid order ends while its refund may land": resultIs(
        "isPaid",
        "isRefunded(question) && mayLand(refund) && refund.mined === null",
      ),
    },
  },
  "src/core/order/states/watching.ts": {
    "": {
      "a refund ends the watch of the order": valueIs("done", '[go("refunded")]'),
      "a second refund is planned while one may land": valueIs(
        "mayRefundLand",
        '[go("refund-planning")]',
      ),
    },
    watch: {
      "a final deposit that is gone holds no order": argumentIs(
        "take alarm",
        1,
        'goLater("poll", "held", "isExcluded")',
      ),
    },
  },
})
