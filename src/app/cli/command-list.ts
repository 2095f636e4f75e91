import type { Command } from "./define-command.ts"

/**
 * Every command by its group, in the order of help and README. A new command needs its file in
 * `commands/` and its line here.
 *
 * These modules are declarations only, so help is quick; an action and its libraries load when its
 * command runs.
 */
export const COMMANDS: readonly Command[] = await Promise.all([
  ...group("Set up", [
    import("./commands/setup/init.ts"),
    import("./commands/setup/check.ts"),
    import("./commands/setup/doctor.ts"),
    import("./commands/setup/discover.ts"),
    import("./commands/setup/wallet.ts"),
  ]),
  ...group("Run", [
    import("./commands/host/run.ts"),
    import("./commands/host/mcp.ts"),
    import("./commands/host/signer.ts"),
    import("./commands/host/logs.ts"),
    import("./commands/setup/demo.ts"),
    import("./commands/setup/sandbox.ts"),
  ]),
  ...group("Look", [
    import("./commands/host/status.ts"),
    import("./commands/host/watch.ts"),
    import("./commands/host/alerts.ts"),
    import("./commands/books/balances.ts"),
    import("./commands/orders/orders.ts"),
    import("./commands/orders/order.ts"),
    import("./commands/rules/rules.ts"),
    import("./commands/rules/plan.ts"),
    import("./commands/rules/why.ts"),
  ]),
  ...group("Swap", [
    import("./commands/orders/quote.ts"),
    import("./commands/orders/swap.ts"),
    import("./commands/orders/approve.ts"),
    import("./commands/orders/reject.ts"),
    import("./commands/orders/retry.ts"),
    import("./commands/orders/abandon.ts"),
    import("./commands/orders/refund.ts"),
    import("./commands/orders/redeem.ts"),
    import("./commands/orders/rescue.ts"),
  ]),
  ...group("Try rules", [
    import("./commands/rules/simulate.ts"),
    import("./commands/rules/advise.ts"),
    import("./commands/rules/proposals.ts"),
    import("./commands/rules/test.ts"),
    import("./commands/rules/replay.ts"),
  ]),
  ...group("Steer", [
    import("./commands/host/pause.ts"),
    import("./commands/host/resume.ts"),
    import("./commands/host/reload.ts"),
  ]),
  ...group("Books", [
    import("./commands/books/report.ts"),
    import("./commands/books/earnings.ts"),
    import("./commands/books/export.ts"),
    import("./commands/books/reconcile.ts"),
  ]),
  ...group("Recover", [
    import("./commands/host/recover.ts"),
    import("./commands/host/backup.ts"),
    import("./commands/host/cluster.ts"),
  ]),
  ...group("Help", [import("./commands/setup/completion.ts"), import("./commands/setup/help.ts")]),
])

type Declared = Promise<{ readonly command: Command }>

function group(title: string, commands: readonly Declared[]): readonly Promise<Command>[] {
  return commands.map(async (declared) => ({ ...(await declared).command, group: title }))
}
