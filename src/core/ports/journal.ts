import type { DecisionStore } from "./journal/decisions.ts"
import type { Durability } from "./journal/durability.ts"
import type { FlagStore } from "./journal/flags.ts"
import type { Ledger } from "./journal/ledger.ts"
import type { NoticeStore } from "./journal/notices.ts"
import type { OrderSums } from "./journal/order-sums.ts"
import type { OrderStore } from "./journal/orders.ts"
import type { Outbox } from "./journal/outbox.ts"
import type { RequestKeys } from "./journal/request-keys.ts"
import type { Reservations } from "./journal/reservations.ts"
import type { SecretDecisions, SigningRecord } from "./signing-record.ts"

/**
 * The journal: everything that Ballast knows, on disk. It is synchronous on purpose: when a call
 * returns, every later read shows its write, and two admissions can never interleave. If a call
 * throws, it has written nothing.
 *
 * A write is on disk when `durable` resolves (ADR 42). Nothing leaves the process because of a
 * write before that (ADR 24).
 */
export type Journal = DecisionStore &
  Durability &
  OrderSums &
  FlagStore &
  Ledger &
  NoticeStore &
  OrderStore &
  Outbox &
  RequestKeys &
  Reservations &
  SecretDecisions &
  SigningRecord
