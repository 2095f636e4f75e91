/**
 * The modes of PostgreSQL that the cluster's statements use. `update` is the lock of an update that
 * changes no key.
 */
export type LockMode = "key share" | "share" | "update"

export type RowLocks = {
  /** Resolves when the transaction has the lock; never after `end`. */
  readonly lock: (transaction: number, name: string, mode: LockMode) => Promise<void>
  readonly release: (transaction: number) => void
  readonly end: () => void
}

type Held = { readonly transaction: number; readonly name: string; readonly mode: LockMode }

/** Locks of rows, first come first served. A transaction keeps its locks until its end. */
export function createRowLocks(): RowLocks {
  let held: Held[] = []
  let queue: (Held & { readonly grant: () => void })[] = []
  const isFree = ({ transaction, name, mode }: Held): boolean =>
    held.every(
      (one) => one.name !== name || one.transaction === transaction || !conflicts(one.mode, mode),
    )
  const grantAll = (): void => {
    for (const wanted of [...queue]) {
      if (!isFree(wanted)) continue
      queue = queue.filter((one) => one !== wanted)
      held.push(wanted)
      wanted.grant()
    }
  }
  return {
    lock: (transaction, name, mode) => {
      const wanted = { transaction, name, mode }
      if (isFree(wanted)) {
        held.push(wanted)
        return Promise.resolve()
      }
      return new Promise((grant) => {
        queue.push({ ...wanted, grant })
      })
    },
    release: (transaction) => {
      held = held.filter((one) => one.transaction !== transaction)
      queue = queue.filter((one) => one.transaction !== transaction)
      grantAll()
    },
    end: () => {
      held = []
      queue = []
    },
  }
}

/** postgresql.org/docs/15/explicit-locking.html, table 13.3. */
function conflicts(one: LockMode, other: LockMode): boolean {
  if (one === "key share" || other === "key share") return false
  return one === "update" || other === "update"
}
