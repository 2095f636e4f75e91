import { z } from "zod"
import { textOrNumber } from "#lib/wire-integer.ts"

/** Circle's attestation service, version 2 of its interface. Unknown fields are left out. */

export const wireFees = z.array(z.object({ finalityThreshold: z.int(), minimumFee: textOrNumber }))

/** In whole units of USDC, with up to six decimals. */
export const wireAllowance = z.object({
  allowance: textOrNumber.refine((text) => /^\d{1,15}(\.\d{1,18})?$/.test(text), {
    error: "not an amount of USDC",
  }),
})

const wireMessage = z.object({
  message: z.string().nullish(),
  attestation: z.string().nullish(),
  eventNonce: z.string().nullish(),
  cctpVersion: z.int().nullish(),
  status: z.string(),
  delayReason: z.string().max(200).nullish(),
})

export type WireMessage = z.output<typeof wireMessage>

/** A transaction has few burns; a longer list is an attack or a mistake. */
export const wireMessages = z.object({ messages: z.array(wireMessage).max(500) })
