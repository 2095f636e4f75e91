import { expect } from "vitest"
import { LEAST_LEGS } from "#chains/bitcoin/legs/list-touched-legs.ts"
import { mustExist } from "#lib/assert.ts"
import type { WaitingLeg } from "#ports/chain/capabilities.ts"
import { needing, portTests } from "./port-test.ts"
import {
  balances,
  deposit,
  land,
  openDeposit,
  openDestination,
  queryOf,
  refundOf,
  type Scene,
} from "./scene.ts"

export const LEGS = portTests({
  "shows no source leg before the deposit, then exactly the deposited amount": async (scene) => {
    const { port, units } = scene.wallet
    const opened = await openDeposit(scene)
    const query = queryOf(scene, opened.swap)
    expect(await port.observeLeg(query)).toMatchObject(NOTHING)
    const transaction = await deposit(scene, opened)
    const leg = await port.observeLeg(query)
    expect(leg).toMatchObject({
      initiated: { txid: transaction.txid, units, height: transaction.seen.height },
      redeemed: null,
      refunded: null,
    })
    const refundableAt = mustExist(leg.refundableAt, "refundableAt")
    const earliest = transaction.seen.height + BigInt(opened.swap.timelock)
    expect(refundableAt === earliest || refundableAt === earliest + 1n).toBe(true)
  },
  ["names the HTLC that a deposit or a redemption touched, in the blocks after the last " +
    "answer"]: async (scene) => {
    const { port } = scene.wallet
    const list = mustExist(port.touched?.listTouchedLegs, "the list of touched HTLCs")
    const opened = await openDeposit(scene)
    const query = queryOf(scene, opened.swap)
    const others = await waitingBeside(scene)
    const ask = (since: bigint | null, isOpen: boolean) =>
      list(since, [...others, { query, isOpen }])
    const before = await ask(null, false)
    expect(before.secretHashes).toEqual([])
    await deposit(scene, opened)
    const deposited = await ask(before.height, false)
    expect(deposited.height).toBeGreaterThan(before.height)
    expect(deposited.secretHashes).toContain(opened.swap.secretHash)
    const leg = await port.observeLeg(query)
    expect(leg).toMatchObject({ initiated: { units: scene.wallet.units }, redeemed: null })
    const quiet = await ask(deposited.height, true)
    expect(quiet.secretHashes).toEqual([])
    // The slots of Solana follow the clock; the blocks of the other chains come on request.
    if (scene.local.family !== "solana") expect(quiet.height).toBe(deposited.height)
    await scene.local.redeem(opened.swap, opened.secret)
    await scene.local.advance(1)
    const redeemed = await ask(deposited.height, true)
    expect(redeemed.secretHashes).toEqual([opened.swap.secretHash])
    // The blocks of Bitcoin were read; for few legs each of them would count as touched.
    if (scene.local.family === "bitcoin") expect(redeemed.isWhole).toBe(true)
    expect(await port.observeLeg(query)).toMatchObject({ redeemed: { secret: opened.secret } })
  },
  "shows a redeemed source leg with the secret, and no payment to us": async (scene) => {
    const { local, wallet } = scene
    const opened = await openDeposit(scene)
    const { height } = (await deposit(scene, opened)).seen
    const query = queryOf(scene, opened.swap)
    const isClosed = async () => wallet.port.closing?.isClosed(query, height)
    const has = local.family === "solana" ? true : undefined
    expect(await isClosed()).toBe(has && false)
    const before = await balances(scene)
    await local.redeem(opened.swap, opened.secret)
    await local.advance(1)
    const leg = await wallet.port.observeLeg(query)
    await expect.poll(isClosed).toBe(has)
    expect(leg).toMatchObject({
      initiated: { units: wallet.units },
      redeemed: { secret: opened.secret },
      refunded: null,
    })
    expect([null, 0n]).toContain(leg.redeemed?.paidUnits)
    // The network returns only the rent of the HTLC, and returns it to its payer.
    const after = await balances(scene)
    expect(after.nativeUnits - before.nativeUnits).toBe(wallet.heldUnits)
    if (wallet.asset !== wallet.native) expect(after.units).toBe(before.units)
  },
  "shows a source leg that we refunded, and the returned amount": async (scene) => {
    const { opened, leg } = await openExpired(scene)
    const { seen, txid } = await land(scene, refundOf(scene, opened))
    const after = await scene.wallet.port.observeLeg(queryOf(scene, opened.swap))
    expect(after).toMatchObject({
      initiated: { txid: leg.initiated?.txid },
      redeemed: null,
      refunded: { txid },
    })
    const { units } = scene.wallet
    // On Bitcoin the fee comes out of the refunded amount.
    expect(after.refunded?.paidUnits).toBe(
      scene.local.family === "bitcoin" ? units - seen.feeUnits : units,
    )
  },
  "shows a source leg that another account refunded for us": needing(
    "relayedRefund",
    async (scene) => {
      const { opened } = await openExpired(scene)
      const { units, heldUnits, asset, native } = scene.wallet
      const before = await balances(scene)
      const txid = await scene.local.refund(opened.swap)
      await scene.local.advance(1)
      const leg = await scene.wallet.port.observeLeg(queryOf(scene, opened.swap))
      expect(leg).toMatchObject({ redeemed: null, refunded: { paidUnits: units } })
      expect(plain(leg.refunded?.txid)).toBe(plain(txid))
      const after = await balances(scene)
      expect(after.units - before.units).toBe(asset === native ? units + heldUnits : units)
      expect(after.nativeUnits - before.nativeUnits).toBe(
        asset === native ? units + heldUnits : heldUnits,
      )
    },
  ),
  "shows a destination leg from funding to the payment to us, to the last unit": async (scene) => {
    const { local, wallet } = scene
    const { swap, secret } = await openDestination(scene)
    const query = queryOf(scene, swap)
    const funded = await wallet.port.observeLeg(query)
    expect(funded).toMatchObject({
      initiated: { units: wallet.units },
      redeemed: null,
      refunded: null,
    })
    const before = await wallet.port.fetchBalance(wallet.asset, new Set())
    const txid = await local.redeem(swap, secret)
    await local.advance(1)
    const paid = await wallet.port.observeLeg(query)
    expect(paid).toMatchObject({ redeemed: { paidUnits: wallet.units, secret }, refunded: null })
    expect(plain(paid.redeemed?.txid)).toBe(plain(txid))
    expect(paid.height).toBeGreaterThanOrEqual(mustExist(paid.redeemed, "redeemed").height)
    const after = await wallet.port.fetchBalance(wallet.asset, new Set())
    expect(after.units - before.units).toBe(wallet.units)
  },
  "finds the same with the service's hashes as hints, and ignores wrong hints": async (scene) => {
    const { local, wallet } = scene
    const { swap, secret } = await openDestination(scene)
    const redeemTx = await local.redeem(swap, secret)
    await local.advance(1)
    const query = queryOf(scene, swap)
    const plainLeg = await wallet.port.observeLeg(query)
    const initiateTx = plainLeg.initiated?.txid ?? null
    const garbage = "zz".repeat(32)
    for (const hints of [
      { initiateTx, redeemTx, refundTx: null },
      { initiateTx: redeemTx, redeemTx: initiateTx, refundTx: redeemTx },
      { initiateTx: garbage, redeemTx: "", refundTx: "\u0000" },
      { initiateTx: "11".repeat(32), redeemTx: "22".repeat(32), refundTx: "33".repeat(32) },
    ]) {
      const { height: _, ...leg } = await wallet.port.observeLeg({ ...query, hints })
      expect(forgetDepth(leg)).toEqual(forgetDepth(plainLeg))
    }
  },
  "does not accept the redemption of another secret, not even as a hint": async (scene) => {
    const { local, wallet } = scene
    const ours = await openDestination(scene)
    const other = await openDestination(scene)
    const redeemTx = await local.redeem(other.swap, other.secret)
    await local.advance(1)
    const query = queryOf(scene, ours.swap)
    for (const hint of [null, redeemTx]) {
      const hints = { initiateTx: hint, redeemTx: hint, refundTx: hint }
      const leg = await wallet.port.observeLeg({ ...query, hints })
      expect(leg).toMatchObject({
        initiated: { units: wallet.units },
        redeemed: null,
        refunded: null,
      })
      // Where the HTLC is not known, only a hint leads to the transaction.
      expect((await wallet.port.observeLeg({ ...query, hints, htlc: null })).redeemed).toBeNull()
      const source = { ...query, side: "source" as const, hints }
      expect((await wallet.port.observeLeg(source)).redeemed).toBeNull()
    }
    const theirs = await wallet.port.observeLeg(queryOf(scene, other.swap))
    expect(theirs.redeemed).toMatchObject({ secret: other.secret })
  },
  "does not count a payment to another address as a payment to the owner": async (scene) => {
    const { local, wallet } = scene
    const { swap, secret } = await openDestination(scene)
    await local.redeem(swap, secret)
    await local.advance(1)
    const stranger = await wallet.port.observeLeg(
      queryOf(scene, swap, { owner: await strangerOf(scene) }),
    )
    expect(stranger.redeemed?.paidUnits ?? 0n).toBe(0n)
  },
  "shows a destination leg that the solver refunded, with no payment to us": async (scene) => {
    const { local, wallet } = scene
    const { secretHash } = (await openDeposit(scene)).swap
    const request = {
      assetId: wallet.asset,
      units: wallet.units,
      owner: wallet.port.account,
      secretHash,
      timelock: 3,
    }
    const swap = await local.describeDestination(request)
    await local.initiate(swap)
    await local.advance(8)
    await local.refund(swap)
    await local.advance(1)
    const leg = await wallet.port.observeLeg(queryOf(scene, swap))
    expect(leg).toMatchObject({ initiated: { units: wallet.units }, redeemed: null })
    expect(leg.refunded).not.toBeNull()
    expect(leg.refunded?.paidUnits ?? 0n).toBe(0n)
  },
})

const NOTHING = { initiated: null, redeemed: null, refunded: null, refundableAt: null }

/** A deposit with an expired timelock. */
async function openExpired(scene: Scene) {
  const { local, wallet } = scene
  const opened = await openDeposit(scene, { timelock: wallet.shortTimelock })
  await deposit(scene, opened)
  const leg = await wallet.port.observeLeg(queryOf(scene, opened.swap))
  const left = mustExist(leg.refundableAt, "refundableAt") - (await wallet.port.fetchHeight())
  if (left > 0n) await local.advance(Number(left))
  return { opened, leg }
}

/** An address that is not ours: the solver's on a chain of accounts, a swap's own on Bitcoin. */
async function strangerOf({ local, wallet }: Scene): Promise<string> {
  const request = {
    assetId: wallet.asset,
    units: 1_000n,
    owner: wallet.port.account,
    secretHash: "0d".repeat(32),
    timelock: 9,
  }
  const swap = await local.describeDestination(request)
  return local.family === "bitcoin" ? swap.swapId : swap.initiator
}

function plain(hash: string | undefined): string | undefined {
  return hash?.toLowerCase().replace(/^0x0*/, "")
}

type Leg = Record<string, unknown>

/** Confirmations grow between two observations. */
function forgetDepth({ height: _, ...leg }: Leg): Leg {
  const parts = Object.entries(leg).map(([name, part]) => {
    if (typeof part !== "object" || part === null) return [name, part]
    // CAST: a part of a leg.
    const {
      confirmations: _depth,
      seen: _seen,
      revealable: _revealable,
      final: _final,
      ...rest
    } = part as Leg
    return [name, rest]
  })
  return Object.fromEntries(parts)
}

/**
 * Legs of other orders that no block touches; so many only where a family asks about few of them in
 * another way.
 */
async function waitingBeside(scene: Scene): Promise<readonly WaitingLeg[]> {
  const legs: WaitingLeg[] = []
  while (scene.local.family === "bitcoin" && legs.length < LEAST_LEGS)
    legs.push({ query: queryOf(scene, (await openDeposit(scene)).swap), isOpen: false })
  return legs
}
