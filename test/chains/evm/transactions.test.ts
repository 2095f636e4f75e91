import { encodeFunctionData, type Hex, type Log, recoverTypedDataAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import {
  decodeDeposit,
  deriveOrderIds,
  encodeInitiate,
  encodeRefund,
  htlcAbi,
} from "#chains/evm/htlc.ts"
import { readHtlcLogs, TOPICS } from "#chains/evm/legs/read-htlc-logs.ts"
import { hashOf } from "#chains/evm/legs/read-transaction.ts"
import { parseUnsigned } from "#chains/evm/spend/unsigned.ts"
import { toViem } from "#chains/evm/typed-data.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import type { TransactionObservation } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import {
  approve,
  assetOf,
  chain,
  inBlock,
  initiate,
  local,
  NOTHING_RESERVED,
  newOrder,
  options,
  perform,
  plan,
  queryOf,
  refusalOf,
  reopen,
  UNITS,
  useLocalChain,
} from "./local-scene.ts"
import { eth, sampleTerms, strangerAddress, wbtc } from "./sample-order.ts"
import { startProxy } from "./start-proxy.ts"

useLocalChain()

test("approves exactly the needed amount, and reduces a larger allowance to it", async () => {
  const spender = assetOf(wbtc).htlc[0] ?? ""
  expect(await chain.findMissingApproval(wbtc, spender, UNITS)).toEqual({ setUnits: UNITS })
  const { plan: planned } = await approve()
  expect(planned).toMatchObject({
    action: "approve",
    spends: [],
    attempt: 0,
    account: chain.account,
  })
  expect(await chain.findMissingApproval(wbtc, spender, UNITS)).toBeNull()
  expect(await chain.findMissingApproval(wbtc, spender, UNITS - 1n)).toEqual({
    setUnits: UNITS - 1n,
  })
  expect(await chain.findMissingApproval(eth, assetOf(eth).htlc[0] ?? "", UNITS)).toBeNull()
  const foreign = { action: "approve", asset: wbtc, spender: strangerAddress, units: 1n } as const
  await expect(chain.planTransaction(foreign, NOTHING_RESERVED)).rejects.toMatchObject({
    code: "evm.htlc_unknown",
  })
})

test.each([wbtc, eth])(
  "asks a node at most three times for the plan of a deposit of %s",
  async (asset) => {
    if (asset === wbtc) await approve()
    const { deposit } = await newOrder(asset)
    const proxy = await startProxy(local.url, () => null)
    try {
      reopen({ ...options, rpc: [proxy.url] })
      await chain.fetchHeight()
      const before = proxy.requests()
      await plan(initiate(deposit))
      expect(proxy.requests() - before).toBeLessThanOrEqual(3)
    } finally {
      await proxy.stop()
    }
  },
)

test.each([wbtc, eth])("plans, signs, sends and observes a deposit of %s", async (asset) => {
  if (asset === wbtc) await approve()
  const { swap, deposit, secret } = await newOrder(asset)
  const planned = await plan(initiate(deposit))
  const tx = parseUnsigned(planned.unsigned)
  expect(planned).toMatchObject({
    spends: [{ asset, units: UNITS }],
    resources: [`nonce:${tx.nonce}`],
  })
  expect(planned.maxFeeUnits).toBe(tx.gas * tx.maxFeePerGas)
  expect(JSON.parse(planned.unsigned)).toMatchObject({
    type: "eip1559",
    value: asset === eth ? "50000" : "0",
  })
  // The service's own gas limit lies between our estimate and the cap.
  expect(tx.gas).toBe(300_000n)

  const transaction = await chain.signTransaction(planned)
  expect(await chain.signTransaction(planned)).toEqual(transaction)
  expect(await chain.observeTransaction(transaction)).toEqual({ status: "unseen" })
  await chain.broadcastTransaction(transaction)
  expect(await chain.observeTransaction(transaction)).toEqual({ status: "pending" })
  await chain.broadcastTransaction(transaction) // the same bytes twice
  await local.advance(1)
  const at = await chain.fetchHeight()
  const mined = await chain.observeTransaction(transaction)
  expect(mined).toMatchObject({
    status: "mined",
    ok: true,
    confirmations: 1,
    final: false,
    height: at,
  })
  const feeUnits = "feeUnits" in mined ? mined.feeUnits : 0n
  expect(feeUnits > 0n && feeUnits <= planned.maxFeeUnits).toBe(true)
  await chain.broadcastTransaction(transaction) // and once more when mined
  await local.advance(1)
  expect(await chain.observeTransaction(transaction)).toMatchObject({
    status: "mined",
    confirmations: 2,
    final: true,
    height: at,
  })
  expect(await local.observeSwap(swap)).toMatchObject({
    initiated: { filledUnits: UNITS, txHash: transaction.txid },
  })

  await inBlock(() => local.redeem(swap, secret))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({
    initiated: { txid: transaction.txid, units: UNITS, final: true },
    redeemed: { secret, paidUnits: 0n, confirmations: 1, final: false },
    refunded: null,
    refundableAt: at + 20n + 1n,
  })
})

test("refunds a deposit after the timelock, for any swap id that the service reports", async () => {
  for (const asset of [wbtc, eth] as const) {
    if (asset === wbtc) await approve()
    const { swap, deposit } = await newOrder(asset)
    await perform(initiate(deposit))
    const refund = { action: "refund", asset, deposit, swapId: "ff".repeat(32) } as const
    expect(await refusalOf(refund)).toEqual(["evm.simulation_reverted"])
    // The ids of other versions are unknown to the contract; the answer is about the right one.
    expect(await chain.planTransaction(refund, NOTHING_RESERVED)).toMatchObject({
      refused: [{ reason: expect.stringMatching(/HTLC__OrderNotExpired\(\)$/) }],
    })
    const { refundableAt } = await chain.observeLeg(queryOf(swap))
    await local.advance(
      Number(mustExist(refundableAt, "refundableAt") - (await chain.fetchHeight())),
    )
    const planned = await plan(refund)
    expect(parseUnsigned(planned.unsigned).data).toBe(encodeRefund(`0x${swap.swapId}`))
    const transaction = await perform(refund)
    const [nonce = ""] = transaction.plan.resources
    const { feeUnits } = minedOf(await chain.observeTransaction(transaction))
    expect(await chain.uses?.readUse(nonce)).toEqual({
      txid: transaction.txid,
      action: "refund",
      feeUnits,
    })
    const leg = await chain.observeLeg(queryOf(swap))
    expect(leg).toMatchObject({
      redeemed: null,
      refunded: { txid: transaction.txid, paidUnits: UNITS, confirmations: 1 },
    })
  }
})

test("refuses, with numbers, a transaction that the account cannot pay or that would revert", async () => {
  const poor = await newOrder(wbtc, 11n * UNITS)
  const refused = await chain.planTransaction(initiate(poor.deposit), NOTHING_RESERVED)
  expect(refused).toMatchObject({
    refused: [
      { code: "funds.insufficient", asset: wbtc, needUnits: "550000", haveUnits: "500000" },
    ],
  })
  const { deposit } = await newOrder(wbtc)
  // nothing is approved
  expect(await refusalOf(initiate(deposit))).toEqual(["evm.simulation_reverted"])
  await approve()
  await local.setBalance(chain.account, 1_000n)
  expect(await refusalOf(initiate(deposit))).toEqual(["funds.insufficient"])
  const native = await newOrder(eth, 1_000n)
  expect(await chain.planTransaction(initiate(native.deposit), NOTHING_RESERVED)).toMatchObject({
    refused: [{ code: "funds.insufficient", asset: eth }],
  })
  await local.setBalance(chain.account, 10n ** 18n)
  reopen({ ...options, maxFeePerGasUnits: 1n })
  expect(await refusalOf(initiate(deposit))).toEqual(["fees.above_cap"])
  reopen({ ...options, maxGasLimit: 30_000n })
  expect(await refusalOf(initiate(deposit))).toEqual(["evm.gas_above_limit"])
})

test("uses its own gas limit if the service's limit is above the cap or below our estimate", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  for (const gasLimitClaim of ["2000001", "21000", "nonsense"]) {
    const extras = { ...deposit.extras, gasLimitClaim }
    const { gas } = parseUnsigned((await plan(initiate({ ...deposit, extras }))).unsigned)
    expect(gas > 100_000n && gas < 300_000n).toBe(true)
  }
})

test("uses the smallest unreserved nonce", async () => {
  const intent = {
    action: "approve",
    asset: wbtc,
    spender: assetOf(wbtc).htlc[0] ?? "",
    units: 1n,
  } as const
  const { resources } = await plan(intent)
  const first = Number(mustExist(resources[0], "resource").slice("nonce:".length))
  const reserved = new Set([`nonce:${first}`, `nonce:${first + 1}`, `nonce:${first + 3}`])
  expect((await plan(intent, reserved)).resources).toEqual([`nonce:${first + 2}`])
})

test("replaces the first attempt with a bump, and only one of the two lands", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  const first = await chain.signTransaction(await plan(initiate(deposit)))
  await chain.broadcastTransaction(first)
  const bumped = mustExist(await chain.planBump(first.plan), "bump")
  const old = parseUnsigned(first.plan.unsigned)
  const raised = parseUnsigned(bumped.unsigned)
  expect(raised).toMatchObject({ nonce: old.nonce, data: old.data, gas: old.gas })
  expect(raised.maxFeePerGas * 1_000n >= old.maxFeePerGas * 1_125n).toBe(true)
  expect(raised.maxPriorityFeePerGas * 1_000n >= old.maxPriorityFeePerGas * 1_125n).toBe(true)
  expect(bumped).toMatchObject({
    attempt: 1,
    resources: first.plan.resources,
    spends: first.plan.spends,
  })
  const second = await chain.signTransaction(bumped)
  await inBlock(() => chain.broadcastTransaction(second))
  expect(await chain.observeTransaction(second)).toMatchObject({ status: "mined", ok: true })
  expect(await chain.observeTransaction(first)).toEqual({
    status: "excluded",
    by: second.txid,
    final: false,
  })
  await local.advance(1)
  expect(await chain.observeTransaction(first)).toEqual({
    status: "excluded",
    by: second.txid,
    final: true,
  })
  await expect(chain.broadcastTransaction(first)).rejects.toMatchObject({
    disposition: "uncertain",
  })
  const capped = createEvmChain({ ...options, maxFeePerGasUnits: old.maxFeePerGas })
  expect(await capped.planBump(first.plan)).toBeNull()
})

test("uses the deposit's nonce for an empty void, within the fee cap too", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  // What no node has got need not be outbid.
  const usual = await plan(initiate(deposit))
  const tipOf = async (isUnsent: boolean): Promise<bigint> => {
    const { resources, unsigned } = await plan({ action: "void", voids: usual, isUnsent })
    expect(resources).toEqual(usual.resources)
    return parseUnsigned(unsigned).maxPriorityFeePerGas
  }
  expect(await tipOf(true)).toBeLessThan(await tipOf(false))
  // The cap is so low that the deposit offers its highest allowed fee.
  const { baseFeePerGas } = await local.client.getBlock()
  const cap = (mustExist(baseFeePerGas, "base fee") * 3n) / 2n
  reopen({ ...options, maxFeePerGasUnits: cap })
  const lost = await chain.signTransaction(await plan(initiate(deposit)))
  await chain.broadcastTransaction(lost)
  const rival = await chain.signTransaction(await plan({ action: "void", voids: lost.plan }))
  const tx = parseUnsigned(rival.plan.unsigned)
  expect(tx).toMatchObject({ to: chain.account, value: 0n, data: "0x" })
  expect(tx.maxFeePerGas <= cap).toBe(true)
  expect(rival.plan).toMatchObject({
    action: "void",
    attempt: 1,
    resources: lost.plan.resources,
    spends: [],
  })
  await inBlock(() => chain.broadcastTransaction(rival))
  await local.advance(1)
  expect(await chain.observeTransaction(lost)).toEqual({
    status: "excluded",
    by: rival.txid,
    final: true,
    isVoid: true,
  })
  const [nonce = ""] = lost.plan.resources
  const { feeUnits } = minedOf(await chain.observeTransaction(rival))
  expect(await chain.uses?.readUse(nonce)).toEqual({ txid: rival.txid, action: "void", feeUnits })
  // A fee above the caps is no fee of Ballast.
  reopen({ ...options, maxFeePerGasUnits: tx.maxFeePerGas - 1n })
  expect(await chain.uses?.readUse(nonce)).toMatchObject({ action: "void", feeUnits: null })
  expect(await local.observeSwap(swap)).toMatchObject({ initiated: null })
})

test.each([wbtc, eth])(
  "refuses a second deposit of %s with the same terms as one that exists",
  async (asset) => {
    if (asset === wbtc) await approve()
    const { deposit } = await newOrder(asset)
    await perform(initiate(deposit))
    expect(await chain.planTransaction(initiate(deposit), NOTHING_RESERVED)).toMatchObject({
      refused: [
        { code: "evm.order_exists", reason: expect.stringMatching(/HTLC__DuplicateOrder\(\)$/) },
      ],
    })
  },
)

test.each([wbtc, eth])(
  "sends the service's destination data with a deposit of %s, and observes one deposit",
  async (asset) => {
    if (asset === wbtc) await approve()
    const { swap, deposit, secret } = await newOrder(asset)
    const destinationData = `0x${"d5".repeat(40)}` as const
    const carrying = { ...deposit, extras: { ...deposit.extras, destinationData } }
    const transaction = await perform(initiate(carrying))
    const { data } = parseUnsigned(transaction.plan.unsigned)
    expect(decodeDeposit(data)).toMatchObject({ destinationData, initiator: null })
    const receipt = await local.client.getTransactionReceipt({ hash: hashOf(transaction) })
    const topics: (Hex | undefined)[] = receipt.logs.map((log: Log) => log.topics[0])
    expect(topics).toEqual(
      expect.arrayContaining([TOPICS.Initiated, TOPICS.InitiatedWithDestinationData]),
    )
    expect(readHtlcLogs(receipt.logs, [requireAddress(deposit.htlc)])).toMatchObject([
      { name: "Initiated", units: UNITS },
    ])
    await inBlock(() => local.redeem(swap, secret))
    expect(await chain.observeLeg(queryOf(swap))).toMatchObject({
      initiated: { txid: transaction.txid, units: UNITS },
      redeemed: { secret },
    })
  },
)

test("observes a deposit that another account paid on our behalf", async () => {
  const { swap } = await newOrder(eth)
  const { initiator, redeemer, timelock, units, secretHash } = swap
  const args = [
    requireAddress(initiator),
    requireAddress(redeemer),
    BigInt(timelock),
    BigInt(units),
  ] as const
  const hash: Hex = `0x${secretHash}`
  const data = encodeFunctionData({
    abi: htlcAbi,
    functionName: "initiateOnBehalf",
    args: [...args, hash],
  })
  const payer = privateKeyToAccount(generatePrivateKey())
  await local.setBalance(payer.address, 10n ** 18n)
  const call = { to: requireAddress(swap.extra["htlc"] ?? ""), data, value: BigInt(units) }
  const txid = await inBlock(() => createSender(local.client, payer).send(call))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid, units: UNITS } })
  // Without the timelock no id proves the terms, so the call itself must name the initiator.
  expect(await chain.observeLeg(queryOf(swap, { timelock: null }))).toMatchObject({
    initiated: { txid },
  })
})

test.each([
  ["another amount", { units: 1n }],
  ["another timelock", { timelock: 3n }],
  ["another redeemer", { redeemer: strangerAddress }],
])(
  "takes no order with %s that a stranger opened in our name for our deposit",
  async (_what, change) => {
    const { swap, deposit } = await newOrder(eth)
    const terms = {
      redeemer: requireAddress(swap.redeemer),
      timelock: BigInt(swap.timelock),
      units: UNITS,
      ...change,
    }
    const args = [
      requireAddress(chain.account),
      terms.redeemer,
      terms.timelock,
      terms.units,
    ] as const
    const hash: Hex = `0x${swap.secretHash}`
    const data = encodeFunctionData({
      abi: htlcAbi,
      functionName: "initiateOnBehalf",
      args: [...args, hash],
    })
    const payer = privateKeyToAccount(generatePrivateKey())
    await local.setBalance(payer.address, 10n ** 18n)
    const bait = await inBlock(() =>
      createSender(local.client, payer).send({
        to: requireAddress(deposit.htlc),
        data,
        value: terms.units,
      }),
    )
    const hints = { initiateTx: bait, redeemTx: null, refundTx: null }
    expect(await chain.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: null })
    const { txid } = await perform(initiate(deposit))
    expect(await chain.observeLeg(queryOf(swap, { hints }))).toMatchObject({
      initiated: { txid, units: UNITS },
    })
  },
)

test("refunds no stranger's order that the swap id names while our own deposit is locked", async () => {
  const { swap, deposit } = await newOrder(eth)
  await perform(initiate(deposit))
  const payer = privateKeyToAccount(generatePrivateKey())
  await local.setBalance(payer.address, 10n ** 18n)
  const htlc = requireAddress(deposit.htlc)
  const bait = { ...sampleTerms, timelock: 1n, units: 1n }
  await inBlock(() =>
    createSender(local.client, payer).send({ to: htlc, data: encodeInitiate(bait), value: 1n }),
  )
  await local.advance(3)
  const { v3 } = deriveOrderIds({ ...bait, initiator: payer.address }, { chainId: 84_532, htlc })
  const refund = { action: "refund", asset: eth, deposit } as const
  for (const swapId of [v3, swap.swapId]) {
    expect(await chain.planTransaction({ ...refund, swapId }, NOTHING_RESERVED)).toMatchObject({
      refused: [{ reason: expect.stringContaining("OrderNotExpired") }],
    })
  }
})

test("reports a deposit that reverts on chain as mined and not ok", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  const intent = initiate(deposit)
  const one = await plan(intent)
  const two = await plan(intent, new Set((await plan(intent)).resources))
  await chain.broadcastTransaction(await chain.signTransaction(one))
  const second = await chain.signTransaction(two)
  await inBlock(() => chain.broadcastTransaction(second))
  expect(await chain.observeTransaction(second)).toMatchObject({ status: "mined", ok: false })
})

test("signs a gasless deposit that the contract accepts from any relayer", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  const { digest, signature } = await chain.signTypedData(deposit)
  expect(digest).toMatch(/^0x[0-9a-f]{64}$/)
  // CAST: verified in newOrder.
  const typedData = toViem(deposit.extras["typedData"] as Parameters<typeof toViem>[0])
  expect(await recoverTypedDataAddress({ ...typedData, signature: signature as Hex })).toBe(
    chain.account,
  ) // CAST: hex.
  const txid = await inBlock(() => local.initiateWithSignature(swap, signature))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid, units: UNITS } })
  // With a contract of version 1 or an unknown version, the call itself names the initiator.
  const untold = queryOf(swap, { timelock: null })
  expect(await chain.observeLeg(untold)).toMatchObject({
    initiated: { txid },
    refundableAt: expect.any(BigInt),
  })
})

function minedOf(
  seen: TransactionObservation,
): Extract<TransactionObservation, { status: "mined" }> {
  if (seen.status !== "mined") throw new Error(`the transaction is ${seen.status}`)
  return seen
}
