import {
  argumentIs,
  operatorIs,
  resultIs,
  valueIs,
  withoutEntry,
  withoutStatement,
} from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** A limit, a pause or an approval is passed. */
export const limitsMistakes: MistakesOfRoom = {
  room: "limits",
  mistakes: [
    {
      name: "units of accepted orders are spent twice",
      file: "src/engine/rules/decide/judge.ts",
      function: "readCommitted",
      change: valueIs("committedUnits", "journal.sumCommitted(from, null) * 0n"),
    },
    {
      name: "the minimum of the native coin is not kept",
      file: "src/engine/rules/admission.ts",
      function: "readKept",
      change: resultIs("context", "0n + (await readRedeemReserve(context, chain))"),
    },
    {
      name: "windows follow the clock of the machine alone",
      file: "src/engine/rules/limit-clock.ts",
      function: "readLimitTime",
      change: resultIs("confirmed", "nowMs"),
    },
    {
      name: "a pause of the chain admits orders",
      file: "src/engine/watches/pause.ts",
      function: "listPauseFlags",
      change: withoutEntry("==="),
    },
    {
      name: "a quote of ten minutes is accepted",
      file: "src/engine/orders/deposit/create-order.ts",
      function: "",
      change: valueIs("60_000", "600_000"),
    },
    {
      name: "an alarm of a theft pauses nothing",
      file: "src/engine/orders/stepper.ts",
      function: "toStepRow",
      change: valueIs("pausing", "[]"),
    },
    {
      name: "a proposal of a paused rule is admitted",
      file: "src/engine/rules/tick/admit-proposal.ts",
      function: "admitProposal",
      change: withoutStatement("paused"),
    },
    {
      name: "an engine that only observes admits orders",
      file: "src/engine/rules/tick/admit-proposal.ts",
      function: "admitProposal",
      change: withoutStatement("context"),
    },
    {
      name: "one other service already refutes a rate",
      file: "src/core/guards/choose-quote.ts",
      function: "isRate",
      change: resultIs(
        "isRefuted",
        "!isRefuted || measureBy(candidate.service, candidates).length < 1",
      ),
    },
    {
      name: "an order of nothing is admitted",
      file: "src/core/guards/limits.ts",
      function: "admitRequest",
      change: operatorIs("0n", "<"),
    },
    {
      name: "one order more than allowed is in flight",
      file: "src/core/guards/limits.ts",
      function: "full",
      change: operatorIs("inFlight", "<="),
    },
    {
      name: "a window in units counts only the past",
      file: "src/core/guards/limits.ts",
      function: "admitRequest",
      change: valueIs("units", "used.units"),
    },
    {
      name: "the fees of a window are not judged",
      file: "src/core/guards/limits.ts",
      function: "admitValue",
      change: withoutStatement("admitFees"),
    },
    {
      name: "two orders may spend the same coins",
      file: "src/core/guards/limits.ts",
      function: "admitFunds",
      change: valueIs("sourceUnits", "sourceUnits + (sourceIsNative ? feeUnits : 0n)"),
    },
    {
      name: "the network fees of orders under way are not kept",
      file: "src/core/guards/limits.ts",
      function: "admitFunds",
      change: valueIs("committedFeeUnits", "funds.feeUnits"),
    },
    {
      name: "the limit per rule counts all orders",
      file: "src/core/guards/limits.ts",
      function: "admitInFlight",
      change: argumentIs("full in_flight_rule inFlightOf", 2, "inFlight"),
    },
    {
      name: "the list of refused solvers is ignored",
      file: "src/core/guards/limits.ts",
      function: "admitService",
      change: valueIs(
        "isRefused",
        "solver !== null && (solvers?.allow?.includes(solver) === false)",
      ),
    },
    {
      name: "an order without a value needs no approval",
      file: "src/core/guards/requires-approval.ts",
      function: "isAbove",
      change: resultIs("fiat", "fiat !== null && fiat > over.fiat"),
    },
    {
      name: "an approval of another intent counts while it is young",
      file: "src/core/order/guards.ts",
      function: "isStaleApproval",
      change: operatorIs("approvedIntent ageMs", "&&"),
    },
    {
      name: "an approval of our own lives for ever",
      file: "src/core/order/guards.ts",
      function: "isStaleApproval",
      change: resultIs("approvedIntent", "data.approvedIntent !== event.intent.hash"),
    },
    {
      name: "a band is drained below its least for another rule",
      file: "src/core/policy/headroom.ts",
      function: "headroomOf",
      change: valueIs(
        "MARGIN_PART",
        "haveUnits - giveWayUnits / MARGIN_PART - feesOf(asset, read.balance)",
      ),
    },
  ],
}
