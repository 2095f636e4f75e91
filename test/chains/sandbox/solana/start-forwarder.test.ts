import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Connection, Keypair, LAMPORTS_PER_SOL, SystemProgram, Transaction } from "@solana/web3.js"
import { afterEach, expect, test } from "vitest"
import { startForwarder } from "../../../../src/lab/sandbox/solana/start-forwarder.ts"
import { startValidator } from "../../../../src/lab/sandbox/solana/start-validator.ts"

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})

test("a client waits for a confirmation through a subscription at the address of the validator", {
  timeout: 90_000,
}, async () => {
  // A blockhash lives for 150 slots. With short ones a busy machine can be too late.
  const validator = await startValidator({ port: 0, slotTimeMs: 400 })
  stops.push(() => validator.stop())
  const connection = new Connection(validator.url, {
    commitment: "confirmed",
    wsEndpoint: validator.url.replace("http", "ws"),
  })
  const { blockhash, lastValidBlockHeight } = await connection.getLatestBlockhash()
  const to = Keypair.generate().publicKey
  const transaction = new Transaction({
    feePayer: validator.payer.publicKey,
    blockhash,
    lastValidBlockHeight,
  })
  transaction.add(
    SystemProgram.transfer({
      fromPubkey: validator.payer.publicKey,
      toPubkey: to,
      lamports: LAMPORTS_PER_SOL,
    }),
  )
  const seen = new Promise((resolve) =>
    connection.onAccountChange(to, ({ lamports }) => resolve(lamports), "confirmed"),
  )
  // The subscription must exist before the transfer, and the library does not say when it does.
  await new Promise((resolve) => setTimeout(resolve, 500))
  const signature = await connection.sendTransaction(transaction, [validator.payer])
  const { value } = await connection.confirmTransaction(
    { signature, blockhash, lastValidBlockHeight },
    "confirmed",
  )
  expect(value.err).toBeNull()
  expect(await seen).toBe(LAMPORTS_PER_SOL)
  // The library asks for the status too, and nothing waits for that answer: a stop before it would
  // be an unhandled rejection.
  await connection.getSignatureStatus(signature)
  // The subscription is still open, and the validator must stop all the same.
})

test("an HTTP answer passes unchanged", async () => {
  const url = await listen(
    createServer((_incoming, answer) => answer.writeHead(418, { "x-kept": "yes" }).end("tea")),
  )
  const forwarder = await startForwarder(0, { rpcUrl: url, wsUrl: url.replace("http", "ws") })
  stops.push(forwarder.stop)
  const answer = await fetch(forwarder.url)
  expect([answer.status, answer.headers.get("x-kept"), await answer.text()]).toEqual([
    418,
    "yes",
    "tea",
  ])
})

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  stops.push(async () => {
    server.closeAllConnections()
    server.close()
  })
  // CAST: a listening TCP server has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
