import { argumentIs, callIs, operatorIs, resultIs, valueIs, withoutStatement } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** An order is forgotten, or ends too early. */
export const ordersMistakes: MistakesOfRoom = {
  room: "orders",
  mistakes: [
    {
      name: "a crowd takes the slots of refunds",
      file: "src/engine/orders/choose-work.ts",
      function: "hasPlace",
      change: valueIs("count", "count(key) * 1"),
    },
    {
      name: "a dead chain takes the slots of all",
      file: "src/engine/orders/choose-work.ts",
      function: "slotKeyOf",
      change: callIs("join", 'Object.keys(places).length + placesOf(work).length > 0 ? "all" : ""'),
    },
    {
      name: "refunds wait in line",
      file: "src/engine/orders/choose-work.ts",
      function: "needsOf",
      change: callIs("headStartOf", "0"),
    },
    {
      name: "redemptions wait in the lane of deposits",
      file: "src/engine/orders/choose-work.ts",
      function: "laneOf",
      change: callIs("isRescue", "false"),
    },
    {
      name: "what holds the lane asks last",
      file: "src/engine/orders/choose-work.ts",
      function: "urgencyOf",
      change: callIs("laneOf", "null"),
    },
    {
      name: "one damaged order stops the engine's poll",
      file: "src/engine/orders/isolate-damaged.ts",
      function: "readWork",
      change: callIs("isolate error", "throw error"),
    },
    {
      name: "an order is refunded although its payout is on the chain",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "isRefundable",
      change: valueIs("destinationRedeemed", "seen.destinationRedeemed !== null && unpaid"),
    },
    {
      name: "a refund is tried one block too early",
      file: "src/engine/orders/observe/observe-order.ts",
      function: "isRefundable",
      change: resultIs(
        "canRefund",
        "canRefund(job) && seen.sourceHeight >= seen.refundableAtHeight - 1n",
      ),
    },
    {
      name: "a signature that may be out ends as never handed over",
      file: "src/engine/orders/deposit/submit-signature.ts",
      function: "submitSignature",
      change: resultIs("doubt", "declineAsTooLate(job)"),
    },
    {
      name: "a bug ends an order with a verified deposit",
      file: "src/engine/orders/worker.ts",
      function: "toEvent",
      change: valueIs("deposit", '"order.declined"'),
    },
    {
      name: "the next work is lost",
      file: "src/edges/journal/orders.ts",
      function: "commitStep",
      change: argumentIs(
        "updateOrder",
        2,
        "{ order, place, work: null, before: orders.find(order.id), cause }",
      ),
    },
    {
      name: "an order is opened without its work",
      file: "src/edges/journal/orders.ts",
      function: "openOrder",
      change: argumentIs("insertOrder", 3, "null"),
    },
    {
      name: "work that is due now waits",
      file: "src/edges/journal/outbox.ts",
      function: "listDue",
      change: argumentIs("takeWhile", 0, "({ dueAtMs }) => dueAtMs < untilMs"),
    },
    {
      name: "a change by another process is missed",
      file: "src/edges/journal/read-open-orders.ts",
      function: "current",
      change: withoutStatement("version"),
    },
    {
      name: "one vanished ending takes back the other",
      file: "src/core/order/guards.ts",
      function: "isEndingGone",
      change: operatorIs("type sourceRefunded", "||"),
    },
    {
      name: "a payout proves no deposit",
      file: "src/core/order/guards.ts",
      function: "isOwnDepositNew",
      change: resultIs("event", "event.seen.sourceInitiated !== null"),
    },
    {
      name: "a paid order ends while its refund may land",
      file: "src/core/order/guards.ts",
      function: "leavesRefund",
      change: resultIs(
        "isPaid",
        "isRefunded(question) && mayLand(refund) && refund.mined === null",
      ),
    },
    {
      name: "a refund ends the watch of the order",
      file: "src/core/order/states/watching.ts",
      function: "",
      change: valueIs("done", '[go("refunded")]'),
    },
    {
      name: "a second refund is planned while one may land",
      file: "src/core/order/states/watching.ts",
      function: "",
      change: valueIs("mayRefundLand", '[go("refund-planning")]'),
    },
    {
      name: "a final deposit that is gone holds no order",
      file: "src/core/order/states/watching.ts",
      function: "watch",
      change: argumentIs("take alarm", 1, 'goLater("poll", "held", "isExcluded")'),
    },
  ],
}
