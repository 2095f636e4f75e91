import type { TransactionPurpose } from "./data.ts"
import type { OrderEvent } from "./events.ts"
import type { Guard, GuardName } from "./guards.ts"
import type { orderUpdates } from "./order-updates.ts"
import type { Pace, Rest } from "./pace.ts"
import { STATES, type StateDescription, type StateName } from "./states.ts"
import type { transactionUpdates } from "./transaction-updates.ts"
import type { Work } from "./work.ts"

/*
 * The vocabulary in which the files of `states/` describe the machine: plain data, so that the
 * machine can be exported as JSON.
 */

/** The data change of a transition, by name. `null`: the event changes nothing but the state. */
export type Change =
  | keyof typeof orderUpdates
  | {
      readonly type: keyof typeof transactionUpdates
      readonly params: { readonly purpose: TransactionPurpose }
    }
  | null

/** The way of an event to a state, taken when its guard holds. */
export type Route = {
  readonly to: StateName
  readonly guard?: Guard
  readonly rest?: Rest
  /** The state's own work again, after a wait that grows with each repetition. */
  readonly again?: true
}

export type Transition = {
  readonly target: `#${StateName}`
  readonly guard?: Guard
  readonly reenter?: true
  readonly actions: readonly Action[]
}

type Action =
  | NonNullable<Change>
  | { readonly type: "arrive"; readonly params: { readonly rest: Rest } }
  | { readonly type: "repeat"; readonly params: { readonly pace: Pace } }
  | { readonly type: "askFor"; readonly params: { readonly work: Work } }

/**
 * The machine takes the first transition with a guard that holds. When none holds, it tries those
 * of the parent state.
 */
export type Transitions = { readonly [type in OrderEvent["type"]]?: readonly Transition[] }

/** A state that an order rests in. Its id is its word. */
export type Leaf = {
  readonly id: StateName
  readonly meta: StateDescription
  readonly type?: "final"
  readonly entry?: readonly Action[]
  readonly on?: Transitions
  readonly always?: readonly { readonly target: `#${StateName}`; readonly guard?: Guard }[]
}

/** A state with states inside; its own transitions are valid in all of them. */
export type Compound<Step extends string> = {
  readonly initial: Step
  readonly on?: Transitions
  readonly states: { readonly [step in Step]: Leaf }
}

export function go(to: StateName, guard?: Guard): Route {
  return { to, ...(guard ? { guard } : {}) }
}

/** As `go`, with a wait before the work of that state. */
export function goLater(rest: Rest, to: StateName, guard?: Guard): Route {
  return { to, rest, ...(guard ? { guard } : {}) }
}

export function again(to: StateName, guard?: Guard): Route {
  return { to, again: true, ...(guard ? { guard } : {}) }
}

/** The same routes, under a further condition. */
export function onlyIf(guard: GuardName, routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => ({ ...route, guard: both(guard, route.guard) }))
}

/**
 * The transitions of one event: a change of the data, and the routes in the order in which their
 * guards are asked.
 */
export function take(change: Change, ...routes: readonly Route[]): readonly Transition[] {
  return routes.map(({ to, guard, rest = "none", again }) => ({
    target: `#${to}`,
    ...(guard ? { guard } : {}),
    ...(again ? { reenter: true } : {}),
    actions: [
      ...(change === null ? [] : [change]),
      again
        ? { type: "repeat", params: { pace: paceOf(to) } }
        : { type: "arrive", params: { rest } },
    ],
  }))
}

/** A state that asks for its work on entry. */
export function leaf(state: StateName, on: Transitions): Leaf {
  const meta: StateDescription = STATES[state]
  const { work } = meta
  return { id: state, meta, ...(work ? { entry: [{ type: "askFor", params: { work } }] } : {}), on }
}

function both(guard: GuardName, other: Guard | undefined): Guard {
  if (other === undefined) return guard
  const of = typeof other === "string" ? [other] : other.params.of
  return { type: "all", params: { of: [guard, ...of] } }
}

function paceOf(state: StateName): Pace {
  if (state === "disarmed") return "watch"
  const { work }: StateDescription = STATES[state]
  return work?.kind === "observeOrder" ? "poll" : "work"
}
