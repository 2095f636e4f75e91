import { initialTransition, transition } from "xstate"
import { migrateDeposit } from "#domain/migrate-deposit.ts"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { completeOrderData, type OrderData, type OrderInput } from "./data.ts"
import type { Effect, Work } from "./effects.ts"
import type { OrderEvent } from "./events.ts"
import { MACHINE_VERSION, orderMachine } from "./machine.ts"
import { STATES, type StateName } from "./states.ts"

/** An order between two events: a state and what it knows. */
export type Order = { readonly state: StateName; readonly data: OrderData }

/** `changed` is false when the state ignores the event: then nothing is to be committed. */
export type Step = { readonly order: Order; readonly effect: Effect | null; readonly changed: boolean }

export function beginOrder(input: OrderInput): Step {
  const [snapshot, actions] = initialTransition(orderMachine, input)
  return toStep(snapshot.value, snapshot.context, actions, true)
}

/** The next state and the work that it asks for. Pure. */
export function step(order: Order, event: OrderEvent): Step {
  const before = orderMachine.resolveState({ value: order.state, context: order.data })
  const [after, actions] = transition(reducer, before, event)
  return toStep(after.value, after.context, actions, after.context !== order.data)
}

export function encodeOrder(order: Order): string {
  return encodeJson({ version: MACHINE_VERSION, ...order })
}

/** Throws `journal.snapshot` (fatal) for a snapshot of a newer version, an unknown state, or none at all; `journal.damaged` (hold) as `decodeJson`. */
export function decodeOrder(text: string): Order {
  const stored = decodeJson(text)
  const { version, state, data } = isSnapshot(stored) ? stored : NO_SNAPSHOT
  if (data === null || version > MACHINE_VERSION || !isStateName(state)) {
    throw new AppError({
      code: "journal.snapshot",
      disposition: "fatal",
      message: "An order was stored by a newer Ballast, or is damaged; start that version again, or restore a backup",
      details: { version, supported: MACHINE_VERSION, state },
    })
  }
  return {
    state,
    data: completeOrderData(data.deposit === null ? data : { ...data, deposit: migrateDeposit(data.deposit) }),
  }
}

/**
 * The machine without its beginning: `transition` makes an actor each time and asks it for a first snapshot that nobody looks at, and without an
 * input the machine would only throw there (xstate 5.33), which takes longer than the step.
 */
const reducer: typeof orderMachine = Object.assign(Object.create(orderMachine), { getInitialSnapshot: () => undefined })

type Snapshot = { readonly version: number; readonly state: string; readonly data: OrderData | null }
const NO_SNAPSHOT: Snapshot = { version: 0, state: "", data: null }

/** What we wrote ourselves is believed once its frame is right. */
function isSnapshot(stored: unknown): stored is Snapshot {
  if (typeof stored !== "object" || stored === null) return false
  const { version, state, data }: { version?: unknown; state?: unknown; data?: unknown } = stored
  return typeof version === "number" && typeof state === "string" && typeof data === "object"
}

function toStep(
  value: unknown,
  data: OrderData,
  actions: readonly { type: string; params: unknown }[],
  changed: boolean,
): Step {
  assert(typeof value === "string" && isStateName(value), "the machine is in a state of its table")
  const work = actions.filter((action) => action.type === "work").map((action) => workOf(action.params))
  assert(work.length <= 1, "a state asks for at most one piece of work")
  const first = work[0]
  return { order: { state: value, data }, effect: first ? { work: first, delayMs: data.waitMs } : null, changed }
}

function workOf(params: unknown): Work {
  // CAST: the only place that emits "work" actions is machine.ts, with these params.
  return (params as { work: Work }).work
}

function isStateName(state: string): state is StateName {
  return Object.hasOwn(STATES, state)
}
