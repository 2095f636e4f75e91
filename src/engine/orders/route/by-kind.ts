import { abilitiesOf } from "#order/kinds/registry.ts"
import type { WorkKind } from "#order/work.ts"
import type { Performer } from "../observe/job.ts"
import type { WorkEntry } from "../work-entry.ts"

/** The work of an order with a service, or the same work where the route needs none. */
export function byKind<K extends WorkKind>(entry: WorkEntry<K>, route: Performer): WorkEntry<K> {
  return {
    ...entry,
    perform: (job, work) =>
      abilitiesOf(job.data).isReported ? entry.perform(job, work) : route(job),
  }
}
