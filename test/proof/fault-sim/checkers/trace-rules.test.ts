import { expect, test } from "vitest"
import type { GroundTruth } from "../ground-truth.ts"
import { checkTraceRules } from "./trace-rules.ts"

const CHAIN = "base_sepolia"

/** The judge of traces, for one order. Its deposit and its void share a nonce. */
function judge() {
  // CAST: the parts of the truth that this checker reads here.
  const truth = {
    world: { service: { orders: [] } },
    orderOf: () => undefined,
    recorder: { rows: new Map() },
    isCallAlone: () => false,
    profile: {},
  } as unknown as GroundTruth
  const { onWrite, onCall } = checkTraceRules(truth)
  const order = {
    orderId: "order-1",
    chain: CHAIN,
    account: "wallet",
    resources: ["nonce:4"],
  }
  const write = (method: string, ...args: unknown[]) => onWrite?.(method, args, null) ?? []
  return {
    claim: (purpose: string, digest: string) =>
      write("claimSignature", { ...order, purpose, digest }),
    store: (purpose: string, digest: string) =>
      write("storeSignature", "order-1", { purpose, digest, txid: digest, raw: digest }),
    sign: (digest: string, orderId?: string) =>
      onCall?.(CHAIN, "signTransaction", [{ action: "void", digest }, { order: orderId }]) ?? [],
  }
}

test("a signature is one of the void and of the fill of its nonce, which have the same bytes", () => {
  const { claim, store, sign } = judge()
  const found = [
    ...claim("deposit", "burn"),
    ...sign("burn", "order-1"),
    ...claim("fill/nonce:4", "none"),
    ...sign("none"),
    ...store("fill/nonce:4", "none"),
    ...claim("void", "none"),
    ...sign("none", "order-1"),
    ...store("void", "none"),
  ]
  expect(found).toEqual([])
})

test.each([
  ["the key signed nothing", []],
  ["the key signed the fill, whose bytes are others", ["filled"]],
  ["the key signed unclaimed bytes", ["free"]],
])("the bytes of a void are not stored where %s", (_name, signed) => {
  const { claim, store, sign } = judge()
  claim("deposit", "burn")
  claim("fill/nonce:4", "filled")
  claim("void", "none")
  const found = [...signed.flatMap((digest) => sign(digest, "order-1")), ...store("void", "none")]
  expect(found.map(({ message }) => message)).toContainEqual(
    expect.stringMatching(/storeVoid is not allowed now/),
  )
})
