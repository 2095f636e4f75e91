import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"

export const command = defineCommand({
  name: "cluster",
  summary:
    "show the holder of the treasury's lease and the standbys, give the lease away, or leave " +
    "PostgreSQL",
  details:
    "Only for a configuration with journal. status asks PostgreSQL and needs no daemon. " +
    "hand-over asks this machine's daemon, which leads, to finish its work and give the " +
    "lease to a standby; its supervisor starts it again as a standby. promote takes this " +
    "machine's journal out of the cluster after PostgreSQL was lost; see docs/CLUSTER.md " +
    "before.",
  operands: {
    action: {
      optional: true,
      values: ["status", "hand-over", "promote"],
      summary: "status without one",
    },
  },
  options: {
    local: { type: "flag", summary: "with promote: the journal of this machine goes on alone" },
    ...YES_OPTION,
  },
  examples: ["", "status --json", "hand-over", "promote --local"],
  exitCodes: {
    0:
      "a daemon leads, a standby follows, and PostgreSQL has a synchronous standby; or the " +
      "change is done",
    1:
      "nothing is wrong now, but a further failure would stop the treasury; or the change is " +
      "refused",
    2: "the lease is free",
  },
  run: async (context, { operands: { action }, options }) => {
    if (action === "hand-over")
      return (await import("../../actions/host/show-cluster.ts")).handOver(context, options.yes)
    if (action === "promote")
      return (await import("../../actions/host/show-cluster.ts")).promoteLocal(context, options)
    return (await import("../../actions/host/show-cluster.ts")).showCluster(context)
  },
})
