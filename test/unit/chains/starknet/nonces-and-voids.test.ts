import { describe, expect, test } from "vitest"
import { createRpc } from "#chains/starknet/rpc.ts"
import { takeStarknetNonce } from "#chains/starknet/spend/build.ts"
import {
  type Bounds,
  formatInvoke,
  hashInvoke,
  maxFeeOf,
  parseInvoke,
} from "#chains/starknet/spend/invoke.ts"
import { voidBounds } from "#chains/starknet/spend/urgent-bounds.ts"
import type { Wallet } from "#chains/starknet/wallet.ts"
import { toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { createJumpingClock } from "../../../support/request-limit.ts"

const chain = toChainId("starknet_sepolia")
const account = "0xacc"
const WAITING: Bounds = {
  l1Gas: { amount: "0x0", price: "0x64" },
  l2Gas: { amount: "0x3e8", price: "0x64" },
  l1DataGas: { amount: "0x64", price: "0x64" },
  tip: "0x64",
}

function planOf(action: TransactionPlan["action"], nonce: string, bounds: Bounds): TransactionPlan {
  const invoke = { chainId: "SN_SEPOLIA", sender: account, nonce, calldata: ["0x0"], bounds }
  return {
    chain,
    account,
    action,
    attempt: 3,
    unsigned: formatInvoke(invoke),
    digest: hashInvoke(invoke),
    resources: [`nonce:${BigInt(nonce)}`],
    spends: [],
    maxFeeUnits: maxFeeOf(bounds),
    fromHeight: 5n,
    expiresAtHeight: null,
  }
}

function walletOf(rpc: Wallet["rpc"]): Wallet {
  // CAST: the fields that these parts read.
  const few = {
    chain,
    chainId: "SN_SEPOLIA",
    account,
    accountFelt: 0xaccn,
    maxFeeUnits: 10n ** 18n,
  }
  return { ...few, rpc, nonce: { likely: 0n } } as unknown as Wallet
}

const dead = createRpc({
  urls: ["http://127.0.0.1:1"],
  chainId: "SN_SEPOLIA",
  timeoutMs: 100,
  clock: createJumpingClock(),
})

describe("a refund takes the nonce of a transaction that waits", () => {
  const take = (price: string, tip: string): TransactionPlan | null => {
    const bounds = { ...WAITING, l2Gas: { amount: "0x3e8", price }, tip }
    return takeStarknetNonce(walletOf(dead), planOf("refund", "0x9", bounds), waiting)
  }
  const waiting = planOf("initiate", "0x7", WAITING)

  test("with a price and a tip 15 % above its own", () => {
    const taken = take("0x73", "0x73")
    expect(taken).toMatchObject({ action: "refund", attempt: 0, resources: ["nonce:7"] })
    const invoke = parseInvoke(taken?.unsigned ?? "")
    expect(invoke.nonce).toBe("0x7")
    expect(hashInvoke(invoke)).toBe(taken?.digest)
  })

  test.each([
    ["price", "0x72", "0x73"],
    ["tip", "0x73", "0x72"],
  ])("and not with a %s that a mempool refuses", (_, price, tip) => {
    expect(take(price, tip)).toBeNull()
  })
})

test("a void without an estimate has the bounds of the transaction that it outbids", async () => {
  expect(await voidBounds(walletOf(dead), WAITING)).toEqual(WAITING)
})
