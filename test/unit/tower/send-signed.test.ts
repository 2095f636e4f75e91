import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import type { SignedTransaction, TransactionRequest } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { sendSigned } from "#tower/send-signed.ts"

const ASSET = parseAssetId("bitcoin_testnet:btc")
// CAST: only the action and the asset are read.
const REQUEST = { action: "redeem", asset: ASSET } as unknown as Extract<
  TransactionRequest,
  { action: "redeem" }
>
const STAKE = { left: 1n, timelock: 600n, worthUnits: 900n }
const SIGNED = [100n, 200n, 400n, 800n].map(sign)

function sign(maxFeeUnits: bigint, attempt: number): SignedTransaction {
  const plan = {
    chain: toChainId("bitcoin_testnet"),
    account: "us",
    action: "redeem" as const,
    attempt,
    maxFeeUnits,
  }
  const rest = {
    unsigned: "",
    digest: "",
    resources: [],
    spends: [],
    fromHeight: 0n,
    expiresAtHeight: null,
  }
  return { plan: { ...plan, ...rest }, raw: `raw ${maxFeeUnits}`, txid: `fee ${maxFeeUnits}` }
}

describe("signed redemptions with rising fees", () => {
  const sent: string[] = []
  const send = async (
    estimate: bigint,
    earlier: { txid: string; sentAtMs: number } | null,
    nowMs: number,
    { broken = "", isUrgent = true } = {},
  ) => {
    const request = isUrgent ? { ...REQUEST, stake: STAKE } : REQUEST
    const port: Partial<ChainPort> = {
      estimateRedeemFee: async () => estimate,
      broadcastTransaction: async ({ txid }) => {
        sent.push(txid)
        if (broken !== "")
          // CAST: of a test.
          throw new AppError({ code: "x", disposition: broken as "uncertain", message: "no" })
      },
    }
    const transaction = SIGNED.find(({ txid }) => txid === earlier?.txid)
    const attempt =
      earlier === null || !transaction ? null : { transaction, sentAtMs: earlier.sentAtMs }
    // CAST: `sendSigned` uses these two methods.
    const sending = {
      port: port as ChainPort,
      request,
      plan: async () => ({ refused: [] }),
      nowMs,
      reserved: new Set<string>(),
      stuckAfterMs: 10,
    }
    const next = await sendSigned(sending, SIGNED, attempt)
    return { txid: next.transaction.txid, sentAtMs: next.sentAtMs }
  }

  test("begin with the cheapest one that pays the estimate", async () => {
    expect(await send(50n, null, 0)).toEqual({ txid: "fee 100", sentAtMs: 0 })
    expect(await send(101n, null, 0)).toEqual({ txid: "fee 200", sentAtMs: 0 })
    expect(await send(9_999n, null, 0)).toEqual({ txid: "fee 800", sentAtMs: 0 })
  })

  test("send the same one again until it has waited, and then the next one, up to the dearest", async () => {
    expect(await send(50n, { txid: "fee 100", sentAtMs: 0 }, 9)).toEqual({
      txid: "fee 100",
      sentAtMs: 0,
    })
    expect(await send(50n, { txid: "fee 100", sentAtMs: 0 }, 10)).toEqual({
      txid: "fee 200",
      sentAtMs: 10,
    })
    expect(await send(500n, { txid: "fee 100", sentAtMs: 0 }, 10)).toEqual({
      txid: "fee 800",
      sentAtMs: 10,
    })
    expect(await send(50n, { txid: "fee 800", sentAtMs: 0 }, 10)).toEqual({
      txid: "fee 800",
      sentAtMs: 10,
    })
  })

  test(
    "stay within eight times the estimate until the lock ends, and then within the worth of " +
      "the payout",
    async () => {
      const calm = { isUrgent: false }
      expect(await send(40n, { txid: "fee 100", sentAtMs: 0 }, 10, calm)).toEqual({
        txid: "fee 200",
        sentAtMs: 10,
      })
      expect(await send(40n, { txid: "fee 200", sentAtMs: 0 }, 10, calm)).toEqual({
        txid: "fee 200",
        sentAtMs: 10,
      })
      expect(await send(40n, { txid: "fee 200", sentAtMs: 0 }, 10)).toEqual({
        txid: "fee 400",
        sentAtMs: 10,
      })
      expect(await send(9_999n, null, 0, calm)).toEqual({ txid: "fee 800", sentAtMs: 0 })
    },
  )

  test("rise also after a restart beside a dearer one of before, which nodes keep", async () => {
    expect(await send(50n, null, 5, { broken: "uncertain" })).toEqual({
      txid: "fee 100",
      sentAtMs: 5,
    })
    await expect(send(50n, null, 5, { broken: "refused" })).rejects.toMatchObject({ code: "x" })
  })
})
