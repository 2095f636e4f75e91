import { Connection, PublicKey, SystemProgram, Transaction } from "@solana/web3.js"
import { afterEach, expect, test } from "vitest"
import {
  startValidator,
  type Validator,
} from "../../../../src/lab/sandbox/solana/start-validator.ts"
import { IS_SAMPLED } from "../../../support/ci-sample.ts"

let validator: Validator | undefined
afterEach(() => validator?.stop())

/**
 * The validator queues events of its clock, and stops for ever when 1024 of them are waiting. Each
 * skip makes three.
 */
const SKIPS = 400

test("a validator goes on after more skips than its queue of events holds", {
  timeout: 60_000,
}, async () => {
  validator = await startValidator({ port: 0, slotTimeMs: 10 })
  const { url } = validator
  for (let skips = 1; skips <= SKIPS; skips++) {
    await validator.skipToSlot(skips * 1_000)
    // The slots of the clock between two skips, and time for other work of the process.
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect(await fetchSlot(url)).toBeGreaterThanOrEqual(SKIPS * 1_000 - 1)
})

/**
 * The queue of events fills with the slots of the clock too: without a reader the validator stopped
 * for ever after about 1 000 slots.
 */
// Nearly a minute, and the simulator of Solana changes only with its version.
test.skipIf(IS_SAMPLED)(
  "a validator lives past its first 5 000 slots, and says so by a transfer",
  {
    timeout: 240_000,
  },
  async () => {
    validator = await startValidator({ port: 0, slotTimeMs: 8 })
    const { url, payer } = validator
    while ((await fetchSlot(url)) < 5_200) await new Promise((resolve) => setTimeout(resolve, 500))
    const before = await fetchSlot(url)
    const connection = new Connection(url, "confirmed")
    const { blockhash } = await connection.getLatestBlockhash()
    const to = PublicKey.unique()
    const transfer = SystemProgram.transfer({
      fromPubkey: payer.publicKey,
      toPubkey: to,
      lamports: 1_000_000_000,
    })
    const transaction = new Transaction({
      feePayer: payer.publicKey,
      recentBlockhash: blockhash,
    }).add(transfer)
    transaction.sign(payer)
    await connection.sendRawTransaction(transaction.serialize())
    while ((await connection.getBalance(to)) !== 1_000_000_000)
      await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await fetchSlot(url)).toBeGreaterThan(before)
  },
)

test("a validator that stops answering is an error, and not a wait for ever", async () => {
  validator = await startValidator({ port: 0, slotTimeMs: 100, silentMs: 5_000 })
  process.kill(validator.pid, "SIGSTOP")
  await expect(validator.skipToSlot(1_000)).rejects.toMatchObject({ code: "sandbox.solana_failed" })
}, 30_000)

test("a validator that dies is reported, and one that is stopped is not", async () => {
  const ended: string[] = []
  validator = await startValidator({ port: 0, slotTimeMs: 100, onEnd: () => ended.push("dead") })
  process.kill(validator.pid, "SIGKILL")
  await expect.poll(() => ended).toEqual(["dead"])
  const second = await startValidator({
    port: 0,
    slotTimeMs: 100,
    onEnd: () => ended.push("stopped"),
  })
  await second.stop()
  expect(ended).toEqual(["dead"])
}, 30_000)

test("a program that does not exist ends the start with an error", async () => {
  const programs = [{ programId: PublicKey.default.toBase58(), soPath: "/nowhere.so" }]
  const start = startValidator({ port: 0, slotTimeMs: 100, programs })
  await expect(start).rejects.toMatchObject({ code: "sandbox.solana_failed" })
}, 60_000)

async function fetchSlot(url: string): Promise<number> {
  const body = JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "getSlot",
    params: [{ commitment: "confirmed" }],
  })
  const headers = { "content-type": "application/json" }
  const answer = await fetch(url, {
    method: "POST",
    headers,
    body,
    signal: AbortSignal.timeout(10_000),
  })
  // CAST: the JSON-RPC answer of getSlot.
  return ((await answer.json()) as { result: number }).result
}
