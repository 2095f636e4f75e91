import type { DatabaseSync } from "node:sqlite"

/** Makes a text the snapshot of an order, as if its last step had written it as a whole. */
export function plantSnapshot(db: DatabaseSync, id: string, snapshot: string): void {
  const last = "select last_event from orders where id = ?"
  db.prepare(`update events set change = ? where seq = (${last})`).run(snapshot, id)
  db.prepare("update orders set changes = 1 where id = ?").run(id)
}
