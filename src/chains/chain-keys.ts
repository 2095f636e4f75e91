import { z } from "zod"
import { choice, duration, httpUrl, integer, list, secretReference } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

/** The configuration keys that every family's chain has. A family spreads them first and adds its own. */
export function chainKeys<const Name extends string>(family: Name, deadlineMargin: string) {
  return {
    stuck_after: withDefault(duration(1_000), "10m", "Time after which an unmined transaction gets a higher fee."),
    deadline_margin: withDefault(
      duration(0),
      deadlineMargin,
      "Ballast sends a deposit only if at least this much time is left before the order's deadline.",
    ),
    timelock: orNone(
      section({
        min: orNone(integer(1, 1_000_000_000), "The shortest timelock accepted, in blocks or slots."),
        max: orNone(integer(1, 1_000_000_000), "The longest timelock accepted, in blocks or slots."),
      }),
      "Bounds of an HTLC's timelock on this chain, in the chain's own unit. Without them the built-in bounds apply.",
    ),
    family: required(z.literal(family), "The chain family."),
  }
}

/** The key's reference; `form` says how the family writes a key. */
export function keyReference(form: string) {
  return required(secretReference, `The hot wallet's key, by reference: ${form}.`)
}

export const endpointList = list(httpUrl, "a list of at least one URL", 1)

export const rpcUrls = required(endpointList, "JSON-RPC URLs; Ballast asks the next one when one fails.")

export const confirmationCount = integer(1, 10_000)

export const confirmations = withDefault(
  confirmationCount,
  1,
  "Confirmations after which a transaction counts as final.",
)

/** For families with an HTLC that accepts a signature in place of a transaction. */
export const depositWay = withDefault(
  choice(["auto", "gasless", "onchain"]),
  "auto",
  "The way to deposit: gasless signs typed data only, onchain sends transactions only, auto prefers gasless.",
)
