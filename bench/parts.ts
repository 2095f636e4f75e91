import type { Part } from "./row.ts"

/**
 * These parts ask no node, take minutes, or are no rows of the table, so they run with one endpoint
 * a chain only.
 */
export const ONCE: ReadonlySet<string> = new Set([
  "floor",
  "curve",
  "assets",
  "peers",
  "take-over",
  "report",
  "commands",
])

/** Every part of the bench, in the order of the table. */
export const PARTS: { readonly [name: string]: () => Promise<Part> } = {
  throughput: async () => (await import("./parts/throughput.ts")).throughput,
  "one-order": async () => (await import("./parts/one-order.ts")).oneOrder,
  tokens: async () => (await import("./parts/tokens.ts")).tokens,
  peers: async () => (await import("./parts/peers.ts")).peers,
  writes: async () => (await import("./parts/writes.ts")).writes,
  floor: async () => (await import("./parts/floor.ts")).floor,
  waiting: async () => (await import("./parts/waiting.ts")).waiting,
  polls: async () => (await import("./parts/polls.ts")).polls,
  payouts: async () => (await import("./parts/payouts.ts")).payouts,
  endpoints: async () => (await import("./parts/endpoints.ts")).endpoints,
  "in-flight": async () => (await import("./parts/in-flight.ts")).inFlight,
  curve: async () => (await import("./parts/curve.ts")).curve,
  assets: async () => (await import("./parts/assets.ts")).assets,
  restart: async () => (await import("./parts/restart.ts")).restart,
  sandbox: async () => (await import("./parts/sandbox.ts")).sandbox,
  families: async () => (await import("./parts/families.ts")).families,
  cluster: async () => (await import("./parts/cluster.ts")).cluster,
  "take-over": async () => (await import("./parts/take-over.ts")).takeOver,
  report: async () => (await import("./parts/report.ts")).report,
  daemon: async () => (await import("./parts/daemon.ts")).daemon,
  commands: async () => (await import("./parts/commands.ts")).commands,
}
