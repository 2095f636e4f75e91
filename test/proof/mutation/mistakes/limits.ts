import {
  argumentIs,
  operatorIs,
  resultIs,
  valueIs,
  withoutEntry,
  withoutStatement,
} from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** A limit, a pause or an approval is passed. */
export const limitsMistakes = mistakesOf("limits", {
  "src/engine/rules/decide/judge.ts": {
    readCommitted: {
      "units of accepted orders are spent twice": valueIs(
        "committedUnits",
        "journal.sumCommitted(from, null) * 0n",
      ),
    },
  },
  "src/engine/rules/admission.ts": {
    readKept: {
      "the minimum of the native coin is not kept": resultIs(
        "context",
        "0n + (await readRedeemReserve(context, chain))",
      ),
    },
  },
  "src/engine/rules/limit-clock.ts": {
    readLimitTime: {
      "windows follow the clock of the machine alone": resultIs("confirmed", "nowMs"),
    },
  },
  "src/engine/watches/pause.ts": {
    listPauseFlags: { "a pause of the chain admits orders": withoutEntry("===") },
  },
  "src/engine/orders/deposit/create-order.ts": {
    "": { "a quote of ten minutes is accepted": valueIs("60_000", "600_000") },
  },
  "src/engine/orders/stepper.ts": {
    toStepRow: { "an alarm of a theft pauses nothing": valueIs("pausing", "[]") },
  },
  "src/engine/rules/tick/admit-proposal.ts": {
    admitProposal: {
      "a proposal of a paused rule is admitted": withoutStatement("paused"),
      "an engine that only observes admits orders": withoutStatement("context"),
    },
  },
  "src/core/guards/choose-quote.ts": {
    isRate: {
      "one other service already refutes a rate": resultIs(
        "isRefuted",
        "!isRefuted || measureBy(candidate.service, candidates).length < 1",
      ),
    },
  },
  "src/core/guards/limits.ts": {
    admitRequest: {
      "an order of nothing is admitted": operatorIs("0n", "<"),
      "a window in units counts only the past": valueIs("units", "used.units"),
    },
    full: { "one order more than allowed is in flight": operatorIs("inFlight", "<=") },
    admitValue: { "the fees of a window are not judged": withoutStatement("admitFees") },
    admitFunds: {
      "two orders may spend the same coins": valueIs(
        "sourceUnits",
        "sourceUnits + (sourceIsNative ? feeUnits : 0n)",
      ),
      "the network fees of orders under way are not kept": valueIs(
        "committedFeeUnits",
        "funds.feeUnits",
      ),
    },
    admitInFlight: {
      "the limit per rule counts all orders": argumentIs(
        "full in_flight_rule inFlightOf",
        2,
        "inFlight",
      ),
    },
    admitService: {
      "the list of refused solvers is ignored": valueIs(
        "isRefused",
        "solver !== null && (solvers?.allow?.includes(solver) === false)",
      ),
    },
  },
  "src/core/guards/requires-approval.ts": {
    isAbove: {
      "an order without a value needs no approval": resultIs(
        "fiat",
        "fiat !== null && fiat > over.fiat",
      ),
    },
  },
  "src/core/order/guards.ts": {
    isStaleApproval: {
      "an approval of another intent counts while it is young": operatorIs(
        "approvedIntent ageMs",
        "&&",
      ),
      "an approval of our own lives for ever": resultIs(
        "approvedIntent",
        "data.approvedIntent !== event.intent.hash",
      ),
    },
  },
  "src/core/policy/headroom.ts": {
    headroomOf: {
      "a band is drained below its least for another rule": valueIs(
        "MARGIN_PART",
        "haveUnits - giveWayUnits / MARGIN_PART - feesOf(asset, read.balance)",
      ),
    },
  },
})
