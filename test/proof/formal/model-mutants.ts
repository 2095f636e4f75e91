import { RULES, type RuleName, type RuleTable } from "./rules.ts"
import type { ModelCase } from "./run-spin.ts"

const SECRET = "no reveal beside a refund, unless the payout is lost"
const ENDS = "every run ends with all orders ended"

/** A mistake in the model, and the promise that its counterexample breaks. */
export type ModelMutant = ModelCase & { readonly name: string; readonly breaks: string }

export const MODEL_MUTANTS: readonly ModelMutant[] = [
  planted("an append locks for key share", "FOR_KEY_SHARE", "no append of an older epoch"),
  planted(
    "the lease is cached",
    "CACHED_LEASE",
    "a call beside another leader is one of a frozen process",
  ),
  planted(
    "the lease ends by a local clock",
    "LOCAL_CLOCK",
    "a call beside another leader is one of a frozen process",
  ),
  planted(
    "an acknowledgement proves the lease however late it is read",
    "ACKNOWLEDGEMENT_READ_LATE",
    "a call beside another leader is one of a frozen process",
  ),
  planted(
    "an append proves the lease of any epoch",
    "APPEND_PROVES_ANY_EPOCH",
    "no append of an older epoch",
  ),
  planted(
    "PostgreSQL's standby is asynchronous",
    "ASYNCHRONOUS_STANDBY",
    "nothing acknowledged is lost",
  ),
  planted(
    "an unknown append is settled by reading alone",
    "SETTLED_WITHOUT_THE_STANDBY",
    "nothing acknowledged is lost",
  ),
  planted(
    "reading and renewing are two questions",
    "SETTLED_IN_TWO_QUESTIONS",
    "no effect without a durable claim",
  ),
  planted(
    "claims are cleaned by age",
    "CLAIMS_CLEANED_BY_AGE",
    "a repeated signature has the same bytes",
  ),
  planted(
    "a call does not wait for the log",
    "SIGNED_BEFORE_DURABLE",
    "no effect without a durable claim",
  ),
  planted(
    "a void releases its deposit",
    "RELEASED_WITH_ITS_VOID",
    "a released deposit never lands",
  ),
  planted("a void uses another nonce", "VOID_WITH_ANOTHER_NONCE", ENDS),
  planted("a process is frozen for the payout's whole lock", "FROZEN_FOR_THE_WHOLE_LOCK", SECRET),
  changed("a reveal after a refund", SECRET, {
    decideReveal: { all: ["depositClaimed", "payoutOpen"] },
    tellSecret: { all: ["revealDecided", "payoutOpen"] },
  }),
  changed("a refund after a reveal", SECRET, {
    claimRefund: "depositClaimed",
    signRefund: "refundClaimed",
    sendRefund: "refundStored",
  }),
  changed("a payout counts as lost without its proof", SECRET, { decideLost: "revealDecided" }),
  changed("a second claim need not exclude the first", "a repeated signature has the same bytes", {
    claimDeposit: { not: "ended" },
  }),
  changed("a signature needs no claim", "no effect without a durable claim", {
    signDeposit: { not: "ended" },
  }),
  changed("an order ends while its deposit may land", "a released deposit never lands", {
    endUnfunded: { not: "ended" },
  }),
]

function planted(name: string, define: string, breaks: string): ModelMutant {
  return { name, breaks, defines: [`MUTANT_${define}`, ...definesFor(breaks)], isShort: true }
}

/** Other guards in the table, which the trace checker would use too. */
function changed(
  name: string,
  breaks: string,
  guards: Partial<Record<RuleName, RuleTable[RuleName]["guard"]>>,
): ModelMutant {
  const changes = Object.entries(guards).map(([rule, guard]) => {
    // CAST: the keys of `guards` are names of rules.
    const known: RuleTable[RuleName] = RULES[rule as RuleName]
    return [rule, { ...known, guard }]
  })
  return {
    name,
    breaks,
    defines: definesFor(breaks),
    rules: { ...RULES, ...Object.fromEntries(changes) },
    isShort: true,
  }
}

/** A mistake can also keep an order from its end; only the mutants for that promise look for it. */
function definesFor(breaks: string): readonly string[] {
  return ["FAULTS=2", ...(breaks === ENDS ? [] : ["WITHOUT_ENDS"])]
}
