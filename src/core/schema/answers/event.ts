import { z } from "zod"
import { reason, text, textOrNull, time } from "./leaves.ts"
import { order } from "./order.ts"
import { decision } from "./policy.ts"
import { comparison, nothing } from "./state.ts"

function told<Type extends string, Data extends z.ZodType>(type: Type, data: Data) {
  return z.object({ type: z.literal(type), id: text, data })
}

/** One event of the stream; `id` is what `Last-Event-ID` goes on behind. */
export const daemonEvent = z.union([
  told("order", order),
  told("approval", order.pick({ id: true, intent: true, from: true, to: true, amount: true })),
  told("decision", decision),
  told("alarm", z.object({ at: time, order: textOrNull, reason })),
  told("balance", comparison),
  /** Too much happened meanwhile: read the lists again. */
  told("reset", nothing),
])
