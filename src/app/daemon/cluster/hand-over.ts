import { GONE_MS } from "#cluster/members.ts"
import type { Clock } from "#lib/clock.ts"
import type { Operations } from "#ops/operations.ts"
import type { Membership } from "./join-cluster.ts"

type Parts = {
  readonly cluster: Membership | null
  readonly clock: Clock
  /** Ends the daemon after its running work, and with it the lease. */
  readonly end: () => void
}

/** Time for the answer to leave before the listener closes. */
const ANSWER_MS = 200

/** A hand-over needs a standby that follows: without one the treasury would only stand still. */
export function createHandOver({ cluster, clock, end }: Parts): Operations["handOver"] {
  return async () => {
    if (cluster === null) {
      const message =
        "This daemon has no journal in PostgreSQL, so there is no lease to give; stop it " +
        "with SIGTERM"
      return { ok: false, reasons: [{ code: "cluster.none", message }] }
    }
    // Those that could take over without a delay.
    const standbys = (await cluster.listStandbys()).filter(({ ageMs }) => ageMs < GONE_MS / 2)
    if (standbys.length === 0) {
      const message =
        "No standby follows the log and could take over; start one, and see `ballast cluster " +
        "status`"
      return { ok: false, reasons: [{ code: "cluster.alone", message }] }
    }
    void clock.sleep(ANSWER_MS).then(end)
    return {
      ok: true,
      body: { standbys: standbys.map(({ holder, version, seq }) => ({ holder, version, seq })) },
    }
  }
}
