import { createHash, randomBytes } from "node:crypto"
import { encodeFunctionData, type Hex, isHex, parseAbi, parseTransaction } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import { type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { MoveIntent, MoveObservation, MovePlan, SignedMove } from "#domain/move.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { callAnvil } from "#sandbox/evm/call-anvil.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { htlcAbi as sandboxAbi } from "#sandbox/evm/htlc-abi.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import type { ChainPort, LegQuery } from "../port.ts"
import { createEvmChain } from "./family.ts"
import { deriveOrderIds, htlcAbi, tokenAbi } from "./htlc.ts"
import { sampleOrder, toClaim } from "./sample-claim.ts"

const CHAIN = toChainId("base_sepolia")
const WBTC = parseAssetId("base_sepolia:wbtc")
const ETH = parseAssetId("base_sepolia:eth")
const UNITS = 50_000n
const TIMELOCK = 20
const NONE: ReadonlySet<string> = new Set()
const ONE_ETH = 10n ** 18n

let local: LocalEvmChain
let key: Hex
let port: ChainPort

beforeAll(async () => {
  const assets = [{ symbol: "eth", native: true } as const, { symbol: "wbtc", decimals: 8 }]
  local = await startEvmChain({
    name: CHAIN,
    chainId: 84532,
    port: 0,
    blockTimeSeconds: 0.1,
    timelocks: { source: TIMELOCK, destination: 10 },
    assets,
    log: silentLogger,
  })
})

afterAll(() => local.stop())

beforeEach(async () => {
  await local.setMining("off")
  key = generatePrivateKey()
  port = openPort()
  await local.setBalance(port.account, ONE_ETH)
})

describe("a deposit from an EVM chain", () => {
  test("is approved exactly, decoded, planned, signed, sent, seen by both sides, and redeemed", async () => {
    const { swap, secret, deposit } = await openSource(WBTC)
    expect(deposit).toMatchObject({ units: UNITS, redeemer: swap.redeemer, asset: WBTC, timelock: BigInt(TIMELOCK) })
    expect(deposit).toMatchObject({ secretHash: swap.secretHash, refundTo: port.account, findings: [] })
    expect(await port.findMissingApproval(WBTC, deposit.htlc, UNITS)).toEqual({ setUnits: UNITS })
    const approval = { purpose: "approve", asset: WBTC, spender: deposit.htlc, units: UNITS } as const
    expect(await sendAndMine(await plan(approval))).toMatchObject({ status: "mined", ok: true })
    expect(await port.findMissingApproval(WBTC, deposit.htlc, UNITS)).toBe(null)

    const planned = await plan({ purpose: "initiate", asset: WBTC, deposit })
    expect(planned).toMatchObject({ claims: ["nonce:1"], spends: [{ asset: WBTC, units: UNITS }], attempt: 0 })
    const move = await port.signMove(planned)
    expect(await port.signMove(planned)).toEqual(move)
    expect(await port.observeMove(move)).toEqual({ status: "unseen" })
    await port.broadcastMove(move)
    await port.broadcastMove(move)
    expect(await port.observeMove(move)).toEqual({ status: "pending" })
    await local.advance(1)
    await port.broadcastMove(move)
    const mined = await port.observeMove(move)
    expect(mined).toMatchObject({ status: "mined", ok: true, confirmations: 1, final: true })
    expect(mined.status === "mined" && mined.feeUnits > 0n && mined.feeUnits <= planned.maxFeeUnits).toBe(true)
    expect((await local.look(swap)).initiated).toMatchObject({ txHash: move.txid, filledUnits: UNITS })
    expect(await port.findMissingApproval(WBTC, deposit.htlc, 0n)).toBe(null)
    expect(await port.fetchBalance(WBTC, NONE)).toEqual({ units: 0n, spendableUnits: 0n })

    const query = sourceQuery(swap, deposit)
    const locked = await port.observeLeg(query)
    expect(locked).toMatchObject({ initiated: { txid: move.txid, units: UNITS, final: true }, redeemed: null })
    expect(locked.refundableAt).toBe((locked.initiated?.height ?? 0n) + BigInt(TIMELOCK) + 1n)
    const redeemTx = await local.redeem(swap, secret)
    await local.advance(1)
    expect((await port.observeLeg(query)).redeemed).toMatchObject({ txid: redeemTx, secret, paidUnits: 0n })
  })

  test.each([WBTC, ETH])("in %s is refunded to us after its timelock, and not before", async (asset) => {
    const { swap, deposit } = await openSource(asset)
    await initiate(asset, deposit)
    const intent = { purpose: "refund", asset, deposit, swapId: swap.swapId } as const
    expect(await refusals(intent)).toEqual(["evm.simulation_reverted"])
    await local.advance(TIMELOCK + 1)
    const query = sourceQuery(swap, deposit)
    const due = await port.observeLeg(query)
    expect(due.refundableAt !== null && due.height >= due.refundableAt).toBe(true)
    // The service's id is a claim: a wrong one does not keep us from our refund.
    const planned = await plan({ ...intent, swapId: "00".repeat(32) })
    expect(planned.spends).toEqual([])
    expect(await sendAndMine(planned)).toMatchObject({ ok: true })
    const { refunded, redeemed } = await port.observeLeg(query)
    expect(refunded).toMatchObject({ paidUnits: UNITS, confirmations: 1 })
    expect(redeemed).toBe(null)
  })

  test("in the native asset sends its amount as value and needs no approval", async () => {
    const { swap, deposit } = await openSource(ETH)
    expect(deposit.extras["typedData"]).toBe(null)
    expect(await port.findMissingApproval(ETH, deposit.htlc, UNITS)).toBe(null)
    await initiate(ETH, deposit)
    expect((await local.look(swap)).initiated?.filledUnits).toBe(UNITS)
    await expect(port.signTypedData(deposit)).rejects.toMatchObject({ code: "signer.gasless_unsupported" })
  })

  test("is accepted by the contract on our typed-data signature", async () => {
    const { swap, deposit } = await openSource(WBTC)
    await approve(deposit.htlc)
    const signed = await port.signTypedData(throughJournal(deposit))
    expect(await port.signTypedData(deposit)).toEqual(signed)
    expect(signed.signature).toMatch(/^0x[0-9a-f]{130}$/)
    const txid = await local.initiateWithSignature(swap, signed.signature)
    await local.advance(1)
    expect((await port.observeLeg(sourceQuery(swap, deposit))).initiated).toMatchObject({ txid, units: UNITS })
  })

  test("signs no typed data that was changed after it was verified", async () => {
    const { deposit } = await openSource(WBTC)
    const dearer = verified({ ...deposit, units: UNITS + 1n })
    await expect(port.signTypedData(dearer)).rejects.toMatchObject({
      code: "signer.typed_data",
      disposition: "refused",
    })
    const elsewhere = verified({ ...deposit, htlc: port.account })
    await expect(port.signTypedData(elsewhere)).rejects.toMatchObject({ code: "signer.typed_data" })
    const unconfigured = openPort({ htlcs: [] }).signTypedData(deposit)
    await expect(unconfigured).rejects.toMatchObject({ code: "signer.typed_data" })
  })
})

describe("planning", () => {
  test("takes the smallest nonce that nobody holds", async () => {
    const { deposit } = await openSource(ETH)
    const claims = async (reserved: string[]) =>
      (await plan({ purpose: "initiate", asset: ETH, deposit }, new Set(reserved))).claims
    expect(await claims([])).toEqual(["nonce:0"])
    expect(await claims(["nonce:0", "nonce:1", "nonce:3"])).toEqual(["nonce:2"])
  })

  test("refuses what cannot be paid, with the numbers", async () => {
    const { deposit } = await openSource(ETH)
    await local.setBalance(port.account, UNITS - 1n)
    const intent = { purpose: "initiate", asset: ETH, deposit } as const
    const short = { code: "funds.insufficient", haveUnits: `${UNITS - 1n}`, needUnits: `${UNITS}` }
    expect(await port.planMove(intent, NONE)).toMatchObject({ refused: [short] })
    await local.setBalance(port.account, UNITS)
    expect(await refusals(intent)).toEqual(["funds.gas"])
    const token = await openSource(WBTC)
    await approve(token.deposit.htlc, 2n * UNITS)
    const more = verified({ ...token.deposit, units: 2n * UNITS })
    expect(await refusals({ purpose: "initiate", asset: WBTC, deposit: more })).toEqual(["funds.insufficient"])
  })

  test("refuses what would revert, with the contract's reason", async () => {
    const { deposit } = await openSource(WBTC)
    const outcome = await port.planMove({ purpose: "initiate", asset: WBTC, deposit }, NONE)
    const reason = expect.stringMatching(/^InsufficientAllowance\(/)
    expect(outcome).toMatchObject({ refused: [{ code: "evm.simulation_reverted", reason }] })
  })

  test("refuses above the fee cap and above the gas cap, and stays below both otherwise", async () => {
    const { deposit } = await openSource(ETH)
    const intent = { purpose: "initiate", asset: ETH, deposit } as const
    port = openPort({ maxFeePerGasUnits: 1n })
    expect(await refusals(intent)).toEqual(["fees.above_cap"])
    port = openPort({ maxGasLimit: 50_000n })
    expect(await refusals(intent)).toEqual(["fees.gas_above_cap"])
    port = openPort({ maxGasLimit: 200_000n })
    const greedy = verified({ ...deposit, extras: { ...deposit.extras, gasLimitClaim: "5000000" } })
    expect(unsignedOf(await plan({ ...intent, deposit: greedy })).gas).toBeLessThanOrEqual(200_000n)
    const generous = verified({ ...deposit, extras: { ...deposit.extras, gasLimitClaim: "199999" } })
    expect(unsignedOf(await plan({ ...intent, deposit: generous })).gas).toBe(199_999n)
  })

  test("never approves for or deposits into what is not configured", async () => {
    const { deposit } = await openSource(WBTC)
    const stranger = local.solver
    const approval = { purpose: "approve", asset: WBTC, spender: stranger, units: 1n } as const
    await expect(port.planMove(approval, NONE)).rejects.toMatchObject({ disposition: "refused" })
    const elsewhere = verified({ ...deposit, htlc: stranger })
    const foreign = port.planMove({ purpose: "initiate", asset: WBTC, deposit: elsewhere }, NONE)
    await expect(foreign).rejects.toMatchObject({ code: "evm.htlc_unknown" })
    const anothers = verified({ ...deposit, refundTo: stranger })
    const theirs = port.planMove({ purpose: "initiate", asset: WBTC, deposit: anothers }, NONE)
    await expect(theirs).rejects.toMatchObject({ code: "evm.foreign_deposit" })
  })
})

describe("a sent transaction", () => {
  test("is replaced by its bump, which then excludes it", async () => {
    const first = await sendInitiate()
    const bumped = await bump(first.plan)
    expect(bumped).toMatchObject({ attempt: 1, claims: first.plan.claims, spends: first.plan.spends })
    const [old, next] = [first.plan, bumped].map(unsignedOf)
    for (const fee of ["maxFeePerGas", "maxPriorityFeePerGas"] as const) {
      expect(((next?.[fee] ?? 0n) * 1_000n) / (old?.[fee] ?? 1n)).toBeGreaterThanOrEqual(1_125n)
    }
    const second = await port.signMove(bumped)
    await port.broadcastMove(second)
    await local.advance(1)
    expect(await port.observeMove(second)).toMatchObject({ status: "mined", ok: true })
    expect(await port.observeMove(first)).toEqual({ status: "excluded", by: "unknown", final: true })
    await expect(port.broadcastMove(first)).rejects.toMatchObject({ disposition: "uncertain" })
  })

  test("is not bumped above the cap", async () => {
    const first = await sendInitiate()
    const { maxFeePerGas = 0n } = unsignedOf(first.plan)
    expect(await openPort({ maxFeePerGasUnits: maxFeePerGas }).planBump(first.plan)).toBe(null)
  })

  test("is made harmless by a void with its nonce, finally once that is deep enough", async () => {
    port = openPort({ confirmations: 3 })
    const { swap, move } = await sendDeposit()
    const voided = await plan({ purpose: "void", voids: move.plan })
    expect(voided).toMatchObject({ purpose: "void", claims: move.plan.claims, spends: [] })
    expect(unsignedOf(voided)).toMatchObject({ to: port.account.toLowerCase(), gas: 21_000n, nonce: 1 })
    const signed = await port.signMove(voided)
    await port.broadcastMove(signed)
    await local.advance(1)
    expect(await port.observeMove(signed)).toMatchObject({ status: "mined", ok: true, final: false })
    expect(await port.observeMove(move)).toMatchObject({ status: "excluded", final: false })
    await local.advance(2)
    expect(await port.observeMove(move)).toMatchObject({ status: "excluded", final: true })
    expect((await local.look(swap)).initiated).toBe(null)
  })

  test("that fails on chain is mined but not ok", async () => {
    const { move } = await sendDeposit({ send: false })
    // The allowance is used up by the contract itself between planning and sending.
    const { token, htlc } = assetOf(WBTC)
    const data = encodeFunctionData({ abi: TRANSFER_FROM, args: [asHex(port.account), local.solver, UNITS] })
    await callAnvil(local.client, "anvil_impersonateAccount", [htlc])
    await local.setBalance(htlc, ONE_ETH)
    await callAnvil(local.client, "eth_sendTransaction", [{ from: htlc, to: token, data }])
    await local.advance(1)
    await port.broadcastMove(move)
    await local.advance(1)
    expect(await port.observeMove(move)).toMatchObject({ status: "mined", ok: false })
  })
})

describe("a leg", () => {
  test.each([WBTC, ETH])("on the destination side in %s shows the payout to its owner", async (asset) => {
    const { swap, secret, query } = await openDestination(asset)
    expect(await port.observeLeg(query)).toMatchObject({ initiated: null, redeemed: null, refunded: null })
    const initiateTx = await local.initiate(swap)
    await local.advance(1)
    const redeemTx = await local.redeem(swap, secret)
    await local.advance(3)
    const seen = await port.observeLeg(query)
    expect(seen).toMatchObject({ initiated: { txid: initiateTx, units: UNITS, confirmations: 4 } })
    expect(seen.redeemed).toMatchObject({ txid: redeemTx, paidUnits: UNITS, secret, confirmations: 3, final: true })
    const hinted = { ...query, fromHeight: seen.height, hints: { initiateTx, redeemTx, refundTx: "nonsense" } }
    expect(await port.observeLeg(hinted)).toEqual(seen)
    // Without the parties the id cannot be derived, and what is on chain still says who was paid.
    const vague = { ...query, initiator: null, redeemer: null }
    expect((await port.observeLeg(vague)).redeemed?.paidUnits).toBe(UNITS)
    const stranger = await port.observeLeg({ ...vague, owner: local.solver })
    expect(stranger.redeemed?.paidUnits).not.toBe(UNITS)
  })

  test("is not believed from a contract that is not configured, even when a hint names it", async () => {
    const { swap, query } = await openDestination(WBTC)
    const initiateTx = await local.initiate(swap)
    await local.advance(1)
    const hints = { ...query.hints, initiateTx }
    expect((await port.observeLeg({ ...query, hints, htlc: assetOf(ETH).htlc })).initiated).toBe(null)
    expect((await port.observeLeg({ ...query, hints, asset: ETH })).initiated).toBe(null)
    expect((await port.observeLeg({ ...query, hints, secretHash: "11".repeat(32) })).initiated).toBe(null)
    expect((await port.observeLeg({ ...query, hints })).initiated?.txid).toBe(initiateTx)
  })

  test("is not taken for ours when a stranger locks the same hash first", async () => {
    const { swap, deposit, secret } = await openSource(WBTC)
    const stranger = createSender(local.client, privateKeyToAccount(generatePrivateKey()))
    await local.setBalance(stranger.address, ONE_ETH)
    await local.setMining("automine")
    await local.fund(stranger.address, WBTC, 2n * UNITS)
    const { token, htlc } = assetOf(WBTC)
    const approval = encodeFunctionData({ abi: tokenAbi, functionName: "approve", args: [htlc, 2n * UNITS] })
    await mined(await stranger.send({ to: asHex(token ?? ""), data: approval }))
    const args = [asHex(swap.redeemer), BigInt(TIMELOCK), UNITS, asHex(`0x${swap.secretHash}`)] as const
    const data = encodeFunctionData({ abi: htlcAbi, functionName: "initiate", args })
    const theirs = await stranger.send({ to: htlc, data })
    await mined(theirs)
    await local.setMining("off")
    const query = sourceQuery(swap, deposit)
    const hinted = { ...query, hints: { ...query.hints, initiateTx: theirs } }
    expect((await port.observeLeg(hinted)).initiated).toBe(null)
    const ours = await initiate(WBTC, deposit)
    expect((await port.observeLeg(hinted)).initiated?.txid).toBe(ours.txid)
    const terms = { redeemer: args[0], timelock: args[1], units: args[2], secretHash: args[3] }
    const theirId = deriveOrderIds(84532, htlc, stranger.address, terms).v2
    const redeem = encodeFunctionData({
      abi: sandboxAbi,
      functionName: "redeem",
      args: [theirId, asHex(`0x${secret}`)],
    })
    await stranger.send({ to: htlc, data: redeem })
    await local.advance(1)
    expect((await port.observeLeg(hinted)).redeemed).toBe(null)
    // A contract version whose ids we do not know: our own funds tell.
    expect((await port.observeLeg({ ...hinted, timelock: null })).initiated?.txid).toBe(ours.txid)
  })

  test("is found over more blocks than one search covers", async () => {
    const { swap, query } = await openDestination(ETH)
    await local.advance(5_100)
    const initiateTx = await local.initiate(swap)
    await local.advance(1)
    expect((await port.observeLeg(query)).initiated?.txid).toBe(initiateTx)
  })
})

test("estimates fees for a deposit and its refund", async () => {
  const { depositUnits, refundUnits } = await port.estimateFees(WBTC)
  expect(depositUnits).toBeGreaterThan(refundUnits)
  expect(refundUnits).toBeGreaterThan(0n)
})

const TRANSFER_FROM = parseAbi(["function transferFrom(address from, address to, uint256 value) returns (bool)"])

type Overrides = {
  maxFeePerGasUnits?: bigint
  maxGasLimit?: bigint
  confirmations?: number
  key?: Secret
  htlcs?: string[]
}

function openPort({ htlcs, ...overrides }: Overrides = {}): ChainPort {
  return createEvmChain({
    chain: CHAIN,
    chainId: 84532,
    rpc: [local.url],
    key: new Secret(key, "env:EVM_KEY"),
    confirmations: 1,
    maxFeePerGasUnits: 1_000_000_000_000n,
    timeoutMs: 5_000,
    assets: local.assets.map(({ id, decimals, token, htlc }) => {
      return { id: parseAssetId(id), chain: CHAIN, decimals, token, htlc: htlcs ?? [htlc] }
    }),
    clock: systemClock,
    ...overrides,
  })
}

function assetOf(id: AssetId): LocalEvmChain["assets"][number] {
  const asset = local.assets.find((candidate) => candidate.id === id)
  if (!asset) throw new Error(`no ${id}`)
  return asset
}

type Source = { swap: LocalSwap; secret: string; deposit: VerifiedDeposit }

/** An order whose amount we hold, as the sandbox's service answers it and our own code decodes it. */
async function openSource(asset: AssetId): Promise<Source> {
  if (asset === WBTC) await fundToken()
  const secret = randomBytes(32).toString("hex")
  const request = { assetId: asset, units: UNITS, owner: port.account, secretHash: hashOf(secret), timelock: TIMELOCK }
  const { swap, response } = await local.describeSource(request)
  return { swap, secret, deposit: verified(port.decodeDeposit(toClaim(response), sampleOrder(), asset)) }
}

async function openDestination(asset: AssetId): Promise<{ swap: LocalSwap; secret: string; query: LegQuery }> {
  const secret = randomBytes(32).toString("hex")
  const owner = privateKeyToAccount(generatePrivateKey()).address
  const swap = await local.describeDestination({
    assetId: asset,
    units: UNITS,
    owner,
    secretHash: hashOf(secret),
    timelock: 10,
  })
  return { swap, secret, query: { ...queryOf(swap), side: "destination", asset, owner } }
}

function sourceQuery(swap: LocalSwap, deposit: DecodedDeposit): LegQuery {
  const { htlc } = deposit
  return { ...queryOf(swap), side: "source", asset: parseAssetId(swap.asset), owner: port.account, htlc }
}

function queryOf(swap: LocalSwap): Omit<LegQuery, "side" | "asset" | "owner"> {
  return {
    htlc: null,
    secretHash: swap.secretHash,
    units: BigInt(swap.units),
    initiator: swap.initiator.toLowerCase(),
    redeemer: swap.redeemer,
    timelock: BigInt(swap.timelock),
    hints: { initiateTx: null, redeemTx: null, refundTx: null },
    fromHeight: BigInt(swap.extra["fromHeight"] ?? "0"),
  }
}

async function fundToken(): Promise<void> {
  await local.setMining("automine")
  await local.fund(port.account, WBTC, UNITS)
  await local.setMining("off")
}

async function plan(intent: MoveIntent, reserved = NONE): Promise<MovePlan> {
  const outcome = await port.planMove(intent, reserved)
  if ("refused" in outcome) throw new Error(JSON.stringify(outcome.refused))
  return outcome
}

async function bump(old: MovePlan): Promise<MovePlan> {
  const outcome = await port.planBump(old)
  if (outcome === null) throw new Error("not bumped")
  return outcome
}

async function refusals(intent: MoveIntent): Promise<readonly string[]> {
  const outcome = await port.planMove(intent, NONE)
  return "refused" in outcome ? outcome.refused.map(({ code }) => code) : []
}

async function sendAndMine(planned: MovePlan): Promise<MoveObservation & { txid: string }> {
  const move = await port.signMove(planned)
  await port.broadcastMove(move)
  await local.advance(1)
  return { ...(await port.observeMove(move)), txid: move.txid }
}

async function approve(spender: string, units = UNITS): Promise<void> {
  await local.setBalance(port.account, ONE_ETH)
  await sendAndMine(await plan({ purpose: "approve", asset: WBTC, spender, units }))
}

async function initiate(asset: AssetId, deposit: VerifiedDeposit): Promise<MoveObservation & { txid: string }> {
  if (asset === WBTC) await approve(deposit.htlc)
  const seen = await sendAndMine(await plan({ purpose: "initiate", asset, deposit }))
  expect(seen).toMatchObject({ status: "mined", ok: true })
  return seen
}

async function sendDeposit(options = { send: true }): Promise<{ swap: LocalSwap; move: SignedMove }> {
  const { swap, deposit } = await openSource(WBTC)
  await approve(deposit.htlc)
  const move = await port.signMove(await plan({ purpose: "initiate", asset: WBTC, deposit }))
  if (options.send) await port.broadcastMove(move)
  return { swap, move }
}

async function sendInitiate(): Promise<SignedMove> {
  const { deposit } = await openSource(ETH)
  const move = await port.signMove(await plan({ purpose: "initiate", asset: ETH, deposit }))
  await port.broadcastMove(move)
  return move
}

function unsignedOf(planned: MovePlan): ReturnType<typeof parseTransaction<`0x02${string}`>> {
  // CAST: the form that unsigned.ts writes.
  const { transaction } = JSON.parse(planned.unsigned) as { transaction: `0x02${string}` }
  return parseTransaction(transaction)
}

async function mined(hash: Hex): Promise<void> {
  expect(await local.client.waitForTransactionReceipt({ hash })).toMatchObject({ status: "success" })
}

function verified(deposit: DecodedDeposit): VerifiedDeposit {
  // CAST: stands in for the judge.
  return deposit as VerifiedDeposit
}

/** What the journal gives back: JSON cannot hold anything else. */
function throughJournal(deposit: VerifiedDeposit): VerifiedDeposit {
  return { ...deposit, extras: JSON.parse(JSON.stringify(deposit.extras)) }
}

function hashOf(secret: string): string {
  return createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex")
}

function asHex(text: string): Hex {
  if (!isHex(text)) throw new Error(`${text} is not hex`)
  return text
}
