import { argumentIs, callIs, resultIs, valueIs } from "../edits.ts"
import { mistakesOf } from "../mistake.ts"

/** Two machines act at once. */
export const clusterMistakes = mistakesOf("cluster", {
  "src/edges/cluster/lease.ts": {
    "": {
      "a lease never ends": valueIs(">", '"treasury = $1 and epoch = $2 and holder = $3"'),
      "an answer counts to the lease's end": valueIs(
        "least",
        '"extract(epoch from until - clock_timestamp()) * 1000 as left_ms"',
      ),
    },
    proveLease: {
      "a former primary proves the lease by a plain read": argumentIs(
        "query",
        0,
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the text is code
        "`select ${LEFT_MS} from ballast.lease where ${HOLDS}`",
      ),
    },
  },
  "src/edges/cluster/open-cluster-database.ts": {
    verify: { "a standby of PostgreSQL is asked": argumentIs("done", 0, "error ?? undefined") },
    openClusterDatabase: {
      "a server is trusted without a proof": valueIs(
        "reveal",
        'url.reveal().replace("verify-full", "no-verify")',
      ),
    },
  },
  "src/app/daemon/cluster/join-cluster.ts": {
    joinCluster: { "a commit without the standby counts": callIs("end", "undefined") },
  },
  "src/engine/watches/account-watch.ts": {
    judgeUses: {
      "a claim hides the fee of another machine": argumentIs("isResourceSigned", 3, '"claim"'),
    },
  },
  "src/engine/orders/is-unsent.ts": {
    isUnsent: {
      "one node's word makes bytes sent": resultIs(
        "journal",
        "transactions[kind].sentAt === null && !journal.listEvents(id).some(isSent)",
      ),
    },
  },
})
