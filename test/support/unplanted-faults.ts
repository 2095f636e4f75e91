/**
 * An alarm of the runbook that no row of the planted faults raises: the reason, and the test that
 * raises it.
 */
export type UnplantedFault = { readonly why: string; readonly test: string }

const CHAIN =
  "it needs a chain that takes a fact back or two that contradict; scripted nodes give it"
const LATE = "it needs hours; the readings of that moment give it"
const FEES = "it needs a wallet that is emptied between two steps; a scripted chain gives it"
const SECRET = "it needs a service that withholds a told secret; scripted answers give it"
const ISSUER = "it needs a route that gives false vouchers, or none; a scripted route gives it"

const OUTSIDE = "it is planted in `test/e2e/planted-outside-faults.test.ts`"
const SETTINGS = "it is planted in `test/e2e/planted-fresh-*.test.ts`"
const EVERYDAY = "it is planted in `test/e2e/planted-{later,everyday}-starts.test.ts`"
const INCIDENT = "it is planted in `test/e2e/planted-incident-machines.test.ts`"
const ORDINARY = "it is planted in `test/e2e/planted-ordinary-starts.test.ts`"
const START = "it is planted at a start, in `test/e2e/planted-further-faults.test.ts`"

export const UNPLANTED_FAULTS: Readonly<Record<string, UnplantedFault>> = {
  "daemon.starting": { why: EVERYDAY, test: "src/core/health/describe-start.test.ts" },
  "daemon.part_failing": { why: EVERYDAY, test: "src/core/health/find-part-problems.test.ts" },
  "daemon.dying": { why: INCIDENT, test: "src/core/health/find-late-problems.test.ts" },
  "disk.memory": { why: ORDINARY, test: "test/unit/daemon/list-settings.test.ts" },
  "rule.proposed": {
    why: "it needs an agent, and is no fault",
    test: "test/e2e/agent-desk.test.ts",
  },
  "config.file_missing": { why: SETTINGS, test: "test/unit/daemon/list-settings.test.ts" },
  "config.certificate_end": { why: SETTINGS, test: "test/unit/daemon/list-settings.test.ts" },
  "config.never_begins": { why: SETTINGS, test: "test/unit/daemon/list-settings.test.ts" },
  "config.schedule_above_limit": { why: SETTINGS, test: "test/unit/config/judge-never.test.ts" },
  "system.disk_full": { why: START, test: "test/support/further-faults.ts" },
  "system.disk_read_only": { why: START, test: "test/support/further-faults.ts" },
  "alarm.payout_short": {
    why: "a service that pays too little",
    test: "test/proof/engine/stop-on-alarm.test.ts",
  },
  "alarm.refund_short": {
    why: "a refund that pays too little",
    test: "src/engine/orders/observe/observe-order.test.ts",
  },
  "alarm.voucher_reused": { why: ISSUER, test: "test/unit/engine/other-routes.test.ts" },
  "alarm.issuer_silent": { why: ISSUER, test: "test/proof/engine/route-waits.test.ts" },
  "alarm.voucher_changed": { why: ISSUER, test: "test/unit/engine/other-routes.test.ts" },
  "alarm.report_unproven": {
    why: "a service that reports false facts",
    test: "test/e2e/hostile.test.ts",
  },
  "alarm.refund_watch": { why: LATE, test: "test/e2e/refund.test.ts" },
  "alarm.payout_blocked": {
    why: "it needs a token whose issuer blocks our account; a scripted chain gives it",
    test: "test/unit/engine/payout-obstacle.test.ts",
  },
  "alarm.leg_unreadable": {
    why: "it needs a node that answers everything but one HTLC; a scripted chain gives it",
    test: "test/proof/engine/unread-legs.test.ts",
  },
  "alarm.churn": {
    why: "rules that undo each other's work for a day",
    test: "test/proof/engine/churn-watch.test.ts",
  },
  "secret.late": { why: SECRET, test: "test/proof/engine/own-secret.test.ts" },
  "journal.restored": {
    why: "a backup in the place of the journal",
    test: "test/e2e/restored-journal.test.ts",
  },
  "journal.recovered": {
    why: "a backup in the place of the journal",
    test: "test/e2e/restored-journal.test.ts",
  },
  "journal.order_damaged": {
    why: "bytes of one order are changed",
    test: "test/proof/engine/damaged-orders.test.ts",
  },
  "journal.deleted": {
    why: "journal.db or its -wal is deleted under the daemon",
    test: "test/e2e/journal/lost-journal.test.ts",
  },
  "journal.replaced": {
    why: "another file takes the place of journal.db",
    test: "test/e2e/journal/lost-journal.test.ts",
  },
  "prices.outlier": {
    why: "one of three sources is ten times too high",
    test: "src/edges/prices/create-prices.test.ts",
  },
  "prices.source_down": {
    why: "one of two sources fails, in `test/e2e/planted-further-faults.test.ts`",
    test: "test/support/further-faults.ts",
  },
  "prices.frozen": {
    why: "it needs hours; the readings of those hours give it",
    test: "src/app/daemon/watch/price-watch.test.ts",
  },
  "log.stuck": {
    why: "a log that takes no lines for ten seconds; the readings give it",
    test: "src/core/health/find-log-problems.test.ts",
  },
  "order.stuck": {
    why: "a step that fails for one reason; the readings give it",
    test: "src/core/health/find-stuck-orders.test.ts",
  },
  "machine.offline": {
    why: "it needs a machine without a network; the readings give it",
    test: "src/core/health/find-common-causes.test.ts",
  },
  "clock.differs": {
    why: "it needs chains of one age; the readings give them",
    test: "src/core/health/find-common-causes.test.ts",
  },
  "account.unchecked": {
    why: "an account that no node shows",
    test: "test/unit/engine/asset-gate.test.ts",
  },
  "order.held": {
    why: "the general code of a held order; the row of the foreign nonce shows one",
    test: "test/unit/engine/perform/plan-transaction.test.ts",
  },
  "order.refund_late": { why: LATE, test: "src/core/health/find-late-problems.test.ts" },
  "rule.silent": {
    why:
      "no fault from outside keeps a running daemon from its rules: a loop that hangs ends the " +
      "process",
    test: "src/core/health/find-late-problems.test.ts",
  },
  "version.differs": {
    why:
      "it needs an upgrade of the installed package below a running daemon; the readings of " +
      "that moment give it",
    test: "src/core/health/find-late-problems.test.ts",
  },
  "wallet.has_code": {
    why: "it needs a wallet that delegates; a scripted node shows one",
    test: "test/unit/daemon/wallet-watch.test.ts",
  },
  "wallet.changed": {
    why: "it is planted in `test/e2e/planted-unseen-machines.test.ts`",
    test: "test/unit/daemon/wallet-watch.test.ts",
  },
  "wallet.unread": {
    why: "a token that refuses to tell a balance",
    test: "test/unit/daemon/wallet-watch.test.ts",
  },
  "wallet.not_deployed": {
    why: "it is planted in `test/e2e/planted-strange-faults.test.ts`",
    test: "test/support/strange-faults.ts",
  },
  "node.failing": {
    why: "a node without the state of accounts, in `test/e2e/planted-further-faults.test.ts`",
    test: "test/support/further-faults.ts",
  },
  "alerts.undelivered": {
    why: "a receiver that answers HTTP 410, in `test/e2e/planted-further-faults.test.ts`",
    test: "test/support/further-faults.ts",
  },
  "alerts.test": { why: "a person sends it", test: "test/e2e/alerts.test.ts" },
  "cluster.silent": {
    why: "it needs PostgreSQL: there a running daemon names it while a real server is stopped",
    test: "test/e2e/cluster-alone.test.ts",
  },
  "cluster.alone": {
    why: "it needs PostgreSQL, and a minute without a standby; the readings of that moment give it",
    test: "src/core/health/find-cluster-problems.test.ts",
  },
  "chain.fee_above_cap": { why: CHAIN, test: "test/unit/nodes/fee-outliers.test.ts" },
  "chain.fee_outlier": { why: OUTSIDE, test: "test/support/outside-faults.ts" },
  "chain.head_outlier": { why: CHAIN, test: "test/unit/nodes/judge-heads.test.ts" },
  "chain.agreement_short": { why: CHAIN, test: "test/unit/engine/agreement.test.ts" },
  "chain.final_fact_gone": { why: CHAIN, test: "src/engine/orders/observe/observe-order.test.ts" },
  "ending.unproven": { why: CHAIN, test: "test/proof/engine/endings.test.ts" },
  "bitcoin.spender_unproven": { why: CHAIN, test: "test/chains/bitcoin/lies.test.ts" },
  "approve.stuck": {
    why: "the same as the stuck deposit",
    test: "test/proof/engine/failed-orders.test.ts",
  },
  "void.stuck": {
    why: "the same as the stuck deposit",
    test: "test/unit/engine/revoking-allowances.test.ts",
  },
  "refund.stuck": {
    why: "the same as the stuck deposit",
    test: "src/core/health/find-late-problems.test.ts",
  },
  "revoke.stuck": {
    why: "the same as the stuck deposit",
    test: "src/core/health/find-late-problems.test.ts",
  },
  "approve.unaffordable": { why: FEES, test: "test/proof/engine/failed-orders.test.ts" },
  "void.unaffordable": { why: FEES, test: "test/unit/engine/perform/signed-transactions.test.ts" },
  "refund.unaffordable": { why: FEES, test: "test/proof/engine/failed-orders.test.ts" },
  "redeem.stuck": {
    why: "the same as the stuck deposit",
    test: "test/proof/engine/failed-orders.test.ts",
  },
  "redeem.unaffordable": { why: FEES, test: "test/proof/engine/nonce-behind.test.ts" },
  "revoke.unaffordable": { why: FEES, test: "test/proof/engine/failed-orders.test.ts" },
  "gasless.disarmed": {
    why: "a relay that stays silent for an hour",
    test: "test/unit/engine/perform/disarm.test.ts",
  },
  "gasless.in_doubt": {
    why: "a relay whose answer is lost",
    test: "test/unit/engine/perform/gasless-signature.test.ts",
  },
  "revoke.blocked": {
    why: "another order has the nonce",
    test: "test/unit/engine/perform/plan-transaction.test.ts",
  },
  "token_account.unfunded": { why: FEES, test: "test/unit/engine/token-accounts.test.ts" },
  "nonce.taken_first": {
    why: "fees rise between two transactions of one account; a scripted chain gives it",
    test: "test/proof/engine/nonce-behind.test.ts",
  },
  "nonce.gap_filled": {
    why: "a node that loses a transaction below another one; a scripted chain gives it",
    test: "test/proof/engine/nonce-gaps.test.ts",
  },
  "config.service_missing": {
    why: "a service leaves the file while its order is open",
    test: "test/unit/engine/several-services.test.ts",
  },
  "config.chain_missing": {
    why: "a chain leaves the file while its order is open",
    test: "test/proof/engine/rows/missing-chain.test.ts",
  },
  "service.failing": {
    why: "a service answers with failures; a stub on loopback gives each status",
    test: "test/unit/daemon/service-health.test.ts",
  },
  "rule.missed_runs": {
    why: "three runs of a schedule",
    test: "src/core/health/find-unmet-rules.test.ts",
  },
}
