/**
 * The next step after an alarm. `command` is for alarms without an order; an order's own alarms
 * name `ballast order ID`.
 */
type Remedy = {
  readonly todo: string
  readonly command?: string
  /** Its meaning for the money, where the code's kind has none that fits. */
  readonly meaning?: string
}

/** An alarm of a later version has no remedy here. */
export function findRemedy(code: string, unknown = "docs/ERRORS.md explains the code."): Remedy {
  return REMEDIES[code] ?? { todo: unknown }
}

const STUCK =
  "Use up an unused earlier nonce of the wallet, if an explorer shows one; else raise the " +
  "chain's fee cap, then reload."
const CONTRACT =
  "Read the new code of the contract. Pin it only after a review; keep the pause until then, " +
  "and `ballast rescue` at hand."
const FOREIGN = {
  todo:
    "If nobody of you sent it, move the rest to another key at once. Else book it, and " +
    "acknowledge it when you resume.",
}
const SHORT =
  "Add up in an explorer the coins that our address received, and send the service both " +
  "hashes of the order."
const UNAFFORDABLE = {
  todo: "Send the chain's coin to the address that `ballast wallet` shows, then retry the order.",
  meaning: "Without the coin for the fee the transaction cannot be sent; the order waits.",
}
const RELAY = {
  todo:
    "Read the order and its reason; set the allowance to zero by hand only if the order says " +
    "so, then retry it.",
  meaning:
    "A signature or an allowance may still be used once for this order's amount; no other " +
    "deposit is made with it.",
}
const OLD_JOURNAL =
  "Orders that the journal does not know may hold money. Nothing new is signed until they " +
  "are found and compared."
const LOCKED_STAYS =
  "The money of the order stays in its HTLC, and the order does not end before the chain proves it."

const FIND_MOVER =
  "Find the program that moved the journal's file, and end that, before you resume."
const FROM_COPY = "The journal in force is a copy; the daemon compares it with the signer's record."

const DEAR =
  "Compare the fee with an explorer: if your node alone asks for it, replace the endpoint; " +
  "else wait, or raise the chain's fee cap and reload."

const REMEDIES: Readonly<Record<string, Remedy>> = {
  "alerts.undelivered": {
    todo: "Correct the address or secret of the receiver in the configuration, and reload.",
    command: "ballast alerts test",
  },
  "alarm.churn": {
    todo: "Change the bounds of the rules that overlap, reload, then resume each rule.",
    command: "ballast check",
  },
  "fees.above_cap": { todo: DEAR },
  "chain.fee_above_cap": {
    todo: DEAR,
    meaning: "No money is at risk: transactions of this chain may wait for a block.",
  },
  "fees.unknown": { todo: "Give the chain an endpoint that has fee estimates, then reload." },
  "quote.none": {
    todo:
      "Ask the operator of the service whether the pair is open and the amount within its " +
      "bounds; `ballast why RULE` shows the last answers.",
  },
  "service.silent": {
    todo: "Ask the operator of the service; look whether the network of this machine is slow.",
  },
  "funds.insufficient": { todo: "Send the asset to the address that `ballast wallet` shows." },
  "funds.gas": { todo: "Send the chain's coin to the address that `ballast wallet` shows." },
  "alarm.contract_changed": { todo: CONTRACT },
  "verify.contract_changed": { todo: CONTRACT },
  "alarm.payout_short": { todo: SHORT },
  "alarm.refund_short": { todo: SHORT },
  "alarm.report_unproven": {
    todo:
      "Compare the height of the destination node with an explorer; once the node shows the " +
      "payout, the order completes.",
  },
  "alarm.payout_unredeemed": {
    todo:
      "Remove the cause that the alarm or the order names: coin for the fee, a fee cap, the " +
      "signer's limit, or a node; Ballast then redeems the payout itself.",
  },
  "alarm.payout_blocked": {
    todo:
      "Remove the cause that the alarm names: a block by the token's issuer, too little coin for " +
      "fees, or the signer's limit; the order then goes on by itself.",
    command: "ballast order ORDER",
    meaning: LOCKED_STAYS,
  },
  "alarm.leg_unreadable": {
    todo:
      "See why the HTLC cannot be read, and send the redemption or the refund that the alarm " +
      "names before its deadline.",
    command: "ballast doctor",
    meaning: LOCKED_STAYS,
  },
  "alarm.source_redeemed": {
    todo:
      "Compare both hashes of the order with an explorer, send them to the service, and keep " +
      "the pause until it has paid.",
  },
  "approve.stuck": { todo: STUCK },
  "deposit.stuck": { todo: STUCK },
  "void.stuck": { todo: STUCK },
  "refund.stuck": { todo: STUCK },
  "redeem.stuck": {
    todo: STUCK,
    meaning: "The payout is ours and still in its HTLC: its redemption waits for a block.",
  },
  "revoke.stuck": {
    todo: STUCK,
    meaning: "An allowance of this order stays open until its revocation is in a block.",
  },
  "approve.unaffordable": UNAFFORDABLE,
  "void.unaffordable": UNAFFORDABLE,
  "refund.unaffordable": UNAFFORDABLE,
  "revoke.unaffordable": UNAFFORDABLE,
  "redeem.unaffordable": {
    todo:
      "Send the chain's coin to the address that `ballast wallet` shows; Ballast then redeems " +
      "the payout itself.",
    command: "ballast wallet",
    meaning:
      "The payout is ours and still in its HTLC until its lock ends: see `ballast order ID`.",
  },
  "books.difference": {
    todo: "Find the withdrawal in an explorer, and book it only if it was yours.",
  },
  "books.foreign_transaction": FOREIGN,
  "transaction.foreign_rival": FOREIGN,
  "alarm.voucher_reused": {
    todo: "Look the deposit up in the route's own list of messages; another order has its voucher.",
    meaning: "The order waits for a voucher of its own; its deposit is burnt and not yet paid.",
  },
  "alarm.issuer_silent": {
    todo:
      "Ask the issuer with the hash of the deposit. `ballast rescue ORDER` tells how anyone " +
      "takes the payout once there is evidence.",
    meaning:
      "The deposit is burnt and not yet paid; it waits for the issuer, however long. No more " +
      "than the route's max_in_flight waits with it.",
  },
  "alarm.voucher_changed": {
    todo: "Compare both vouchers with the route's own list; Ballast goes on with the first.",
    meaning: "A second voucher for one deposit changes no payout.",
  },
  "secret.late": {
    todo:
      "Wait for the height that the order names; Ballast then sends the refund. Give the " +
      "secret to no other party.",
    meaning:
      "Our secret stays unknown, so the solver cannot take the deposit. It is locked until " +
      "its timelock ends.",
  },
  "journal.restored": {
    todo: "Compare the open orders with the service, then let Ballast search for the lost ones.",
    command: "ballast recover",
    meaning: OLD_JOURNAL,
  },
  "journal.recovered": {
    todo:
      "Compare the orders that were found, and everything unclear that the alarm lists, with " +
      "the service, then resume.",
    command: "ballast orders --open",
    meaning: OLD_JOURNAL,
  },
  "account.unchecked": {
    todo: "Repair the node of this chain; Ballast then compares the account by itself.",
    command: "ballast doctor",
    meaning: OLD_JOURNAL,
  },
  "journal.deleted": { todo: FIND_MOVER, meaning: FROM_COPY },
  "journal.replaced": { todo: FIND_MOVER, meaning: FROM_COPY },
  "journal.damaged_file": {
    todo:
      "Stop the daemon, keep a copy of data_dir, put the newest backup in the journal's place, " +
      "start, and search for the orders after it.",
    command: "ballast recover",
    meaning: "What stands on the damaged pages cannot be read; orders there stand still.",
  },
  "journal.order_damaged": {
    todo:
      "Keep a copy of the journal, print the refund with `ballast rescue`, and compare the " +
      "order's HTLC with an explorer.",
    meaning: "Nothing is done for this order until it can be read: a refund may come late.",
  },
  "chain.final_fact_gone": {
    todo: "Compare the endpoints with an explorer. Once they agree, retry the order.",
  },
  "ending.unproven": {
    todo: "Repair or add an endpoint of the chain; the order then ends by itself.",
    meaning: LOCKED_STAYS,
  },
  "bitcoin.spender_unproven": {
    todo: "Compare the transaction with an explorer, and remove the server that named it.",
    meaning: LOCKED_STAYS,
  },
  "gasless.disarmed": RELAY,
  "gasless.in_doubt": RELAY,
  "revoke.blocked": RELAY,
  "token_account.unfunded": {
    todo: "Send the chain's coin to its wallet; Ballast tries again every half minute.",
    command: "ballast wallet",
    meaning: "No money is at risk. Orders that would pay into this token wait.",
  },
  "nonce.taken_first": {
    todo: "Read the order that had the nonce. Raise the chain's fee caps if that happens often.",
    command: "ballast orders",
    meaning:
      "No money has moved: a redemption or refund went first, and the other order's " +
      "transaction cannot land any more.",
  },
  "nonce.gap_filled": {
    todo: "Read the order. If no other program has the key, nothing else is to be done.",
    command: "ballast orders",
    meaning:
      "No money has moved: a transaction without effect used the nonce, so that later ones go on.",
  },
  "config.service_missing": {
    todo: "Put the service back under its own name, then let the daemon read the file.",
    command: "ballast reload",
    meaning: "The order is only observed: it goes on when its service is configured again.",
  },
  "config.chain_missing": {
    todo: "Put the chain back into the configuration, then let the daemon read the file.",
    command: "ballast reload",
    meaning: "Nothing is sent on that chain until then; the order's other leg goes on.",
  },
  "prices.peg_broken": {
    todo:
      "Find out whether a price is wrong or an asset has lost its value. Then correct the " +
      "source, or remove the peg, and reload.",
    command: "ballast doctor",
  },
}
