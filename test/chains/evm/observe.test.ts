import { randomBytes } from "node:crypto"
import type { Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { deriveOrderIds, encodeInitiate } from "#chains/evm/htlc.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { createSender, type Sender } from "#sandbox/evm/create-sender.ts"
import {
  approve,
  assetOf,
  assets,
  chain,
  inBlock,
  initiate,
  local,
  mint,
  NOTHING_RESERVED,
  newOrder,
  options,
  perform,
  plan,
  queryOf,
  tokenCall,
  UNITS,
  useChain,
  useLocalChain,
} from "./local-scene.ts"
import { eth, hashOfSecret, strangerAddress, wbtc } from "./sample-order.ts"
import { startProxy } from "./start-proxy.ts"

useLocalChain()

test.each([wbtc, eth])("observes that a destination leg of %s pays its owner", async (assetId) => {
  const secret = randomBytes(32).toString("hex")
  const terms = {
    assetId,
    units: UNITS,
    owner: strangerAddress,
    secretHash: hashOfSecret(secret),
    timelock: 10,
  }
  const swap = await local.describeDestination(terms)
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({
    initiated: null,
    redeemed: null,
    refundableAt: null,
  })
  const initiated = await inBlock(() => local.initiate(swap))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({
    initiated: { txid: initiated },
    redeemed: null,
  })
  expect(await chain.observeLeg(queryOf(swap, { units: UNITS + 1n }))).toMatchObject({
    initiated: null,
  })
  const redeemed = await inBlock(() => local.redeem(swap, secret))
  const whole = {
    initiated: { units: UNITS },
    redeemed: { txid: redeemed, paidUnits: UNITS, secret },
  }
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject(whole)
  expect(await chain.observeLeg(queryOf(swap, { initiator: null, timelock: null }))).toMatchObject(
    whole,
  )
  // Another owner does not match this leg, because the call names the payee.
  const other = await chain.observeLeg(queryOf(swap, { owner: chain.account }))
  expect(other).toMatchObject({ initiated: null, redeemed: null })
})

test("rejects a stranger's order under the same secret hash", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const stranger = privateKeyToAccount(generatePrivateKey())
  await local.setBalance(stranger.address, 10n ** 18n)
  const griefer = createSender(local.client, stranger)
  await fundStranger(griefer)
  const htlc = requireAddress(deposit.htlc)
  const bait = {
    redeemer: requireAddress(swap.redeemer),
    timelock: 20n,
    units: UNITS,
    secretHash: swap.secretHash,
  }
  const txid = await inBlock(() => griefer.send({ to: htlc, data: encodeInitiate(bait) }))
  const hints = { initiateTx: txid, redeemTx: null, refundTx: null }
  expect(await chain.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: null })
  const transaction = await perform(initiate(deposit))
  const baitId = deriveOrderIds(
    { ...bait, initiator: stranger.address },
    { chainId: 84_532, htlc },
  ).v3
  await inBlock(() => local.redeem({ ...swap, swapId: baitId.slice(2) }, secret))
  const leg = await chain.observeLeg(queryOf(swap, { hints }))
  expect(leg).toMatchObject({ initiated: { txid: transaction.txid }, redeemed: null })
})

async function fundStranger(sender: Sender): Promise<void> {
  await inBlock(() => sender.send(mint(sender.address, UNITS)))
  await inBlock(() => sender.send(tokenCall("approve", assetOf(wbtc).htlc[0] ?? "", UNITS)))
}

test("counts only configured contracts, even if the query or a hint names another", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  const { txid } = await perform(initiate(deposit))
  const hints = { initiateTx: txid, redeemTx: null, refundTx: null }
  const elsewhere = assets.map((asset) =>
    asset.id === wbtc ? { ...asset, htlc: [strangerAddress] } : asset,
  )
  const blind = createEvmChain({ ...options, assets: elsewhere })
  expect(await blind.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: null })
  expect(await blind.observeLeg(queryOf(swap, { hints, htlc: deposit.htlc }))).toMatchObject({
    initiated: null,
  })
  expect(await chain.observeLeg(queryOf(swap, { htlc: strangerAddress }))).toMatchObject({
    initiated: null,
  })
  expect(await chain.observeLeg(queryOf(swap, { htlc: deposit.htlc.toLowerCase() }))).toMatchObject(
    {
      initiated: { txid },
    },
  )
})

test("finds a leg by its hints if the node does not answer eth_getLogs", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const { txid } = await perform(initiate(deposit))
  const redeemTx = await inBlock(() => local.redeem(swap, secret))
  const node = await startProxy(local.url, (method) => (method === "eth_getLogs" ? REFUSED : null))
  const shut = createEvmChain({ ...options, rpc: [node.url] })
  await expect(shut.observeLeg(queryOf(swap))).rejects.toMatchObject({
    code: "evm.rpc",
    disposition: "transient",
  })
  const hints = { initiateTx: txid.slice(2), redeemTx, refundTx: null }
  expect(await shut.observeLeg(queryOf(swap, { hints }))).toMatchObject({
    initiated: { txid },
    redeemed: { secret },
  })
  await node.stop()
})

test("accepts a secret only if it hashes to the secret hash, and ignores events outside the query", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const other = await newOrder(wbtc)
  await perform(initiate(deposit))
  await approve()
  await perform(initiate(other.deposit))
  await inBlock(() => local.redeem(other.swap, other.secret))
  await inBlock(() => local.redeem(swap, secret))
  const filter = { address: requireAddress(deposit.htlc), fromBlock: "0x0" } as const
  const logs = await local.client.request({ method: "eth_getLogs", params: [filter] })
  const falsified = logs.map((log) => ({
    ...log,
    data: log.data.replace(secret, "00".repeat(32)) as Hex,
  })) // CAST: still hex.
  for (const [result, redeemed] of [
    [logs, { secret }],
    [falsified, null],
  ] as const) {
    const node = await startProxy(local.url, (method) =>
      method === "eth_getLogs" ? { result } : null,
    )
    const leg = await createEvmChain({ ...options, rpc: [node.url] }).observeLeg(queryOf(swap))
    expect(leg).toMatchObject({ initiated: { units: UNITS }, redeemed })
    await node.stop()
  }
})

test("asks for fewer blocks if the node limits eth_getLogs", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  const { txid } = await perform(initiate(deposit))
  await local.advance(200)
  const node = await startProxy(local.url, (method, [filter]) => {
    if (method !== "eth_getLogs") return null
    // CAST: our own request.
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string }
    return Number(toBlock) - Number(fromBlock) > 99
      ? { error: { code: -32_005, message: "query exceeds max block range 100" } }
      : null
  })
  const narrow = createEvmChain({ ...options, rpc: [node.url] })
  expect(await narrow.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid } })
  await node.stop()
})

test("begins the search at a hinted initiation that its id proves", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  await local.advance(30)
  const { txid } = await perform(initiate(deposit))
  await inBlock(() => local.redeem(swap, secret))
  const from: number[] = []
  const node = await startProxy(local.url, (method, [filter]) => {
    // CAST: our own request.
    if (method === "eth_getLogs") from.push(Number((filter as { fromBlock: string }).fromBlock))
    return null
  })
  const watched = createEvmChain({ ...options, rpc: [node.url] })
  const whole = { initiated: { txid }, redeemed: { secret } }
  const hints = { initiateTx: txid, redeemTx: null, refundTx: null }
  expect(await watched.observeLeg(queryOf(swap, { hints, fromHeight: 1n }))).toMatchObject(whole)
  expect(from).toEqual([Number((await chain.observeLeg(queryOf(swap))).initiated?.height)])
  // Without the timelock no id proves the order, so the search begins where the query says.
  expect(
    await watched.observeLeg(queryOf(swap, { hints, fromHeight: 1n, timelock: null })),
  ).toMatchObject(whole)
  expect(from.at(-1)).toBe(1)
  await node.stop()
})

test("excludes nothing and plans no deposit while one of two nodes denies a mined transaction", async () => {
  const nonce = await local.client.getTransactionCount({ address: requireAddress(chain.account) })
  const transaction = await approve()
  await local.advance(1)
  const denying = await startProxy(local.url, (method) => {
    if (method === "eth_getTransactionCount") return { result: `0x${nonce.toString(16)}` }
    return method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash"
      ? { result: null }
      : null
  })
  const { deposit } = await newOrder(wbtc)
  const both = createEvmChain({ ...options, rpc: [denying.url, local.url] })
  // The cautious reading: it may have landed, and nothing is final.
  const seen = { status: "mined", ok: true, final: false, seen: false }
  expect(await both.observeTransaction(transaction)).toMatchObject(seen)
  const disagreement = { code: "evm.disagreement", disposition: "transient" }
  await expect(both.planTransaction(initiate(deposit), NOTHING_RESERVED)).rejects.toMatchObject(
    disagreement,
  )
  // With a second honest node the lie is outvoted.
  useChain(createEvmChain({ ...options, rpc: [denying.url, local.url, local.url] }))
  expect(await chain.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    ok: true,
    final: true,
  })
  expect((await plan(initiate(deposit))).resources).toEqual([`nonce:${nonce + 1}`])
  await denying.stop()
})

test("never excludes a transaction of ours from a used nonce alone", async () => {
  const transaction = await approve()
  await local.advance(3)
  const noReceipts = (method: string) =>
    method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash"
      ? { result: null }
      : null
  const [node, pruned] = await Promise.all([
    startProxy(local.url, noReceipts),
    startProxy(local.url, (method, params) => {
      // The block of the read itself goes by its hash.
      const [, name] = params
      const isOld =
        method === "eth_getTransactionCount" &&
        typeof name === "string" &&
        name !== "latest" &&
        !isRecent(name)
      return isOld ? { error: { code: -32_000, message: "missing trie node" } } : noReceipts(method)
    }),
  ])
  const head = await local.height()
  function isRecent(name: string): boolean {
    return BigInt(name) >= head - 2n
  }
  const unnamed = { code: "evm.rival_unnamed", disposition: "transient" }
  for (const { url } of [node, pruned]) {
    const alone = createEvmChain({ ...options, rpc: [url] })
    await expect(alone.observeTransaction(transaction)).rejects.toMatchObject(unnamed)
    // The answer of the living endpoint counts, and it is not final, because it is one of two.
    const both = createEvmChain({ ...options, rpc: [url, local.url] })
    expect(await both.observeTransaction(transaction)).toMatchObject({
      status: "mined",
      final: false,
    })
  }
  await Promise.all([node.stop(), pruned.stop()])
})

test("compares addresses without letter case, and reads balances and fees", async () => {
  const { account } = chain
  expect(
    [account, account.toLowerCase(), `0x${"00".repeat(20)}`, account.slice(2), "x"].map(
      chain.isAddress,
    ),
  ).toEqual([true, true, false, false, false])
  expect(chain.sameAddress(account, account.toLowerCase())).toBe(true)
  expect(chain.sameAddress(account, strangerAddress)).toBe(false)
  expect(chain.sameAddress("x", "x")).toBe(false)
  expect(await chain.fetchBalance(wbtc, NOTHING_RESERVED)).toEqual({
    units: 10n * UNITS,
    spendableUnits: 10n * UNITS,
  })
  expect((await chain.fetchBalance(eth, NOTHING_RESERVED)).units > 9n * 10n ** 17n).toBe(true)
  const { depositUnits, refundUnits } = await chain.estimateFees(wbtc)
  expect(depositUnits > refundUnits && refundUnits > 0n).toBe(true)
})

const REFUSED = { error: { code: -32_601, message: "the method eth_getLogs is not available" } }
