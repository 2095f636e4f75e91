import type { Guard } from "./guard.ts"

/*
 * The rules of lease, claim, void, refund, reveal and redeem, as one table. The Promela model takes
 * its guards from here (`rules.pml` is generated), and the trace checker of the fault simulator
 * judges every simulated run by the same guards.
 */

/**
 * Flags that the journal holds about one order. Each is written once, and a crash takes none that
 * is durable.
 */
export const JOURNAL_FLAGS = [
  "depositClaimed",
  "depositStored",
  "gaslessClaimed",
  "gaslessStored",
  "voidClaimed",
  "voidStored",
  "refundClaimed",
  "refundStored",
  "redeemClaimed",
  "redeemStored",
  "revealDecided",
  "withheld",
  "lostDecided",
  "ended",
] as const

/** Flags of calls that left a process, of whichever process. No journal need know them. */
export const CALL_FLAGS = [
  "depositSigned",
  "gaslessSigned",
  "voidSigned",
  "refundSigned",
  "redeemSigned",
  "secretTold",
] as const

/** Flags of the chains, and about the content of the claim or call itself. */
export const OUTSIDE_FLAGS = [
  /**
   * The claimed transaction shares a nonce or input with each earlier one of its purpose that must
   * be excluded.
   */
  "excludesEarlier",
  /** The void shares a nonce or input with a signed deposit. */
  "excludesDeposit",
  /** The key signs exactly the claimed bytes; the sent bytes are exactly the stored ones. */
  "isSameContent",
  /** The payout's HTLC is funded, and not back at the solver. */
  "payoutOpen",
  /** The solver took the payout back. */
  "payoutLost",
  /** The wallet has the payout. */
  "payoutPaid",
  /** The wallet has its deposit back. */
  "depositBack",
  /** The deposit is in its HTLC, or signed bytes may still bring it there. */
  "mayLand",
  /** Enough of the payout's lock is left for a redemption that tells the secret. */
  "hasTimeToRedeem",
] as const

export type JournalFlag = (typeof JOURNAL_FLAGS)[number]
export type CallFlag = (typeof CALL_FLAGS)[number]
export type OutsideFlag = (typeof OUTSIDE_FLAGS)[number]
export type Flag = JournalFlag | CallFlag | OutsideFlag

/**
 * A `write` changes the journal: its guard is judged against the journal that the process has. A
 * `call` leaves the process: its guard is judged against the durable journal, after the proof of
 * the lease. `why` is the promise that the rule keeps.
 */
export type Rule = {
  readonly kind: "write" | "call"
  readonly guard: Guard<Flag>
  readonly adds: readonly (JournalFlag | CallFlag)[]
  readonly why: string
}

const MAY_BE_DEPOSITED = { any: ["depositClaimed", "gaslessClaimed"] } as const
/** The secret is ours alone for ever, or the payout that it was told for is lost. */
const MAY_REFUND = { any: [{ not: "revealDecided" }, "lostDecided"] } as const

export const RULES = {
  claimDeposit: {
    kind: "write",
    guard: { all: [{ not: "ended" }, "excludesEarlier"] },
    adds: ["depositClaimed"],
    why: "an order has at most one deposit",
  },
  storeDeposit: {
    kind: "write",
    guard: { all: ["depositClaimed", "depositSigned", "isSameContent"] },
    adds: ["depositStored"],
    why: "bytes are stored before they are sent",
  },
  claimGasless: {
    kind: "write",
    guard: { all: [{ not: "ended" }, "excludesEarlier"] },
    adds: ["gaslessClaimed"],
    why: "an order has at most one deposit",
  },
  storeGasless: {
    kind: "write",
    guard: { all: ["gaslessClaimed", "gaslessSigned"] },
    adds: ["gaslessStored"],
    why: "a signature is stored before it is sent",
  },
  claimVoid: {
    kind: "write",
    guard: { all: ["depositClaimed", "excludesDeposit", { not: "ended" }] },
    adds: ["voidClaimed"],
    why: "a void makes a signed deposit impossible",
  },
  storeVoid: {
    kind: "write",
    guard: { all: ["voidClaimed", "voidSigned", "isSameContent"] },
    adds: ["voidStored"],
    why: "bytes are stored before they are sent",
  },
  claimRefund: {
    kind: "write",
    guard: { all: [MAY_BE_DEPOSITED, MAY_REFUND, { not: "ended" }] },
    adds: ["refundClaimed"],
    why: "no refund after a reveal, unless the payout is proven lost",
  },
  storeRefund: {
    kind: "write",
    guard: { all: ["refundClaimed", "refundSigned", "isSameContent"] },
    adds: ["refundStored"],
    why: "bytes are stored before they are sent",
  },
  claimRedeem: {
    kind: "write",
    guard: { all: ["revealDecided", { not: "ended" }] },
    adds: ["redeemClaimed"],
    why: "a redemption tells the secret",
  },
  storeRedeem: {
    kind: "write",
    guard: { all: ["redeemClaimed", "redeemSigned", "isSameContent"] },
    adds: ["redeemStored"],
    why: "bytes are stored before they are sent",
  },
  decideReveal: {
    kind: "write",
    guard: {
      all: [
        MAY_BE_DEPOSITED,
        { not: "withheld" },
        { not: "refundClaimed" },
        { not: "ended" },
        "payoutOpen",
      ],
    },
    adds: ["revealDecided"],
    why: "a secret is told only for a payout, and never after a refund was claimed",
  },
  decideWithhold: {
    kind: "write",
    guard: { not: "revealDecided" },
    adds: ["withheld"],
    why: "a secret that is withheld was never told",
  },
  decideLost: {
    kind: "write",
    guard: { all: ["revealDecided", "payoutLost"] },
    adds: ["lostDecided"],
    why: "a refund after a reveal needs the proof that the payout is lost",
  },
  endUnfunded: {
    kind: "write",
    guard: { not: "mayLand" },
    adds: ["ended"],
    why: "a reservation is released only when its deposit can never land",
  },
  endPaid: {
    kind: "write",
    guard: "payoutPaid",
    adds: ["ended"],
    why: "completed means that the wallet has the payout",
  },
  endRefunded: {
    kind: "write",
    guard: "depositBack",
    adds: ["ended"],
    why: "refunded means that the wallet has its deposit",
  },
  signDeposit: {
    kind: "call",
    guard: { all: ["depositClaimed", "isSameContent"] },
    adds: ["depositSigned"],
    why: "no signature without its durable claim",
  },
  signGasless: {
    kind: "call",
    guard: { all: ["gaslessClaimed", "isSameContent"] },
    adds: ["gaslessSigned"],
    why: "no signature without its durable claim",
  },
  signVoid: {
    kind: "call",
    guard: { all: ["voidClaimed", "isSameContent"] },
    adds: ["voidSigned"],
    why: "no signature without its durable claim",
  },
  signRefund: {
    kind: "call",
    guard: { all: ["refundClaimed", "isSameContent", MAY_REFUND] },
    adds: ["refundSigned"],
    why: "no refund after a reveal, unless the payout is proven lost",
  },
  signRedeem: {
    kind: "call",
    guard: { all: ["redeemClaimed", "isSameContent", "revealDecided"] },
    adds: ["redeemSigned"],
    why: "no signature without its durable claim",
  },
  sendDeposit: {
    kind: "call",
    guard: { all: ["depositStored", "isSameContent"] },
    adds: [],
    why: "bytes are stored before they are sent",
  },
  sendGasless: {
    kind: "call",
    guard: "gaslessStored",
    adds: [],
    why: "a signature is stored before it is sent",
  },
  sendVoid: {
    kind: "call",
    guard: { all: ["voidStored", "isSameContent"] },
    adds: [],
    why: "bytes are stored before they are sent",
  },
  sendRefund: {
    kind: "call",
    guard: { all: ["refundStored", "isSameContent", MAY_REFUND] },
    adds: [],
    why: "no refund after a reveal, unless the payout is proven lost",
  },
  sendRedeem: {
    kind: "call",
    guard: {
      all: [
        "redeemStored",
        "isSameContent",
        "revealDecided",
        { any: ["secretTold", "hasTimeToRedeem", "depositBack"] },
      ],
    },
    adds: ["secretTold"],
    why: "a redemption that tells the secret needs time to win, or a deposit that is back",
  },
  tellSecret: {
    kind: "call",
    guard: { all: ["revealDecided", { not: "withheld" }, { not: "refundClaimed" }, "payoutOpen"] },
    adds: ["secretTold"],
    why: "a secret is told only for a payout, and never beside a refund",
  },
} as const satisfies Readonly<Record<string, Rule>>

export type RuleName = keyof typeof RULES
export type RuleTable = Readonly<Record<RuleName, Rule>>
