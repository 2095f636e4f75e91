import { again, go, goLater, leaf, take } from "../routes.ts"
import { transactionLife } from "./transaction-life.ts"

/*
 * Our own secret: the client of the swap chose it, so the solver can take the deposit only after we
 * have told it. A route without a secret needs its voucher instead, and waits for it in `funded`.
 */

/**
 * The work proves the payout, decides in the journal, and only then tells the secret. Without the
 * proof the order is observed as before.
 */
export const revealing = leaf("revealing", {
  "secret.revealed": take("storeReveal", goLater("poll", "revealed")),
  "secret.withheld": take("storeWithholding", goLater("poll", "refund-watch")),
  "secret.kept": take("keepSecret", goLater("longPoll", "funded")),
  "work.deferred": take("storeReasons", again("revealing")),
  "order.held": take("hold", goLater("poll", "held")),
})

const LATE = [goLater("poll", "funded", "needsVoucher"), goLater("poll", "revealed")]

export const redeem = transactionLife(
  "redeem",
  {
    planning: "redeem-planning",
    signing: "redeem-signing",
    sending: "redeem-sending",
    confirming: "redeem-confirming",
    bumping: "redeem-bumping",
  },
  // The next observation of the HTLC tells whether the payout reached us, or is lost.
  {
    done: [go("funded", "needsVoucher"), go("revealed")],
    failed: [goLater("unseen", "funded", "needsVoucher"), goLater("unseen", "revealed")],
    late: LATE,
  },
  {
    planning: {
      "order.declined": take(
        "decline",
        goLater("longPoll", "funded", "needsVoucher"),
        goLater("longPoll", "revealed"),
      ),
    },
    signing: {
      "transaction.late": take({ type: "storeLateness", params: { purpose: "redeem" } }, ...LATE),
    },
    sending: {
      "transaction.stuck": take(
        { type: "dropBlock", params: { purpose: "redeem" } },
        go("redeem-bumping"),
      ),
    },
  },
)
