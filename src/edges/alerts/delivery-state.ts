import type { AlertNote, MessageReason } from "./port.ts"

/** Everything about alerts that outlives the process. The journal keeps it as one text. */
export type DeliveryState = {
  readonly records: readonly AlertRecord[]
  /** The messages that are not delivered yet, the oldest first. */
  readonly deliveries: readonly Delivery[]
  readonly nextId: number
  /** By the receiver's name. */
  readonly receivers: Readonly<Record<string, ReceiverRecord>>
}

/**
 * One alert. A closed one is kept for a while, because a cause that comes back at once is no news.
 */
export type AlertRecord = AlertNote & {
  /** Code, order and part: one cause has one key. */
  readonly key: string
  readonly needsPerson: boolean
  readonly acknowledged: { readonly by: string; readonly atMs: number } | null
  readonly escalatedMs: number | null
  /** By the receiver's name: the last message about it, and whether its end was told. */
  readonly told: Readonly<Record<string, { readonly atMs: number; readonly isEndTold: boolean }>>
}

export type Delivery = {
  readonly id: string
  readonly receiver: string
  readonly reason: MessageReason
  readonly notes: readonly AlertNote[]
  readonly createdMs: number
  readonly dueMs: number
  readonly tries: number
  readonly error: string | null
}

type ReceiverRecord = {
  readonly deliveredMs: number | null
  readonly failingSinceMs: number | null
  readonly error: string | null
}

export const NO_DELIVERIES: DeliveryState = {
  records: [],
  deliveries: [],
  nextId: 1,
  receivers: {},
}
