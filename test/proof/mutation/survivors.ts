/** Generated mutants that no test can notice, by name; each with the reason. */
const SAME_SUM = "both sides give the same amount when they are equal"
const NO_EMPTY_SPAN = "an empty span adds nothing"

const BOOKS: readonly Survivor[] = [
  {
    file: "accrue-affiliate.ts",
    mutant: "accrueAffiliate: an operator turned: order(a) [< -> <=] order(b)",
    why: "no two rows have the same week, asset and address",
  },
  {
    file: "accrue-affiliate.ts",
    mutant: "sameAddressKey: a method turned: address.[toLowerCase -> toUpperCase]()",
    why: "the key is only compared with keys of the same function",
  },
  {
    file: "book-step.ts",
    mutant:
      "bookStep: an early end removed: if (" + "[isSame(before, after) -> false]) return NOTHING",
    why: "the longer way finds the same entries on both sides, and books nothing",
  },
  {
    file: "entries-of.ts",
    mutant: "splitCost: an operator turned: costUnits [<= -> <] 0n",
    why: SAME_SUM,
  },
  {
    file: "judge-balance.ts",
    mutant:
      "judgeBalance: a condition dropped: " +
      "[difference > 0n && isQuiet(pending) -> (isQuiet(pending))]",
    why: "without orders in flight a smaller balance was missing before",
  },
  {
    file: "judge-balance.ts",
    mutant: "judgeBalance: an operator turned: difference [> -> >=] 0n",
    why: "an equal balance has agreed before",
  },
  {
    file: "out-of-band.ts",
    mutant: "lengthOf: an operator turned: end [> -> >=] start",
    why: NO_EMPTY_SPAN,
  },
]

const GUARDS: readonly Survivor[] = [
  {
    file: "choose-quote.ts",
    mutant: "bestOfEach: an operator turned: units [> -> >=] known",
    why: SAME_SUM,
  },
  {
    file: "quiet-hours.ts",
    mutant: "wallClock: an operator turned: nowMs [/ -> *] 60_000",
    why: "the kept reading of a clock is read anew more often, with the same result",
  },
]

const ENGINE: readonly Survivor[] = [
  {
    file: "restore/recovered-order.ts",
    mutant: "module: a number off by one: [200_000 -> 199999]",
    why: "an order that is not remembered as over is only read once more",
  },
  {
    file: "rules/tick/build-view.ts",
    mutant: "smallest: an operator turned: a [< -> <=] b",
    why: SAME_SUM,
  },
  {
    file: "rules/tick/build-view.ts",
    mutant:
      "readPayoutFeeOf: a condition always true: " +
      "if ([error instanceof AppError -> true]) return { cause: reasonOf(error) }",
    why: "the fee of a payout is read with errors of our own alone",
  },
  {
    file: "rules/tick/pair-costs.ts",
    mutant: "slopeOf: an operator turned: cost [<= -> <] 0n",
    why: "no cost is no share either way",
  },
  {
    file: "rules/tick/refine-quotes.ts",
    mutant: "askSmallest: a number off by one: [1n -> 2n]",
    why: "the least amount that is asked for is twice a price of at least one unit",
  },
  {
    file: "orders/observe/observe-order.ts",
    mutant: "isRevealDecided: a flag turned: [false -> true]",
    why: "a secret that is told or lost asks for no decision",
  },
  {
    file: "rules/admission.ts",
    mutant: "readGas: a number off by one: [0n -> 1n]",
    why: "what stays beside an asset that pays its own fees is not counted here",
  },
  {
    file: "rules/tick/refine-quotes.ts",
    mutant: "askSmallest: a number off by one: [1n -> 0n]",
    why: "the least amount that is asked for is twice a price of at least one unit",
  },
  {
    file: "watches/churn-watch.ts",
    mutant: "findCirculation: an operator turned: sourceFiat [> -> >=] most",
    why: SAME_SUM,
  },
  {
    file: "watches/reconciler.ts",
    mutant: "aborted: a flag turned: [true -> false]",
    why: "a signal fires once",
  },
]

type Survivor = { readonly file: string; readonly mutant: string; readonly why: string }

const BY_FOLDER: Readonly<Record<string, readonly Survivor[]>> = {
  "src/core/books": BOOKS,
  "src/core/guards": GUARDS,
  "src/engine": ENGINE,
}

export const SURVIVORS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(BY_FOLDER).flatMap(([room, survivors]) =>
    survivors.map(({ file, mutant, why }) => [`${room}/${file} ${mutant}`, why]),
  ),
)
