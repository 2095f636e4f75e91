import { AppError } from "#lib/app-error.ts"
import type { ClusterDatabase } from "./open-cluster-database.ts"

/** One holding of a treasury's lease. Each take-over has a higher epoch. */
export type Lease = { readonly treasury: string; readonly epoch: string; readonly holder: string }

/** A lease ends this long after its last renewal, by the database's clock. */
export const LEASE_MS = 4_000

/** The condition under which a lease holds, for `$1` treasury, `$2` epoch and `$3` holder. */
const HOLDS = "treasury = $1 and epoch = $2 and holder = $3 and until > clock_timestamp()"
const HELD = `select epoch, until from ballast.lease where ${HOLDS} for share`

/**
 * The row of a lease that holds, locked until the statement's transaction ends. The lock is
 * `for share` because a take-over changes the row: `for key share` would let it pass, and a write
 * of the old epoch could follow the new one.
 */
export const PROOF = `proof as materialized (${HELD})`

/**
 * For how many milliseconds an answer about the lease in the row `until` counts: to the lease's
 * end, and at most a second. An answer that is read later proves nothing any more: the clock of the
 * database may have been set ahead meanwhile, and the lease given away.
 */
export const LEFT_MS =
  "least(extract(epoch from until - clock_timestamp()) * 1000, 1000) as left_ms"

/** Lets a lease that holds last `$4` milliseconds from now. */
export const RENEWAL =
  "update ballast.lease set until = clock_timestamp() + $4 * interval '1 millisecond' where " +
  `${HOLDS}`

/** Takes the lease if it is free, else `null`. */
export async function takeLease(
  database: ClusterDatabase,
  treasury: string,
  holder: string,
): Promise<Lease | null> {
  const { rows } = await database.query(
    `insert into ballast.lease values ($1, 1, $2, clock_timestamp() + $3 * interval '1 millisecond')
     on conflict (treasury) do update set epoch = lease.epoch + 1, holder = excluded.holder,
       until = clock_timestamp() + $3 * interval '1 millisecond'
     where lease.until <= clock_timestamp() returning epoch`,
    [treasury, holder, LEASE_MS],
  )
  const epoch = rows[0]?.["epoch"]
  return epoch === undefined ? null : { treasury, epoch: String(epoch), holder }
}

/** Throws `cluster.lease_lost`. */
export async function renewLease(database: ClusterDatabase, lease: Lease): Promise<void> {
  const { count } = await database.query(RENEWAL, [...valuesOf(lease), LEASE_MS])
  if (count === 0) throw leaseLost(lease)
}

/** Ends the lease now, so that a standby need not wait for its end. */
export async function releaseLease(database: ClusterDatabase, lease: Lease): Promise<void> {
  await database.query(
    `update ballast.lease set until = clock_timestamp() where ${HOLDS}`,
    valuesOf(lease),
  )
}

/**
 * Asks the database whether the lease holds, now. The lock of the lease's row is a write, so the
 * answer waits for the synchronous standby: a former primary that a promotion has left behind gives
 * none. `monotonicMs` never jumps: if the process was frozen while the answer was on its way for
 * longer than the answer counts, the question is asked again. `judge` throws where the server no
 * longer waits for a standby: when the names are removed, it ends the wait without a word.
 *
 * Throws `cluster.lease_lost`, `cluster.unreachable` and what `judge` throws.
 */
export async function proveLease(
  database: ClusterDatabase,
  lease: Lease,
  monotonicMs: () => number,
  judge: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const sentMs = monotonicMs()
    const { rows } = await database.query(
      `with ${PROOF} select ${LEFT_MS} from proof`,
      valuesOf(lease),
    )
    const leftMs = rows[0]?.["left_ms"]
    if (leftMs === undefined) throw leaseLost(lease)
    await judge()
    if (monotonicMs() - sentMs < Number(leftMs)) return
  }
}

export function valuesOf({ treasury, epoch, holder }: Lease): readonly string[] {
  return [treasury, epoch, holder]
}

export function leaseLost({ treasury, epoch }: Lease): AppError {
  const message =
    `The lease of ${treasury} (epoch ${epoch}) is not ours any more; this process ends, and ` +
    "starts again as a standby"
  return new AppError({
    code: "cluster.lease_lost",
    disposition: "transient",
    message,
    details: { treasury, epoch },
  })
}
