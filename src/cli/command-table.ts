import type { Invocation } from "./main.ts"

export type Command = (invocation: Invocation) => Promise<number>
type Entry = { readonly summary: string; readonly load: () => Promise<Command> }

const operate = (verb: string, summary: string): Entry => ({
  summary: `${verb} ORDER           ${summary}`,
  load: async () => (await import("./commands/operate.ts")).operateCommand,
})

/** Every command is imported only when asked for: readers answer at once. */
export const COMMANDS: Readonly<Record<string, Entry>> = {
  run: {
    summary: "run                     run the daemon",
    load: async () => (await import("./commands/run.ts")).runCommand,
  },
  demo: {
    summary: "demo [--orders N] [--routes all]   daemon and sandbox together, with a live table",
    load: async () => (await import("./commands/demo.ts")).demoCommand,
  },
  sandbox: {
    summary: "sandbox [--port N] [--chains a,b] [--dialect 2026] [--hostile NAME]   local chains and swap service",
    load: async () => (await import("./commands/sandbox.ts")).sandboxCommand,
  },
  check: {
    summary: "check                   check the configuration and show what it means",
    load: async () => (await import("./commands/check.ts")).checkCommand,
  },
  swap: {
    summary:
      "swap FROM TO AMOUNT     ask the daemon for one swap (--wait: until it ended; --deposit gasless|onchain; --destination ADDRESS: one that guards.destinations lists)",
    load: async () => (await import("./commands/swap.ts")).swapCommand,
  },
  orders: {
    summary: "orders [--open] [--limit N]   list orders, newest first",
    load: async () => (await import("./commands/orders.ts")).ordersCommand,
  },
  order: {
    summary: "order ID                one order with its timeline",
    load: async () => (await import("./commands/order.ts")).orderCommand,
  },
  rescue: {
    summary: "rescue ORDER            everything needed to recover an order's funds without Ballast",
    load: async () => (await import("./commands/rescue.ts")).rescueCommand,
  },
  plan: {
    summary: "plan                    what would happen now: every move with its cost, every non-move with its reasons",
    load: async () => (await import("./commands/plan.ts")).planCommand,
  },
  why: {
    summary: "why RULE                what a rule did and did not do, and why",
    load: async () => (await import("./commands/why.ts")).whyCommand,
  },
  replay: {
    summary: "replay DECISION         decide again from the stored inputs, and compare",
    load: async () => (await import("./commands/replay.ts")).replayCommand,
  },
  doctor: {
    summary: "doctor                  look at configuration, keys, nodes, clock and disk, and say what to do",
    load: async () => (await import("./commands/doctor.ts")).doctorCommand,
  },
  backup: {
    summary: "backup [--to FILE]      copy the journal, also of a running daemon, and check the copy",
    load: async () => (await import("./commands/backup.ts")).backupCommand,
  },
  simulate: {
    summary: "simulate [--days N] [--seeds K] [--against FILE]   try the rules in random worlds before turning them on",
    load: async () => (await import("./commands/simulate.ts")).simulateCommand,
  },
  balances: {
    summary: "balances                what the wallets hold",
    load: async () => (await import("./commands/balances.ts")).balancesCommand,
  },
  wallet: {
    summary: "wallet                  addresses to fund",
    load: async () => (await import("./commands/balances.ts")).walletCommand,
  },
  report: {
    summary:
      "report [--period day|week|month|FROM..TO] [--by rule|pair|period] [--affiliate]   volume, costs, rates and times",
    load: async () => (await import("./commands/report.ts")).reportCommand,
  },
  export: {
    summary: "export [--format csv|json|ledger] [--from D] [--to D] [--output FILE]   swaps, or the whole ledger",
    load: async () => (await import("./commands/export.ts")).exportCommand,
  },
  reconcile: {
    summary: "reconcile [--accept ASSET [--as outside|unexplained]]   compare the books with the chains now",
    load: async () => (await import("./commands/reconcile.ts")).reconcileCommand,
  },
  pause: {
    summary: "pause [--chain C | --rule R]    stop new deposits and signatures; persists",
    load: async () => (await import("./commands/pause.ts")).pauseCommand,
  },
  resume: {
    summary: "resume [--chain C | --rule R]   undo a pause",
    load: async () => (await import("./commands/pause.ts")).pauseCommand,
  },
  reload: {
    summary: "reload                  let the daemon read its configuration again; shows what changed",
    load: async () => (await import("./commands/reload.ts")).reloadCommand,
  },
  approve: operate(
    "approve",
    "let an order go on that waits for approval (--intent HASH: only if this is what it would do)",
  ),
  reject: operate("reject", "end an order that waits for approval"),
  retry: operate("retry", "let a held order go on"),
  abandon: operate("abandon", "give an order up, as far as that is safe"),
  refund: operate("refund", "take a deposit back, as soon as the HTLC allows it"),
}

export function usage(command: string | null): string {
  const entry = command === null ? undefined : COMMANDS[command]
  if (entry) return `ballast ${entry.summary}`
  const lines = Object.values(COMMANDS).map(({ summary }) => `  ${summary}`)
  return [
    "Usage: ballast COMMAND [--config FILE] [--json]",
    "",
    ...lines,
    "",
    "The configuration is --config FILE, else $BALLAST_CONFIG, else ./ballast.yaml, else the sandbox's.",
    "Exit codes: 0 ok, 1 refused or not found, 64 usage, 70 bug, 75 try later, 78 configuration.",
  ].join("\n")
}
