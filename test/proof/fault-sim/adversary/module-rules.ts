import type { FeeMistakes } from "./fee-market.ts"

/**
 * How the chain modules read under attack (docs/THREATS.md, table of reads). `MODULE_RULES` are
 * those of src/edges/chains; a planted bug has the others, which Ballast had once.
 */
export type ModuleRules = {
  /**
   * Solana: so many entries of a history are listed in one look, and the next look goes on behind
   * them. `null`: a look begins anew.
   */
  readonly goesOn: boolean
  readonly entriesALook: number
  /** Solana: an open account names the slot of its initiation, so no history is read for it. */
  readonly stateFirst: boolean
  /**
   * EVM: the receipts that the service names are asked apart, and their failure counts for nothing.
   */
  readonly hintsApart: boolean
  /** Bitcoin: an observed output is known by its name. */
  readonly knowsOutput: boolean
  /** Bitcoin: so many payments of an address are listed. */
  readonly paymentsListed: number
  /** Bitcoin: a payment that is not listed counts as absent, with agreement. */
  readonly unlistedIsAbsent: boolean
  /**
   * Bitcoin: an address with more coins than this has no list of them, and then no history names
   * one. `null`: the history does.
   */
  readonly mostCoins: number | null
  /** A read that a limit of requests refused is thrown away as a whole, and repeated at once. */
  readonly repeatsBursts: boolean
  /** Bitcoin: a redemption spends the output that the observation showed. */
  readonly spendsObserved: boolean
  /**
   * The signer lets deposits use up the limits of redemptions, and no part asks it before a secret
   * is told.
   */
  readonly sharesLimits: boolean
  readonly fees: FeeMistakes
}

export const MODULE_RULES: ModuleRules = {
  goesOn: true,
  entriesALook: 100_000,
  stateFirst: true,
  hintsApart: true,
  knowsOutput: true,
  paymentsListed: 5_000,
  unlistedIsAbsent: false,
  mostCoins: null,
  repeatsBursts: false,
  spendsObserved: true,
  sharesLimits: false,
  fees: {},
}

/** Mistakes of chain modules that an adversary with a purse must find. */
export const ADVERSARY_BUGS = {
  "failed transactions fill a history": { stateFirst: false, goesOn: false, entriesALook: 2_000 },
  "hints share the request of a leg": { hintsApart: false },
  "payment outside the pages is absent": {
    knowsOutput: false,
    paymentsListed: 150,
    unlistedIsAbsent: true,
  },
  "dust hides the coin of an HTLC": { knowsOutput: false, mostCoins: 500 },
  "refused calls come back as a burst": { repeatsBursts: true },
  "another output than the observed one is spent": { spendsObserved: false },
  "deposits use up the signer's day": { sharesLimits: true },
  "offer follows the estimate": { fees: { rise: (estimate) => estimate } },
  "no estimate counts as a low one": { fees: { rise: (estimate) => estimate, noneCountsAs: 2n } },
  "urgent raises the cap alone": {
    fees: {
      rise: (estimate, { cap }) => (estimate !== null && estimate > cap ? cap : estimate),
      asksElsewhere: true,
    },
  },
} as const satisfies Readonly<Record<string, Partial<ModuleRules>>>

export type AdversaryBug = keyof typeof ADVERSARY_BUGS

export function moduleRulesOf(bug: string | null): ModuleRules {
  const planted = Object.entries(ADVERSARY_BUGS).find(([name]) => name === bug)?.[1]
  return planted === undefined ? MODULE_RULES : { ...MODULE_RULES, ...planted }
}
