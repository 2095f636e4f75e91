import { argumentIs, callIs, resultIs, valueIs } from "../edits.ts"
import type { MistakesOfRoom } from "../mistake.ts"

/** Two machines act at once. */
export const clusterMistakes: MistakesOfRoom = {
  room: "cluster",
  mistakes: [
    {
      name: "a lease never ends",
      file: "src/edges/cluster/lease.ts",
      function: "",
      change: valueIs(">", '"treasury = $1 and epoch = $2 and holder = $3"'),
    },
    {
      name: "an answer counts to the lease's end",
      file: "src/edges/cluster/lease.ts",
      function: "",
      change: valueIs("least", '"extract(epoch from until - clock_timestamp()) * 1000 as left_ms"'),
    },
    {
      name: "a former primary proves the lease by a plain read",
      file: "src/edges/cluster/lease.ts",
      function: "proveLease",
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code
      change: argumentIs("query", 0, "`select ${LEFT_MS} from ballast.lease where ${HOLDS}`"),
    },
    {
      name: "a standby of PostgreSQL is asked",
      file: "src/edges/cluster/open-cluster-database.ts",
      function: "verify",
      change: argumentIs("done", 0, "error ?? undefined"),
    },
    {
      name: "a server is trusted without a proof",
      file: "src/edges/cluster/open-cluster-database.ts",
      function: "openClusterDatabase",
      change: valueIs("reveal", 'url.reveal().replace("verify-full", "no-verify")'),
    },
    {
      name: "a commit without the standby counts",
      file: "src/app/daemon/cluster/join-cluster.ts",
      function: "joinCluster",
      change: callIs("end", "undefined"),
    },
    {
      name: "a claim hides the fee of another machine",
      file: "src/engine/watches/account-watch.ts",
      function: "judgeUses",
      change: argumentIs("isResourceSigned", 3, '"claim"'),
    },
    {
      name: "one node's word makes bytes sent",
      file: "src/engine/orders/is-unsent.ts",
      function: "isUnsent",
      change: resultIs(
        "journal",
        "transactions[kind].sentAt === null && !journal.listEvents(id).some(isSent)",
      ),
    },
  ],
}
