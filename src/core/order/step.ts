import { type AnyActorScope, createEmptyActor, initialTransition, type StateValue } from "xstate"
import { AppError } from "#lib/app-error.ts"
import { assert } from "#lib/assert.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { remember } from "#lib/remember.ts"
import { createOrderData, type OrderData, type OrderInput } from "./data.ts"
import type { OrderEvent } from "./events.ts"
import { MACHINE_VERSION, orderMachine } from "./machine.ts"
import { isStateName, STATE_NAMES, STATES, type StateName } from "./states.ts"
import { withCodes } from "./update.ts"
import type { ScheduledWork } from "./work.ts"

/** An order between two events: its state and its data. */
export type Order = { readonly state: StateName; readonly data: OrderData }

/** `changed` is false when the state ignores the event: then there is nothing to commit. */
export type Step = {
  readonly order: Order
  readonly next: ScheduledWork | null
  readonly changed: boolean
}

export function beginOrder(input: OrderInput): Step {
  const [snapshot, actions] = initialTransition(orderMachine, createOrderData(input))
  return toStep(snapshot, actions, true)
}

/** The next state and the work that it asks for. Deterministic, and without effects. */
export function step(order: Order, event: OrderEvent): Step {
  const before = { ...snapshotOf(order.state), context: order.data }
  const actions: { readonly type: string }[] = []
  const after = orderMachine.transition(before, event, {
    ...SCOPE,
    actionExecutor: (action) => void actions.push(action),
  })
  const { order: next, ...rest } = toStep(after, actions, after.context !== order.data)
  const { doubts = [] } = event
  if (doubts.length === 0 || !rest.changed) return { order: next, ...rest }
  return {
    order: { ...next, data: { ...next.data, alerted: withCodes(next.data.alerted, doubts) } },
    ...rest,
  }
}

/**
 * The surroundings of every transition: nothing runs, and each step notes its own actions.
 * `transition` of XState makes an actor with a system for each step and throws it away, which takes
 * half of the step's time.
 */
const idle = createEmptyActor()
const nothing = (): void => undefined
const SCOPE: Omit<AnyActorScope, "actionExecutor"> = {
  self: idle,
  system: idle.system,
  id: "",
  sessionId: "",
  logger: nothing,
  defer: nothing,
  emit: nothing,
  stopChild: nothing,
}

/**
 * A snapshot of each state, without its data. XState derives the nodes of the state anew for each
 * one that it resolves.
 */
const snapshotOf = remember((state: StateName) =>
  // CAST: `step` puts the order's data in its place.
  orderMachine.resolveState({ value: toValue(state), context: {} as OrderData }),
)

/** The word of a state of the machine: `deposit-signing` for `signing` within `deposit`. */
export function toStateName(value: StateValue): StateName {
  const word = joinValue(value)
  assert(isStateName(word), "the machine is in a state of its table")
  return word
}

/** The inverse of `toStateName`. */
export function toValue(state: StateName): StateValue {
  const value = VALUES.get(state)
  assert(value !== undefined, "the machine has every state of its table")
  return value
}

export function encodeOrder(order: Order): string {
  return encodePieces(order).join("")
}

/**
 * The text of an order in pieces, one for each field of its data, so that the journal finds the
 * changed fields without reading the text. A step keeps most fields, and their text is kept with
 * them.
 */
export function encodePieces({ state, data }: Order): readonly string[] {
  const [first = "", ...fields] = Object.entries(data).map(([name, value]) =>
    encodeField(name, value),
  )
  return [
    `{"version":${MACHINE_VERSION},"state":${encodeJson(state)},"data":{${first.slice(1)}`,
    ...fields,
    "}}",
  ]
}

/**
 * The text of each field that is an object. Data never changes in place, so the text is true as
 * long as the object exists.
 */
const fieldTexts = new WeakMap<object, { readonly name: string; readonly text: string }>()

function encodeField(name: string, value: unknown): string {
  if (value === undefined) return ""
  if (typeof value !== "object" || value === null)
    return asOnePiece(`,"${name}":${encodeJson(value)}`)
  const known = fieldTexts.get(value)
  if (known?.name === name) return known.text
  const text = asOnePiece(`,"${name}":${encodeJson(value)}`)
  fieldTexts.set(value, { name, text })
  return text
}

const COMMA = ",".charCodeAt(0)

/**
 * The text in one piece of memory. A text made with `+` is a tree of its parts, which takes seven
 * times as much, and the journal keeps the fields of many orders. Reading a character makes it one
 * piece.
 */
function asOnePiece(text: string): string {
  assert(text.charCodeAt(0) === COMMA, "the text of a field begins with a comma")
  return text
}

/**
 * Reads a stored order. Throws `journal.snapshot` (fatal) for a snapshot of another version, an
 * unknown state or a text that is no snapshot; throws `journal.damaged` (hold) as `decodeJson`.
 */
export function decodeOrder(text: string): Order {
  const stored = decodeJson(text)
  const { version, state, data } = isSnapshot(stored) ? stored : NO_SNAPSHOT
  if (data === null || version !== MACHINE_VERSION || !isStateName(state)) {
    throw new AppError({
      code: "journal.snapshot",
      disposition: "fatal",
      message:
        "An order was stored by another version of Ballast, or is damaged; start that " +
        "version again, or restore a backup",
      details: { version, supported: MACHINE_VERSION, state },
    })
  }
  // CAST: Ballast wrote the snapshot itself, in this version.
  return { state, data: data as OrderData }
}

type Snapshot = { readonly version: number; readonly state: string; readonly data: object | null }
const NO_SNAPSHOT: Snapshot = { version: 0, state: "", data: null }

/** Ballast wrote the snapshot itself, so only its frame is checked. */
function isSnapshot(stored: unknown): stored is Snapshot {
  if (typeof stored !== "object" || stored === null) return false
  const { version, state, data }: { version?: unknown; state?: unknown; data?: unknown } = stored
  return typeof version === "number" && typeof state === "string" && typeof data === "object"
}

const VALUES: ReadonlyMap<StateName, StateValue> = new Map(
  STATE_NAMES.map((state) => {
    const [outer = state, inner] = orderMachine.getStateNodeById(state).path
    return [state, inner === undefined ? outer : { [outer]: inner }]
  }),
)

function joinValue(value: StateValue): string {
  if (typeof value === "string") return value
  const parts = Object.entries(value).map(([outer, inner = ""]) => `${outer}-${joinValue(inner)}`)
  return parts.join("+")
}

function toStep(
  { value, context: data }: { value: StateValue; context: OrderData },
  actions: readonly { type: string }[],
  changed: boolean,
): Step {
  const state = toStateName(value)
  const asked = actions.filter(({ type }) => type === "askFor").length
  assert(asked <= 1, "a state asks for at most one piece of work")
  const { work } = STATES[state]
  const next = asked === 1 && work !== null ? { work, delayMs: data.waitMs } : null
  return { order: { state, data }, next, changed }
}
