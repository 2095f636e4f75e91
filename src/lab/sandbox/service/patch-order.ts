import { createHash } from "node:crypto"
import { z } from "zod"
import type { LocalChain } from "../local-chain.ts"
import { parseShape } from "./create-body.ts"
import { parseWireJson } from "./parse-wire-json.ts"
import { rejectRequest } from "./reject-request.ts"
import type { SolverFault } from "./solver/solver-fault.ts"
import type { StoredOrder } from "./stored-order.ts"

/**
 * `PATCH /v2/orders/{order_id}?action=…` resolves with the id of the relayed transaction. A
 * repeated request gets the first transaction.
 *
 *   initiate {signature}        deposits with the user's signature (service interface §4)
 *   redeem {secret}             reveals the secret of a client that chose its own, and pays out the
 *                               destination (field notes, Wire)
 *   refund {}                   refunds the source after its timelock
 *   instant-refund {signatures} is refused: the solver of the sandbox signs no early refund
 */
export function createOrderPatcher(): OrderPatcher {
  const relayed = new Map<string, Promise<string>>()
  const relayOnce = (key: string, send: () => Promise<string>): Promise<string> => {
    const running = relayed.get(key) ?? send().catch(rejectWithReason)
    relayed.set(key, running)
    running.catch(() => relayed.delete(key))
    return running
  }
  return async (request) => {
    const { action, order } = request
    switch (action) {
      case "initiate":
        return relayInitiation(request)
      case "redeem": {
        const secret = parseSecret(request)
        return (
          order.destination.seen.redeemed?.tx ??
          relayOnce(`${action} ${order.id}`, () => relaySecret(request, secret))
        )
      }
      case "refund":
        return (
          order.source.seen.refunded?.tx ??
          relayOnce(`${action} ${order.id}`, () => relayRefund(request))
        )
      case "instant-refund":
        return rejectRequest(
          400,
          "instant-refund is not supported: the solver signs no refund before the timelock",
        )
      default:
        return rejectRequest(400, `action ${action ?? "(none)"} is not supported`)
    }
  }
}

type PatchRequest = {
  readonly action: string | undefined
  readonly body: string
  readonly order: StoredOrder
  readonly source: LocalChain
  readonly destination: LocalChain
  /** Whether the service offers gasless initiation. */
  readonly gasless: boolean
  readonly faults: ReadonlySet<SolverFault>
}

export type OrderPatcher = (request: PatchRequest) => Promise<string>

/** Not answered from memory: the contract is the one that refuses a second initiation. */
async function relayInitiation({ body, order, source, gasless }: PatchRequest): Promise<string> {
  const { signature } = parseShape(signatureBody, parseWireJson(body))
  if (source.family === "bitcoin" || !gasless) {
    rejectRequest(400, `gasless initiation is not supported on ${source.name}`)
  }
  if (Date.now() > order.deadlineMs) rejectRequest(400, "the order is past its deadline")
  return source.initiateWithSignature(order.source.swap, signature).catch(rejectWithReason)
}

/** The published client sends a Starknet signature as `r,s`, or as a list of the two. */
const signatureBody = z.object({
  signature: z.union([
    z.string().min(1),
    z
      .array(z.string().min(1))
      .min(1)
      .transform((parts) => parts.join()),
  ]),
})

function parseSecret({ body, order }: PatchRequest): string {
  const { secret } = parseShape(secretBody, parseWireJson(body))
  const hash = createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
  return hash === order.source.swap.secretHash
    ? secret
    : rejectRequest(400, "the secret does not hash to secret_hash")
}

const secretBody = z.object({
  secret: z
    .string()
    .regex(/^(0x)?[0-9a-fA-F]{64}$/, "expected 32 bytes in hex")
    .transform((secret) => secret.replace(/^0x/, "").toLowerCase()),
})

/** An honest solver takes the secret from the chain, not from this request. */
async function relaySecret(
  { order, source, destination, faults }: PatchRequest,
  secret: string,
): Promise<string> {
  const { seen, swap } = order.destination
  if (seen.initiated === null || seen.refunded) rejectRequest(400, "the destination is not funded")
  if (faults.has("neverRedeem")) return "secret taken"
  return faults.has("keepPayout")
    ? source.redeem(order.source.swap, secret)
    : destination.redeem(swap, secret)
}

async function relayRefund({ order, source }: PatchRequest): Promise<string> {
  const { seen, swap } = order.source
  if (seen.initiated === null || seen.redeemed) rejectRequest(400, "the source holds no deposit")
  return source.refund(swap)
}

/**
 * The chain gives the reason: a bad signature, a missing allowance, a timelock that has not passed.
 */
function rejectWithReason(error: unknown): never {
  return rejectRequest(400, error instanceof Error ? error.message : String(error))
}
