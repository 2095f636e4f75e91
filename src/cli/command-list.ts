import type { Command } from "./define-command.ts"

/**
 * Every command, in the order of help and README. A new command needs its file in `commands/` and its line here.
 *
 * These modules are declarations only, so help is quick; an action and its libraries load when its command runs.
 */
export const COMMANDS: readonly Command[] = (
  await Promise.all([
    import("./commands/init.ts"),
    import("./commands/run.ts"),
    import("./commands/signer.ts"),
    import("./commands/demo.ts"),
    import("./commands/sandbox.ts"),
    import("./commands/check.ts"),
    import("./commands/doctor.ts"),
    import("./commands/discover.ts"),
    import("./commands/wallet.ts"),
    import("./commands/status.ts"),
    import("./commands/watch.ts"),
    import("./commands/alerts.ts"),
    import("./commands/balances.ts"),
    import("./commands/quote.ts"),
    import("./commands/swap.ts"),
    import("./commands/orders.ts"),
    import("./commands/order.ts"),
    import("./commands/rules.ts"),
    import("./commands/plan.ts"),
    import("./commands/why.ts"),
    import("./commands/replay.ts"),
    import("./commands/simulate.ts"),
    import("./commands/test.ts"),
    import("./commands/pause.ts"),
    import("./commands/resume.ts"),
    import("./commands/reload.ts"),
    import("./commands/approve.ts"),
    import("./commands/reject.ts"),
    import("./commands/retry.ts"),
    import("./commands/abandon.ts"),
    import("./commands/refund.ts"),
    import("./commands/redeem.ts"),
    import("./commands/rescue.ts"),
    import("./commands/report.ts"),
    import("./commands/export.ts"),
    import("./commands/reconcile.ts"),
    import("./commands/recover.ts"),
    import("./commands/backup.ts"),
    import("./commands/cluster.ts"),
    import("./commands/completion.ts"),
    import("./commands/help.ts"),
  ])
).map(({ command }) => command)
