/** The kinds of problems. An alert names its kind, and alerts of one kind share a message. */
export const PROBLEM_KINDS = [
  "theft",
  "contract",
  "held",
  "refund",
  "deposit",
  "approval",
  "books",
  "pause",
  "daemon",
  "cluster",
  "signer",
  "node",
  "service",
  "prices",
  "gas",
  "limit",
  "rule",
  "disk",
  "clock",
  "version",
  "config",
  "alerts",
  "other",
] as const

export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** The kind's meaning for the money, in one sentence. */
export const MEANINGS: Readonly<Record<ProblemKind, string>> = {
  theft:
    "Money may be lost: a payout or a refund is missing or short, or another party used our key.",
  contract:
    "A contract that holds deposits is no longer the reviewed one. Deposits in it may be at " +
    "risk; no new one is made.",
  held: "The order's money stays where it is until a person decides.",
  refund: "The deposit was not swapped. It is locked until its timelock ends, and then comes back.",
  deposit: "The money has not left the wallet for certain: the order waits for its deposit.",
  approval: "No money has been sent. Without an approval in time the order ends unsigned.",
  books:
    "A wallet holds less than the books say. Until the cause is known, the difference may be " +
    "a loss.",
  pause: "No new deposit is made. Open orders go on, and refunds are sent.",
  daemon: "Nothing moves until the daemon works: orders and refunds wait.",
  cluster: "Orders go on as long as this machine does: no other machine could take over.",
  signer: "Nothing can be signed: new deposits wait, and a refund may come late.",
  node:
    "New deposits on this chain may wait. Deposits that are locked stay safe behind their " +
    "timelock.",
  service: "New swaps with this service wait. Refunds do not need it.",
  prices: "Pairs without a price make no order. No money is at risk.",
  gas: "Without the coin for fees neither a deposit nor a refund can be sent on this chain.",
  limit: "No money is at risk. Orders above the rest of the limit are refused.",
  rule: "No money is at risk. The treasury may leave its bounds, because the rule does not act.",
  disk: "An order waits while the journal cannot be written; a refund may come late.",
  clock: "New deposits wait, because a wrong clock makes timelocks and limits wrong.",
  version: "No money is at risk. The running program is not the installed one.",
  config:
    "The daemon keeps its old settings: a new limit, rule or address of the file is not in force.",
  alerts: "A person may not hear of the next problem with the money.",
  other: "The message says it; this code has no fixed meaning for the money.",
}

const KIND_OF_CODE: Readonly<Record<string, ProblemKind>> = {
  "alarm.contract_changed": "contract",
  "verify.contract_changed": "contract",
  "alarm.churn": "rule",
  "alarm.issuer_silent": "service",
  "alarm.refund_watch": "refund",
  "wallet.not_deployed": "signer",
  "wallet.unread": "books",
  "wallet.changed": "books",
  "transaction.foreign_rival": "theft",
  "books.foreign_transaction": "theft",
  "order.awaiting_approval": "approval",
  "order.refund_near": "refund",
  "order.refund_late": "refund",
  "order.deposit_late": "deposit",
  "order.held": "held",
  "approval.expired": "approval",
  "approve.stuck": "deposit",
  "deposit.stuck": "deposit",
  "void.stuck": "deposit",
  "refund.stuck": "refund",
}

const KIND_OF_FIRST_WORD: Readonly<Record<string, ProblemKind>> = {
  alarm: "theft",
  wallet: "theft",
  books: "books",
  paused: "pause",
  daemon: "daemon",
  asset: "daemon",
  cluster: "cluster",
  signer: "signer",
  node: "node",
  chain: "node",
  service: "service",
  prices: "prices",
  gas: "gas",
  limit: "limit",
  rule: "rule",
  disk: "disk",
  clock: "clock",
  version: "version",
  config: "config",
  alerts: "alerts",
}

export function kindOfCode(code: string): ProblemKind {
  return KIND_OF_CODE[code] ?? KIND_OF_FIRST_WORD[code.split(".")[0] ?? ""] ?? "other"
}
