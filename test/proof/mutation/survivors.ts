/** Generated mutants that no test can notice, by name; each with the reason. */
const SAME_SUM = "both sides give the same amount when they are equal"
const NO_EMPTY_SPAN = "an empty span adds nothing"

export const SURVIVORS: Readonly<Record<string, string>> = {
  "src/core/books/accrue-affiliate.ts accrueAffiliate: an operator turned: order(a) [< -> <=] order(b)":
    "no two rows have the same week, asset and address",
  "src/core/books/accrue-affiliate.ts sameAddressKey: a method turned: address.[toLowerCase -> toUpperCase]()":
    "the key is only compared with keys of the same function",
  "src/core/books/book-step.ts bookStep: an early end removed: if ([isSame(before, after) -> false]) return NOTHING":
    "the longer way finds the same entries on both sides, and books nothing",
  "src/core/books/entries-of.ts bookRent: an operator turned: data.rentReturned.units [< -> <=] heldUnits":
    SAME_SUM,
  "src/core/books/entries-of.ts splitCost: an operator turned: asked [< -> <=] costUnits": SAME_SUM,
  "src/core/books/entries-of.ts splitCost: an operator turned: costUnits [<= -> <] 0n": SAME_SUM,
  "src/core/books/judge-balance.ts judgeBalance: a condition dropped: [difference > 0n && isQuiet(pending) -> (isQuiet(pending))]":
    "without orders in flight a smaller balance was missing before",
  "src/core/books/judge-balance.ts judgeBalance: an operator turned: difference [> -> >=] 0n":
    "an equal balance has agreed before",
  "src/core/books/out-of-band.ts lengthOf: an operator turned: end [> -> >=] start": NO_EMPTY_SPAN,
  "src/core/books/pending.ts largest: an operator turned: value [> -> >=] most": SAME_SUM,
}
