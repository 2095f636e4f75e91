import { SystemProgram, VersionedMessage } from "@solana/web3.js"
import { expect } from "vitest"
import type { Payout } from "#domain/payout.ts"
import type { TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import type { LocalSwap } from "#sandbox/local-chain.ts"
import { needing, portTests } from "./port-test.ts"
import {
  balances,
  drawSecret,
  land,
  plan,
  queryOf,
  refusalsOf,
  type Scene,
  untilFinal,
  untilStatus,
} from "./scene.ts"

/**
 * A payout with our own secret: the solver funds it on the real chain, and Ballast redeems it
 * alone.
 */
export const REDEMPTIONS = portTests({
  "redeems a payout with its secret, and the money is ours": async (scene) => {
    const { port, asset, native, units } = scene.wallet
    const { swap, secret } = await openPayout(scene)
    const before = await balances(scene)
    const mostUnits = mustExist(await port.estimateRedeemFee(asset), "the fee of a redemption")
    const { seen, txid, plan: planned } = await land(scene, redeemOf(scene, swap, secret))
    expect(planned).toMatchObject({ action: "redeem", attempt: 0, spends: [] })
    expect(seen.feeUnits).toBeLessThanOrEqual(planned.maxFeeUnits)
    expect(planned.maxFeeUnits).toBeLessThanOrEqual(mostUnits)
    // Solana's rent minimum of an account without data: 128 bytes of overhead, at 6960 lamports a
    // byte.
    const leastUnits = await port.native?.fetchLeastBalance()
    expect(leastUnits).toBe(scene.local.family === "solana" ? 890_880n : 0n)
    const after = await balances(scene)
    expect(after.units - before.units).toBe(asset === native ? units - seen.feeUnits : units)
    const paidUnits = scene.local.family === "bitcoin" ? units - seen.feeUnits : units
    const leg = await port.observeLeg({ ...queryOf(scene, swap), isExact: true })
    expect(leg).toMatchObject({
      initiated: { units },
      redeemed: { txid, secret, paidUnits },
      refunded: null,
    })
  },
  "refuses a wrong secret before anything is signed": async (scene) => {
    const { swap } = await openPayout(scene)
    for (const secret of [drawSecret().secret, "", "00"])
      expect(await codesOf(scene, redeemOf(scene, swap, secret))).toEqual([
        SECRET[scene.local.family],
      ])
  },
  "refuses a payout that is not funded, and one that is redeemed already": async (scene) => {
    const { local } = scene
    const { swap, secret } = await describePayout(scene, local.timelocks.destination)
    const request = redeemOf(scene, swap, secret)
    expect(await codesOf(scene, request)).toEqual([NOTHING[local.family]])
    await local.initiate(swap)
    await local.advance(1)
    // On Bitcoin the redeem leaf is ours, so no other party can redeem.
    if (local.family === "bitcoin") await land(scene, request)
    else await local.redeem(swap, secret)
    await local.advance(1)
    expect(await codesOf(scene, request)).toEqual([NOTHING[local.family]])
  },
  "refuses a payout that the solver took back": async (scene) => {
    const { local } = scene
    const { swap, secret } = await describePayout(scene, 3)
    await local.initiate(swap)
    await local.advance(8)
    await local.refund(swap)
    await local.advance(1)
    expect(await codesOf(scene, redeemOf(scene, swap, secret))).toEqual([NOTHING[local.family]])
  },
  "bumps the fee of a redemption, and only one of the two lands": needing(
    "redeemBump",
    async (scene) => {
      const { port, asset, native, units } = scene.wallet
      const { swap, secret } = await openPayout(scene)
      const before = await balances(scene)
      const first = await port.signTransaction(await plan(scene, redeemOf(scene, swap, secret)))
      await port.broadcastTransaction(first)
      const bumped = mustExist(await port.planBump(first.plan), "a bump")
      expect(bumped).toMatchObject({
        action: "redeem",
        attempt: 1,
        spends: [],
        resources: first.plan.resources,
      })
      expect(bumped.maxFeeUnits).toBeGreaterThan(first.plan.maxFeeUnits)
      const second = await port.signTransaction(bumped)
      await port.broadcastTransaction(second)
      const { feeUnits } = await untilStatus(scene, second, "mined")
      expect(await untilFinal(scene, first)).toMatchObject({
        status: "excluded",
        by: second.txid,
        final: true,
      })
      const gained = (await balances(scene)).units - before.units
      expect(gained).toBe(asset === native ? units - feeUnits : units)
    },
  ),
  "pays more than the fee cap for an urgent redemption, and for nothing else": needing(
    "urgentFee",
    async (scene) => {
      const frugal = await mustExist(scene.wallet.openFrugal, "a wallet with a low fee cap")()
      const { swap, secret } = await openPayout(scene)
      const request = redeemOf(scene, swap, secret)
      const refused = await frugal.planTransaction(request, new Set())
      expect("refused" in refused && refused.refused.map(({ code }) => code)).toEqual([
        "fees.above_cap",
      ])
      const stake = { left: null, timelock: BigInt(swap.timelock), worthUnits: null }
      const planned = await frugal.planTransaction({ ...request, stake }, new Set())
      if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
      const signed = await frugal.signTransaction(planned)
      await frugal.broadcastTransaction(signed)
      expect(await untilStatus(scene, signed, "mined")).toMatchObject({ ok: true })
      const leg = await scene.wallet.port.observeLeg({ ...queryOf(scene, swap), isExact: true })
      expect(leg.redeemed?.txid).toBe(signed.txid)
      // The plan of any other action with such a fee gets no signature.
      for (const action of ["refund", "initiate", "void"] as const)
        await expect(
          frugal.signTransaction({ ...planned, action, spends: [] }),
        ).rejects.toMatchObject({
          disposition: "refused",
        })
    },
  ),
  ["pays five hundred times the fee cap where the payout is worth it, and not one unit more " +
    "than it is worth"]: needing("dearFee", async (scene) => {
    const frugal = await mustExist(scene.wallet.openFrugal, "a wallet with a low fee cap")(5_000n)
    const { swap, secret } = await openPayout(scene)
    const at = { left: 1n, timelock: BigInt(swap.timelock) }
    const request = redeemOf(scene, swap, secret)
    const planFor = (worthUnits: bigint | null) =>
      frugal.planTransaction({ ...request, stake: { ...at, worthUnits } }, new Set())
    const codesFor = async (worthUnits: bigint | null) => {
      const planned = await planFor(worthUnits)
      return "refused" in planned ? planned.refused.map(({ code }) => code) : planned.maxFeeUnits
    }
    // The factor of fifty alone does not reach the network's fee.
    expect(await codesFor(null)).toEqual(["fees.above_cap"])
    const planned = await planFor(10n ** 17n)
    if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
    expect(await codesFor(planned.maxFeeUnits / 100n)).toEqual(["fees.above_cap"])
    await expect(frugal.signTransaction(planned)).rejects.toMatchObject({
      disposition: "refused",
    })
    const proof = (worthUnits: bigint) => ({ order: "dear", deposit: null, worthUnits })
    const tooLittle = frugal.signTransaction(planned, proof(planned.maxFeeUnits - 1n))
    await expect(tooLittle).rejects.toMatchObject({ disposition: "refused" })
    const refund = { ...planned, action: "refund" as const }
    await expect(frugal.signTransaction(refund, proof(10n ** 17n))).rejects.toMatchObject({
      disposition: "refused",
    })
    const signed = await frugal.signTransaction(planned, proof(planned.maxFeeUnits))
    await frugal.broadcastTransaction(signed)
    expect(await untilStatus(scene, signed, "mined")).toMatchObject({ ok: true })
    const bumped = await frugal.planBump(planned, { ...at, worthUnits: 10n ** 18n })
    expect(bumped?.maxFeeUnits).toBeGreaterThan(planned.maxFeeUnits)
    expect(await frugal.planBump(planned, { ...at, worthUnits: planned.maxFeeUnits })).toBeNull()
  }),
  "pays once when one redemption is planned twice": async (scene) => {
    const { port, asset, native, units } = scene.wallet
    const { swap, secret } = await openPayout(scene)
    const before = await balances(scene)
    const request = redeemOf(scene, swap, secret)
    const first = await plan(scene, request)
    const second = await plan(scene, request)
    const signed = [await port.signTransaction(first), await port.signTransaction(second)]
    for (const transaction of signed)
      await port.broadcastTransaction(transaction).catch(() => undefined)
    await scene.local.advance(2)
    const states = await Promise.all(signed.map((one) => port.observeTransaction(one)))
    const landed = new Map(
      states.flatMap((state, at) =>
        state.status === "mined" ? [[signed[at]?.txid, state] as const] : [],
      ),
    )
    expect([...landed.values()].filter(({ ok }) => ok)).toHaveLength(1)
    const fees = [...landed.values()].reduce((sum, { feeUnits }) => sum + feeUnits, 0n)
    const gained = (await balances(scene)).units - before.units
    expect(gained).toBe(asset === native ? units - fees : units)
  },
  "pays nobody else whatever the service says about the payout": async (scene) => {
    const { port } = scene.wallet
    const { swap, secret } = await openPayout(scene)
    const other = await openPayout(scene)
    const honest = payoutOf(scene, swap)
    const theirs = payoutOf(scene, other.swap)
    const lies: Partial<Payout>[] = [
      { swapId: theirs.swapId },
      { swapId: "../tx" },
      { htlc: theirs.swapId },
      { initiator: "" },
      { initiator: honest.redeemer },
      { redeemer: honest.initiator },
      { owner: honest.initiator },
      { delegate: theirs.initiator },
      { timelock: honest.timelock + 1n },
      { secretHash: theirs.secretHash },
      { units: honest.units + 1n },
    ]
    const right = await plan(scene, redeemOf(scene, swap, secret))
    for (const lie of lies) {
      const payout = { ...honest, ...lie }
      const planned = await port.planTransaction(
        { action: "redeem", asset: payout.asset, payout, secret },
        new Set(),
      )
      if ("refused" in planned) continue
      // A plan despite the lie spends the same output to the same wallet: it signs, and nothing
      // but its fee is lost.
      expect({ lie, unsigned: contentOf(scene, planned.unsigned) }).toEqual({
        lie,
        unsigned: contentOf(scene, right.unsigned),
      })
    }
  },
  "does not sign a redemption whose plan was changed": async (scene) => {
    const { port, asset } = scene.wallet
    const { swap, secret } = await openPayout(scene)
    const planned = await plan(scene, redeemOf(scene, swap, secret))
    const changes = [
      { action: "refund" },
      { action: "void" },
      { action: "initiate" },
      { account: swap.initiator },
      { spends: [{ asset, units: 1n }] },
      { digest: "00".repeat(32) },
    ] as const
    for (const change of changes)
      await expect(port.signTransaction({ ...planned, ...change })).rejects.toMatchObject({
        disposition: "refused",
      })
  },
})

const SECRET = {
  bitcoin: "bitcoin.redeem_secret",
  evm: "evm.redeem_secret",
  solana: "solana.redeem_secret",
  starknet: "starknet.redeem_secret",
}
const NOTHING = {
  bitcoin: "bitcoin.redeem_nothing",
  evm: "evm.redeem_nothing",
  solana: "solana.redeem_nothing",
  starknet: "starknet.redeem_nothing",
}

/** A Solana message has a fresh blockhash each time. */
function contentOf({ local }: Scene, unsigned: string): string {
  if (local.family !== "solana") return unsigned
  const message = VersionedMessage.deserialize(Buffer.from(unsigned, "base64"))
  message.recentBlockhash = SystemProgram.programId.toBase58()
  return Buffer.from(message.serialize()).toString("hex")
}

async function openPayout(scene: Scene): Promise<{ swap: LocalSwap; secret: string }> {
  const described = await describePayout(scene, scene.local.timelocks.destination)
  await scene.local.initiate(described.swap)
  await scene.local.advance(1)
  return described
}

/**
 * The solver's HTLC for this wallet, not funded yet; where the chain has one, with our own key in
 * its redeem leaf.
 */
async function describePayout(
  { local, wallet }: Scene,
  timelock: number,
): Promise<{ swap: LocalSwap; secret: string }> {
  const { port, asset, units } = wallet
  const { secret, secretHash } = drawSecret()
  const request = {
    assetId: asset,
    units,
    owner: port.account,
    secretHash,
    timelock,
    ...port.destinationExtras,
  }
  return { swap: await local.describeDestination(request), secret }
}

function redeemOf(
  scene: Scene,
  swap: LocalSwap,
  secret: string,
): Extract<TransactionRequest, { action: "redeem" }> {
  return { action: "redeem", asset: scene.wallet.asset, payout: payoutOf(scene, swap), secret }
}

function payoutOf(scene: Scene, swap: LocalSwap): Payout {
  const { asset, htlc, secretHash, units, owner } = queryOf(scene, swap)
  const { swapId, initiator, redeemer, delegate = null, timelock } = swap
  const terms = { initiator, redeemer, delegate, timelock: BigInt(timelock) }
  return { asset, htlc, swapId, secretHash, units, owner, ...terms }
}

async function codesOf(scene: Scene, request: TransactionRequest): Promise<string[]> {
  return (await refusalsOf(scene, request)).map(({ code }) => code)
}
