import { z } from "zod"
import { isKmsName, parseKmsName } from "#kms/parse-kms-name.ts"
import { parseTokenUri, TOKEN_SCHEME } from "#pkcs11/parse-token-uri.ts"
import { address } from "#schema/address.ts"
import {
  choice,
  duration,
  integer,
  list,
  SECRET_EXPECTED,
  SECRET_PROBLEM,
  SECRET_REFERENCE,
  text,
} from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"
import type { ChainPreset } from "./chain-preset.ts"
import { WATCH_SCHEME } from "./watch-only.ts"

/**
 * The configuration keys that every family's chain has. A family spreads them first and adds its
 * own.
 */
export function chainKeys<const Name extends string>(
  family: Name,
  deadlineMargin: string,
  presets: readonly ChainPreset[] = [],
) {
  return {
    preset: orNone(
      presetName(presets),
      "A chain that Ballast knows; it sets family, identity, block time, fee caps and " +
        "explorer. A chain without family uses the preset of its own name.",
    ),
    block_time: orNone(
      duration(1),
      'The average time between two blocks or slots, such as "2s" or "200ms". Without it the ' +
        "preset's applies, else a built-in one; `ballast doctor` measures it.",
    ),
    stuck_after: withDefault(
      duration(1_000),
      "10m",
      "Time after which an unmined transaction gets a higher fee.",
    ),
    deadline_margin: withDefault(
      duration(0),
      deadlineMargin,
      "Ballast sends a deposit only if at least this much time is left before the order's " +
        "deadline.",
    ),
    timelock: orNone(
      section({
        min: orNone(
          integer(1, 1_000_000_000),
          "The shortest timelock accepted, in blocks or slots.",
        ),
        max: orNone(
          integer(1, 1_000_000_000),
          "The longest timelock accepted, in blocks or slots.",
        ),
      }),
      "Bounds of an HTLC's timelock on this chain, in the chain's own unit. Without them the " +
        "built-in bounds apply.",
    ),
    agree: orNone(
      integer(1, 16),
      "How many endpoints must give the same answer before Ballast ends an order or releases " +
        "money by it. Without it: 2, or 1 with one endpoint.",
    ),
    family: required(z.literal(family), "The chain family; a preset sets it."),
  }
}

function presetName(presets: readonly ChainPreset[]): z.ZodType<string, string> {
  const [first, ...others] = presets.map(({ name }) => name)
  return first === undefined
    ? text(/^[a-z0-9_-]+$/, "the name of a preset")
    : choice([first, ...others])
}

/** Where a family's key may be held besides a text; a sentence says why not there. */
type KeyPlaces = { readonly token: true | string; readonly kms: true | string }

const ANY_TOKEN = { token: true, kms: "this family's key cannot be in a KMS" } as const

/** The key's reference; `form` says how the family writes a key. */
export function keyReference(form: string, { token, kms }: KeyPlaces = ANY_TOKEN) {
  const reference = keyText.superRefine((written, context) => {
    const problem = findKeyProblem(written, { token, kms })
    if (problem !== null)
      context.addIssue({ code: "custom", message: `${SECRET_PROBLEM}: ${problem}` })
  })
  const inToken = token === true ? "; or the pkcs11: URI of a key in a token" : ""
  const inKms = kms === true ? "; or the aws-kms: or gcp-kms: name of a key in a KMS" : ""
  const held = `The hot wallet's key, by reference: ${form}${inToken}${inKms}`
  return required(reference, `${held}; or watch: and the address of a wallet to read only.`)
}

function findKeyProblem(written: string, { token, kms }: KeyPlaces): string | null {
  if (written.startsWith(TOKEN_SCHEME)) return problemOf(token, parseTokenUri(written))
  return isKmsName(written) ? problemOf(kms, parseKmsName(written)) : null
}

function problemOf(place: true | string, parsed: object | string): string | null {
  if (place !== true) return place
  return typeof parsed === "string" ? parsed : null
}

const keyText = z
  .string({ error: SECRET_EXPECTED })
  .refine((written) => SECRET_REFERENCE.test(written) || written.startsWith(WATCH_SCHEME), {
    error: SECRET_EXPECTED,
    abort: true,
  })

export const endpointList = list(address, "a list of at least one URL", 1)

export const rpcUrls = required(
  endpointList,
  "JSON-RPC endpoints, each a URL, a reference to one, or a map of url, headers and " +
    "max_requests_per_second; Ballast asks the next one when one fails.",
)

export const confirmationCount = integer(1, 10_000)

export const depositWays = choice(["auto", "gasless", "onchain"])

/** For families with an HTLC that accepts a signature in place of a transaction. */
export const depositWay = withDefault(
  depositWays,
  "auto",
  "The way to deposit: gasless signs typed data only, onchain sends transactions only, auto " +
    "prefers gasless.",
)
