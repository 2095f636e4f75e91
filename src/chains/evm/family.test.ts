import { randomBytes } from "node:crypto"
import { encodeFunctionData, type Hex, recoverTypedDataAddress } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { type Asset, parseAssetId } from "#domain/asset.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { present } from "#lib/assert.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createSender, type Sender } from "#sandbox/evm/create-sender.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { tokenAbi } from "#sandbox/evm/token-abi.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import type { ChainPort, LegQuery } from "../port.ts"
import { createEvmChain, type EvmChainOptions } from "./family.ts"
import { deriveOrderIds, encodeInitiate, encodeRefund } from "./htlc.ts"
import { asVerified, eth, hashOfSecret, noOrder, sampleOptions, strangerAddress, wbtc } from "./sample-order.ts"
import { startProxy } from "./start-proxy.ts"
import { toViem } from "./typed-data.ts"
import { parseUnsigned } from "./unsigned.ts"
import { requireAddress } from "./wallet.ts"

const UNITS = 50_000n
const NOBODY: ReadonlySet<string> = new Set()

let local: LocalEvmChain
let assets: readonly Asset[]
let chain: ChainPort
let options: EvmChainOptions

beforeAll(async () => {
  local = await startEvmChain({
    name: "base_sepolia",
    chainId: 84_532,
    port: 0,
    blockTimeSeconds: 3_600,
    timelocks: { source: 20, destination: 10 },
    assets: [
      { symbol: "eth", native: true },
      { symbol: "wbtc", decimals: 8 },
    ],
    log: silentLogger,
  })
  assets = local.assets.map(({ id, decimals, token, htlc }) => {
    return { id: parseAssetId(id), chain: sampleOptions([]).chain, decimals, token, htlc: [htlc] }
  })
})

beforeEach(async () => {
  await local.setMining("off")
  options = sampleOptions([local.url], { assets, key: new Secret(generatePrivateKey(), "env:EVM_KEY") })
  chain = createEvmChain(options)
  await local.setBalance(chain.account, 10n ** 18n)
  await inBlock(() => createSender(local.client, faucet()).send(mint(chain.account, 10n * UNITS)))
})

afterAll(() => local.stop())

function faucet() {
  return privateKeyToAccount(options.key.reveal() as Hex) // CAST: the options hold the key as hex.
}

function mint(to: string, units: bigint) {
  return tokenCall("mint", to, units)
}

function tokenCall(functionName: "mint" | "approve", party: string, units: bigint) {
  const args = [requireAddress(party), units] as const
  return {
    to: requireAddress(assetOf(wbtc).token ?? ""),
    data: encodeFunctionData({ abi: tokenAbi, functionName, args }),
  }
}

function assetOf(id: string): Asset {
  return present(
    assets.find((asset) => asset.id === id),
    id,
  )
}

/** Runs an action that sends a transaction, then mines a block. */
async function inBlock<T>(send: () => Promise<T>): Promise<T> {
  const sent = await send()
  await local.advance(1)
  return sent
}

type Order = { readonly swap: LocalSwap; readonly deposit: VerifiedDeposit; readonly secret: string }

async function newOrder(assetId: typeof wbtc, units = UNITS): Promise<Order> {
  const secret = randomBytes(32).toString("hex")
  const terms = { assetId, units, owner: chain.account, secretHash: hashOfSecret(secret), timelock: 20 }
  const { swap, response } = await local.describeSource(terms)
  const transaction = response["transaction"] as Record<string, string> // CAST: the sandbox's own answer.
  const request = {
    family: "evm",
    transaction: {
      to: transaction["to"] ?? "",
      valueUnits: BigInt(transaction["value"] ?? ""),
      data: transaction["data"] ?? "",
      gasLimit: BigInt(transaction["gas_limit"] ?? ""),
      chainId: BigInt(transaction["chain_id"] ?? ""),
    },
    approval: null,
    typedData: response["typed_data"],
  } as const
  return { swap, deposit: asVerified(chain.decodeDeposit(request, noOrder, assetId)), secret }
}

async function plan(intent: TransactionRequest, reserved = NOBODY): Promise<TransactionPlan> {
  const planned = await chain.planTransaction(intent, reserved)
  if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
  return planned
}

async function refusalOf(intent: TransactionRequest): Promise<string[]> {
  const planned = await chain.planTransaction(intent, NOBODY)
  return "refused" in planned ? planned.refused.map(({ code }) => code) : []
}

async function perform(intent: TransactionRequest): Promise<SignedTransaction> {
  const transaction = await chain.signTransaction(await plan(intent))
  await inBlock(() => chain.broadcastTransaction(transaction))
  return transaction
}

async function approve(units = UNITS): Promise<SignedTransaction> {
  return perform({ action: "approve", asset: wbtc, spender: assetOf(wbtc).htlc[0] ?? "", units })
}

function initiate(deposit: VerifiedDeposit): TransactionRequest {
  return { action: "initiate", asset: present(deposit.asset, "asset"), deposit }
}

function queryOf(swap: LocalSwap, change: Partial<LegQuery> = {}): LegQuery {
  return {
    side: swap.side,
    asset: parseAssetId(swap.asset),
    htlc: null,
    secretHash: swap.secretHash,
    units: BigInt(swap.units),
    owner: swap.owner,
    initiator: swap.initiator,
    redeemer: swap.redeemer,
    timelock: BigInt(swap.timelock),
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: BigInt(swap.extra["fromHeight"] ?? ""),
    ...change,
  }
}

test("approves exactly the needed amount, and reduces a larger allowance to it", async () => {
  const spender = assetOf(wbtc).htlc[0] ?? ""
  expect(await chain.findMissingApproval(wbtc, spender, UNITS)).toEqual({ setUnits: UNITS })
  const { plan: planned } = await approve()
  expect(planned).toMatchObject({ action: "approve", spends: [], attempt: 0, account: chain.account })
  expect(await chain.findMissingApproval(wbtc, spender, UNITS)).toBeNull()
  expect(await chain.findMissingApproval(wbtc, spender, UNITS - 1n)).toEqual({ setUnits: UNITS - 1n })
  expect(await chain.findMissingApproval(eth, assetOf(eth).htlc[0] ?? "", UNITS)).toBeNull()
  const foreign = { action: "approve", asset: wbtc, spender: strangerAddress, units: 1n } as const
  await expect(chain.planTransaction(foreign, NOBODY)).rejects.toMatchObject({ code: "evm.htlc_unknown" })
})

test.each([wbtc, eth])("plans, signs, sends and observes a deposit of %s", async (asset) => {
  if (asset === wbtc) await approve()
  const { swap, deposit, secret } = await newOrder(asset)
  const planned = await plan(initiate(deposit))
  const tx = parseUnsigned(planned.unsigned)
  expect(planned).toMatchObject({ spends: [{ asset, units: UNITS }], resources: [`nonce:${tx.nonce}`] })
  expect(planned.maxFeeUnits).toBe(tx.gas * tx.maxFeePerGas)
  expect(JSON.parse(planned.unsigned)).toMatchObject({ type: "eip1559", value: asset === eth ? "50000" : "0" })
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
  expect(mined).toMatchObject({ status: "mined", ok: true, confirmations: 1, final: false, height: at })
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
  expect(await local.observeSwap(swap)).toMatchObject({ initiated: { filledUnits: UNITS, txHash: transaction.txid } })

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
    const { refundableAt } = await chain.observeLeg(queryOf(swap))
    await local.advance(Number(present(refundableAt, "refundableAt") - (await chain.fetchHeight())))
    const planned = await plan(refund)
    expect(parseUnsigned(planned.unsigned).data).toBe(encodeRefund(`0x${swap.swapId}`))
    const transaction = await perform(refund)
    const leg = await chain.observeLeg(queryOf(swap))
    expect(leg).toMatchObject({
      redeemed: null,
      refunded: { txid: transaction.txid, paidUnits: UNITS, confirmations: 1 },
    })
  }
})

test("refuses, with numbers, a transaction that the account cannot pay or that would revert", async () => {
  const poor = await newOrder(wbtc, 11n * UNITS)
  const refused = await chain.planTransaction(initiate(poor.deposit), NOBODY)
  expect(refused).toMatchObject({
    refused: [{ code: "funds.insufficient", asset: wbtc, needUnits: "550000", haveUnits: "500000" }],
  })
  const { deposit } = await newOrder(wbtc)
  expect(await refusalOf(initiate(deposit))).toEqual(["evm.simulation_reverted"]) // nothing is approved
  await approve()
  await local.setBalance(chain.account, 1_000n)
  expect(await refusalOf(initiate(deposit))).toEqual(["funds.insufficient"])
  const native = await newOrder(eth, 1_000n)
  expect(await chain.planTransaction(initiate(native.deposit), NOBODY)).toMatchObject({
    refused: [{ code: "funds.insufficient", asset: eth }],
  })
  await local.setBalance(chain.account, 10n ** 18n)
  chain = createEvmChain({ ...options, maxFeePerGasUnits: 1n })
  expect(await refusalOf(initiate(deposit))).toEqual(["fees.above_cap"])
  chain = createEvmChain({ ...options, maxGasLimit: 30_000n })
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
  const intent = { action: "approve", asset: wbtc, spender: assetOf(wbtc).htlc[0] ?? "", units: 1n } as const
  const { resources } = await plan(intent)
  const first = Number(present(resources[0], "resource").slice("nonce:".length))
  const reserved = new Set([`nonce:${first}`, `nonce:${first + 1}`, `nonce:${first + 3}`])
  expect((await plan(intent, reserved)).resources).toEqual([`nonce:${first + 2}`])
})

test("replaces the first attempt with a bump, and only one of the two lands", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  const first = await chain.signTransaction(await plan(initiate(deposit)))
  await chain.broadcastTransaction(first)
  const bumped = present(await chain.planBump(first.plan), "bump")
  const [old, raised] = [parseUnsigned(first.plan.unsigned), parseUnsigned(bumped.unsigned)]
  expect(raised).toMatchObject({ nonce: old.nonce, data: old.data, gas: old.gas })
  expect(raised.maxFeePerGas * 1_000n >= old.maxFeePerGas * 1_125n).toBe(true)
  expect(raised.maxPriorityFeePerGas * 1_000n >= old.maxPriorityFeePerGas * 1_125n).toBe(true)
  expect(bumped).toMatchObject({ attempt: 1, resources: first.plan.resources, spends: first.plan.spends })
  const second = await chain.signTransaction(bumped)
  await inBlock(() => chain.broadcastTransaction(second))
  expect(await chain.observeTransaction(second)).toMatchObject({ status: "mined", ok: true })
  expect(await chain.observeTransaction(first)).toEqual({ status: "excluded", by: second.txid, final: false })
  await local.advance(1)
  expect(await chain.observeTransaction(first)).toEqual({ status: "excluded", by: second.txid, final: true })
  await expect(chain.broadcastTransaction(first)).rejects.toMatchObject({ disposition: "uncertain" })
  const capped = createEvmChain({ ...options, maxFeePerGasUnits: old.maxFeePerGas })
  expect(await capped.planBump(first.plan)).toBeNull()
})

test("uses the deposit's nonce for an empty void, within the fee cap too", async () => {
  await approve()
  const { swap, deposit } = await newOrder(wbtc)
  // The cap is so low that the deposit offers its highest allowed fee.
  const { baseFeePerGas } = await local.client.getBlock()
  const cap = (present(baseFeePerGas, "base fee") * 3n) / 2n
  chain = createEvmChain({ ...options, maxFeePerGasUnits: cap })
  const lost = await chain.signTransaction(await plan(initiate(deposit)))
  await chain.broadcastTransaction(lost)
  const rival = await chain.signTransaction(await plan({ action: "void", voids: lost.plan }))
  const tx = parseUnsigned(rival.plan.unsigned)
  expect(tx).toMatchObject({ to: chain.account, value: 0n, data: "0x" })
  expect(tx.maxFeePerGas <= cap).toBe(true)
  expect(rival.plan).toMatchObject({ action: "void", attempt: 1, resources: lost.plan.resources, spends: [] })
  await inBlock(() => chain.broadcastTransaction(rival))
  await local.advance(1)
  expect(await chain.observeTransaction(lost)).toEqual({ status: "excluded", by: rival.txid, final: true })
  expect(await local.observeSwap(swap)).toMatchObject({ initiated: null })
})

test("reports a deposit that reverts on chain as mined and not ok", async () => {
  await approve()
  const { deposit } = await newOrder(wbtc)
  const intent = initiate(deposit)
  const [one, two] = [await plan(intent), await plan(intent, new Set((await plan(intent)).resources))]
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
  const typedData = toViem(deposit.extras["typedData"] as Parameters<typeof toViem>[0]) // CAST: verified in newOrder.
  expect(await recoverTypedDataAddress({ ...typedData, signature: signature as Hex })).toBe(chain.account) // CAST: hex.
  const txid = await inBlock(() => local.initiateWithSignature(swap, signature))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid, units: UNITS } })
  // With a contract of version 1 or an unknown version, the call itself names the initiator.
  const untold = queryOf(swap, { timelock: null })
  expect(await chain.observeLeg(untold)).toMatchObject({ initiated: { txid }, refundableAt: expect.any(BigInt) })
})

test.each([wbtc, eth])("observes that a destination leg of %s pays its owner", async (assetId) => {
  const secret = randomBytes(32).toString("hex")
  const terms = { assetId, units: UNITS, owner: strangerAddress, secretHash: hashOfSecret(secret), timelock: 10 }
  const swap = await local.describeDestination(terms)
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ initiated: null, redeemed: null, refundableAt: null })
  const initiated = await inBlock(() => local.initiate(swap))
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid: initiated }, redeemed: null })
  expect(await chain.observeLeg(queryOf(swap, { units: UNITS + 1n }))).toMatchObject({ initiated: null })
  const redeemed = await inBlock(() => local.redeem(swap, secret))
  const whole = { initiated: { units: UNITS }, redeemed: { txid: redeemed, paidUnits: UNITS, secret } }
  expect(await chain.observeLeg(queryOf(swap))).toMatchObject(whole)
  expect(await chain.observeLeg(queryOf(swap, { initiator: null, timelock: null }))).toMatchObject(whole)
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
  const bait = { redeemer: requireAddress(swap.redeemer), timelock: 20n, units: UNITS, secretHash: swap.secretHash }
  const txid = await inBlock(() => griefer.send({ to: htlc, data: encodeInitiate(bait) }))
  const hints = { initiateTx: txid, redeemTx: null, refundTx: null }
  expect(await chain.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: null })
  const transaction = await perform(initiate(deposit))
  const baitId = deriveOrderIds({ ...bait, initiator: stranger.address }, { chainId: 84_532, htlc }).v2
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
  const elsewhere = assets.map((asset) => (asset.id === wbtc ? { ...asset, htlc: [strangerAddress] } : asset))
  const blind = createEvmChain({ ...options, assets: elsewhere })
  expect(await blind.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: null })
  expect(await blind.observeLeg(queryOf(swap, { hints, htlc: deposit.htlc }))).toMatchObject({ initiated: null })
  expect(await chain.observeLeg(queryOf(swap, { htlc: strangerAddress }))).toMatchObject({ initiated: null })
  expect(await chain.observeLeg(queryOf(swap, { htlc: deposit.htlc.toLowerCase() }))).toMatchObject({
    initiated: { txid },
  })
})

test("finds a leg by its hints if the node does not answer eth_getLogs", async () => {
  await approve()
  const { swap, deposit, secret } = await newOrder(wbtc)
  const { txid } = await perform(initiate(deposit))
  const redeemTx = await inBlock(() => local.redeem(swap, secret))
  const node = await startProxy(local.url, (method) => (method === "eth_getLogs" ? REFUSED : null))
  const shut = createEvmChain({ ...options, rpc: [node.url] })
  await expect(shut.observeLeg(queryOf(swap))).rejects.toMatchObject({ code: "evm.rpc", disposition: "hold" })
  const hints = { initiateTx: txid.slice(2), redeemTx, refundTx: null }
  expect(await shut.observeLeg(queryOf(swap, { hints }))).toMatchObject({ initiated: { txid }, redeemed: { secret } })
  await node.stop()
})

test("accepts a secret only if it hashes to the secret hash, and ignores events outside the query", async () => {
  await approve()
  const [{ swap, deposit, secret }, other] = [await newOrder(wbtc), await newOrder(wbtc)]
  await perform(initiate(deposit))
  await approve()
  await perform(initiate(other.deposit))
  await inBlock(() => local.redeem(other.swap, other.secret))
  await inBlock(() => local.redeem(swap, secret))
  const filter = { address: requireAddress(deposit.htlc), fromBlock: "0x0" } as const
  const logs = await local.client.request({ method: "eth_getLogs", params: [filter] })
  const falsified = logs.map((log) => ({ ...log, data: log.data.replace(secret, "00".repeat(32)) as Hex })) // CAST: still hex.
  for (const [result, redeemed] of [
    [logs, { secret }],
    [falsified, null],
  ] as const) {
    const node = await startProxy(local.url, (method) => (method === "eth_getLogs" ? { result } : null))
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
    const { fromBlock, toBlock } = filter as { fromBlock: string; toBlock: string } // CAST: our own request.
    return Number(toBlock) - Number(fromBlock) > 99
      ? { error: { code: -32_005, message: "query exceeds max block range 100" } }
      : null
  })
  const narrow = createEvmChain({ ...options, rpc: [node.url] })
  expect(await narrow.observeLeg(queryOf(swap))).toMatchObject({ initiated: { txid } })
  await node.stop()
})

test("does not exclude a mined deposit or reuse an old nonce because one node lags", async () => {
  const before = await chain.fetchHeight()
  const nonce = await local.client.getTransactionCount({ address: requireAddress(chain.account) })
  const transaction = await approve()
  await local.advance(1)
  const late = await startProxy(local.url, (method) => {
    if (method === "eth_blockNumber") return { result: `0x${before.toString(16)}` }
    if (method === "eth_getTransactionCount") return { result: `0x${nonce.toString(16)}` }
    return method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash" ? { result: null } : null
  })
  const both = createEvmChain({ ...options, rpc: [late.url, local.url] })
  expect(await both.observeTransaction(transaction)).toMatchObject({ status: "mined", ok: true, final: true })
  chain = both
  const next = await plan({ action: "approve", asset: wbtc, spender: assetOf(wbtc).htlc[0] ?? "", units: 1n })
  expect(next.resources).toEqual([`nonce:${nonce + 1}`])
  await late.stop()
})

test("does not exclude our transaction if a node counts its nonce but has no receipt yet", async () => {
  const transaction = await approve()
  await local.advance(3)
  const noReceipts = (method: string) =>
    method === "eth_getTransactionReceipt" || method === "eth_getTransactionByHash" ? { result: null } : null
  const [node, pruned] = await Promise.all([
    startProxy(local.url, noReceipts),
    startProxy(local.url, (method, params) => {
      const old = method === "eth_getTransactionCount" && params[1] !== "latest"
      return old ? { error: { code: -32_000, message: "missing trie node" } } : noReceipts(method)
    }),
  ])
  expect(await createEvmChain({ ...options, rpc: [node.url] }).observeTransaction(transaction)).toEqual({
    status: "pending",
  })
  // Without old states there is no proof, so it is not final.
  const unproven = { status: "excluded", by: "unknown", final: false }
  expect(await createEvmChain({ ...options, rpc: [pruned.url] }).observeTransaction(transaction)).toEqual(unproven)
  // If another endpoint is silent, that endpoint may know the receipt.
  const unreachable = createEvmChain({ ...options, rpc: [pruned.url, "http://127.0.0.1:1"] })
  await expect(unreachable.observeTransaction(transaction)).rejects.toMatchObject({
    code: "evm.unobserved",
    disposition: "transient",
  })
  await Promise.all([node.stop(), pruned.stop()])
})

test("compares addresses without letter case, and reads balances and fees", async () => {
  const { account } = chain
  expect([account, account.toLowerCase(), `0x${"00".repeat(20)}`, account.slice(2), "x"].map(chain.isAddress)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  expect(chain.sameAddress(account, account.toLowerCase())).toBe(true)
  expect(chain.sameAddress(account, strangerAddress)).toBe(false)
  expect(chain.sameAddress("x", "x")).toBe(false)
  expect(await chain.fetchBalance(wbtc, NOBODY)).toEqual({ units: 10n * UNITS, spendableUnits: 10n * UNITS })
  expect((await chain.fetchBalance(eth, NOBODY)).units > 9n * 10n ** 17n).toBe(true)
  const { depositUnits, refundUnits } = await chain.estimateFees(wbtc)
  expect(depositUnits > refundUnits && refundUnits > 0n).toBe(true)
})

const REFUSED = { error: { code: -32_601, message: "the method eth_getLogs is not available" } }
