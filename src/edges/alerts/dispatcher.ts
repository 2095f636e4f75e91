import type { Problem } from "#health/problem.ts"
import type { Clock } from "#lib/clock.ts"
import type { Logger } from "#lib/log.ts"
import { acknowledgeAlerts } from "./acknowledge.ts"
import { decideDeliveries, GIVE_UP_MS } from "./decide-deliveries.ts"
import type { Delivery, DeliveryState } from "./delivery-state.ts"
import type { AlertsConfig, Message, Receiver, SendMessage } from "./port.ts"
import { isBeyondAnyWait, recordResult } from "./record-result.ts"

/** Delivers the alerts of a running daemon. */
export type Dispatcher = {
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Returns the number of alerts that the id names; `all` names every open one. */
  readonly acknowledge: (id: string, by: string) => number
  readonly read: () => DeliveryState
}

type DispatcherParts = {
  readonly config: () => AlertsConfig
  readonly treasury: () => string
  readonly findProblems: () => readonly Problem[]
  /**
   * The state outlives the process: `durable` resolves when it is on disk, and only then a message
   * leaves.
   */
  readonly store: {
    readonly read: () => DeliveryState
    readonly write: (state: DeliveryState) => void
    readonly durable: () => Promise<void>
  }
  readonly send: SendMessage
  readonly clock: Clock
  readonly log: Logger
}

const SHORTEST_TURN_MS = 250
const LONGEST_TURN_MS = 5_000

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { store, clock, log } = parts
  /** One message at a time for each receiver, so that they arrive in order. */
  const sending = new Map<string, Promise<void>>()

  async function turn(): Promise<void> {
    const config = parts.config()
    if (config.receivers.length === 0) return
    const before = store.read()
    const nowMs = clock.now()
    const state = decideDeliveries(before, parts.findProblems(), config, nowMs)
    tellLost(log, before, state)
    save(store, before, state)
    await store.durable()
    for (const receiver of config.receivers) {
      if (sending.has(receiver.name)) continue
      const done = deliverDue(parts, receiver, config)
        .catch((error: unknown) =>
          log.error({ receiver: receiver.name, err: error }, "A delivery ended in an error"),
        )
        .finally(() => sending.delete(receiver.name))
      sending.set(receiver.name, done)
    }
  }

  return {
    run: async (signal) => {
      while (!signal.aborted) {
        await turn().catch((error: unknown) =>
          log.error({ err: error }, "The alerts could not be delivered"),
        )
        const turnMs = Math.min(
          LONGEST_TURN_MS,
          Math.max(SHORTEST_TURN_MS, parts.config().groupMs / 2),
        )
        await clock.sleep(turnMs, signal)
      }
      // A stop waits for messages under way, at most for their time-out.
      await Promise.all(sending.values())
    },
    acknowledge: (id, by) => {
      const before = store.read()
      const { state, count } = acknowledgeAlerts(before, id, by, clock.now())
      save(store, before, state)
      return count
    },
    read: store.read,
  }
}

/** A message that fails is due later, so it does not keep the others from their receiver. */
async function deliverDue(
  parts: DispatcherParts,
  receiver: Receiver,
  config: AlertsConfig,
): Promise<void> {
  const { store, clock } = parts
  const startMs = clock.now()
  const isDue = (one: Delivery): boolean =>
    one.dueMs <= startMs || isBeyondAnyWait(one, clock.now())
  const next = (): Delivery | undefined =>
    store.read().deliveries.find((one) => one.receiver === receiver.name && isDue(one))
  for (let due = next(); due !== undefined; due = next())
    await deliver(parts, receiver, due, config)
}

async function deliver(
  { treasury, send, store, clock, log }: DispatcherParts,
  receiver: Receiver,
  delivery: Delivery,
  { dashboard }: AlertsConfig,
): Promise<void> {
  const { id, reason, notes, createdMs, tries } = delivery
  const message: Message = {
    id,
    reason,
    notes,
    dashboard,
    treasury: treasury(),
    atMs: createdMs,
  }
  const sent = await send(receiver, message)
  const fields = { receiver: receiver.name, message: id, alerts: notes.map((note) => note.code) }
  if (sent.ok) log.info({ ...fields, answer: sent.answer }, "An alert was delivered")
  else
    log.warn(
      { ...fields, error: sent.error, tries: tries + 1 },
      "An alert could not be delivered; it is tried again",
    )
  const before = store.read()
  save(store, before, recordResult(before, id, sent, clock.now()))
  await store.durable()
}

function save(store: DispatcherParts["store"], before: DeliveryState, after: DeliveryState): void {
  if (JSON.stringify(before) !== JSON.stringify(after)) store.write(after)
}

function tellLost(log: Logger, before: DeliveryState, { deliveries }: DeliveryState): void {
  const lost = before.deliveries.filter(({ id }) => !deliveries.some((one) => one.id === id))
  for (const { id, receiver, error } of lost)
    log.error(
      { message: id, receiver, error, afterMs: GIVE_UP_MS },
      "An alert was given up: its receiver is gone or did not take it",
    )
}
