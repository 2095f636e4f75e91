import { orderMachine } from "#order/machine.ts"
import type { StateName } from "#order/states.ts"

/** The events that a state takes, also those of the state around it. */
export function listHandledEvents(state: StateName): readonly string[] {
  const node = orderMachine.getStateNodeById(state)
  const own =
    node.parent === undefined || node.parent === orderMachine.root ? [] : node.parent.ownEvents
  return [...new Set([...node.ownEvents, ...own])]
}
