import { expect } from "vitest"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { mustExist } from "#lib/assert.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import { untilMined } from "./bench.ts"
import { whyNot } from "./missing-abilities.ts"
import { needing, portTests } from "./port-test.ts"
import {
  approve,
  balances,
  initiateOf,
  land,
  openDeposit,
  plan,
  refundOf,
  refusalsOf,
  type Scene,
  untilFinal,
  untilStatus,
} from "./scene.ts"
import { failureOf } from "./tests-of-reads.ts"

export const TRANSACTIONS = portTests({
  "plans a deposit with exclusive resources, the exact amount, and a bound for the fee": async (
    scene,
  ) => {
    const { port, asset, units, heldUnits } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const planned = await plan(scene, initiateOf(scene, opened))
    expect(planned).toMatchObject({
      chain: port.chain,
      account: port.account,
      action: "initiate",
      attempt: 0,
    })
    expect(planned.spends).toEqual([{ asset, units }])
    expect(planned.resources.length).toBeGreaterThan(0)
    expect(new Set(planned.resources).size).toBe(planned.resources.length)
    expect(planned.digest).toMatch(/^(0x)?[0-9a-f]+$/)
    const height = await port.fetchHeight()
    expect(planned.fromHeight <= height && planned.fromHeight + 50n > height).toBe(true)
    const { seen } = await land(scene, initiateOf(scene, opened))
    expect(seen.feeUnits).toBeGreaterThan(0n)
    expect(planned.maxFeeUnits).toBeGreaterThanOrEqual(seen.feeUnits + heldUnits)
  },
  ["tells what a transaction of the account has used since a mark, and an incoming payment " +
    "uses nothing"]: async (scene) => {
    const { local, wallet } = scene
    const { port, asset, units } = wallet
    const fetchUses = mustExist(port.uses?.fetchUses, "fetchUses")
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const first = await fetchUses(null)
    expect([first.used, (await fetchUses(first.mark)).used]).toEqual([[], []])
    await untilMined(local, local.fund(port.account, asset, units))
    expect((await fetchUses(first.mark)).used).toEqual([])
    const { plan: planned, txid } = await land(scene, initiateOf(scene, opened))
    // A signature counts once its slot is final.
    for (let tries = 0; tries < 10 && (await fetchUses(first.mark)).used.length === 0; tries++)
      await local.advance(10)
    const { mark, used } = await fetchUses(first.mark)
    const names = used.map(({ resource }) => resource).toSorted()
    expect([planned.resources.toSorted(), ["the key"]]).toContainEqual(names)
    for (const use of used) expect([null, txid]).toContain(use.txid)
    if (names.includes("the key"))
      expect((await fetchUses(first.mark, (one) => one === txid)).used).toEqual([])
    expect((await fetchUses(mark)).used).toEqual([])
  },
  "gives the same bytes for the same plan, also for a plan read from the journal": async (
    scene,
  ) => {
    const { port } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const planned = await plan(scene, initiateOf(scene, opened))
    const signed = await port.signTransaction(planned)
    // CAST: `decodeJson` returns the shape that `encodeJson` wrote.
    const stored = decodeJson(encodeJson(planned)) as TransactionPlan
    expect(stored).toEqual(planned)
    for (const again of [planned, stored]) {
      const { raw, txid } = await port.signTransaction(again)
      expect([raw, txid]).toEqual([signed.raw, signed.txid])
    }
    expect(signed.txid.length).toBeGreaterThan(40)
  },
  "signs only the planned bytes": async (scene) => {
    const { port } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const planned = await plan(scene, initiateOf(scene, opened))
    const honest = await port.signTransaction(planned)
    const signed: string[] = []
    for (const { what, altered } of alterationsOf(planned)) {
      const result = await port.signTransaction(altered).catch((error: unknown) => error)
      // A change that leaves the signed bytes alone does not count, such as another spelling of a
      // number in the plan.
      if (isSigned(result) && result.raw === honest.raw) continue
      if (isSigned(result)) signed.push(what)
      else
        expect([what, result instanceof AppError && result.disposition]).toEqual([what, "refused"])
    }
    expect(signed).toEqual([])
  },
  "refuses a plan with another digest": async (scene) => {
    const { port } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const planned = await plan(scene, initiateOf(scene, opened))
    const other = await plan(
      scene,
      initiateOf(scene, await openDeposit(scene, { units: scene.wallet.units / 2n })),
    )
    for (const digest of [
      other.digest,
      flip(planned.digest, planned.digest.length - 1),
      "",
      "0x0",
    ]) {
      const error = await failureOf(() => port.signTransaction({ ...planned, digest }))
      expect([digest, error.disposition]).toEqual([digest, "refused"])
      expect(error.code).toMatch(/^signer\./)
    }
  },
  "refuses a plan whose action, account, chain, amount or resources differ from its bytes": async (
    scene,
  ) => {
    const { port, asset } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const planned = await plan(scene, initiateOf(scene, opened))
    const lies: Record<string, Partial<TransactionPlan>> = {
      refund: { action: "refund" },
      void: { action: "void" },
      approve: { action: "approve" },
      account: { account: opened.swap.redeemer },
      // CAST: another chain's name.
      chain: { chain: "elsewhere" as TransactionPlan["chain"] },
      spends: { spends: [{ asset, units: 1n }] },
      nothing: { spends: [] },
      resources: { resources: ["nonce:99999"] },
      fee: { maxFeeUnits: 0n },
    }
    const signed: string[] = []
    for (const [what, lie] of Object.entries(lies)) {
      const result = await port
        .signTransaction({ ...planned, ...lie })
        .catch((error: unknown) => error)
      if (isSigned(result)) signed.push(what)
    }
    expect(signed).toEqual([])
  },
  ["observes a transaction from unseen over mined to final, which costs exactly amount and " +
    "fee"]: async (scene) => {
    const { port, asset, native, units, heldUnits } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const before = await balances(scene)
    const transaction = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
    expect(await port.observeTransaction(transaction)).toEqual({ status: "unseen" })
    await port.broadcastTransaction(transaction)
    const sent = await port.observeTransaction(transaction)
    expect(
      whyNot("mempool", scene.variant) === null ? ["pending"] : ["unseen", "pending", "mined"],
    ).toContain(sent.status)
    const mined = await untilStatus(scene, transaction, "mined")
    expect(mined).toMatchObject({ ok: true })
    expect(mined.confirmations).toBeGreaterThanOrEqual(1)
    const final = await untilFinal(scene, transaction)
    expect(final).toMatchObject({
      status: "mined",
      ok: true,
      final: true,
      height: mined.height,
      feeUnits: mined.feeUnits,
    })
    const after = await balances(scene)
    const feeUnits = mined.feeUnits + heldUnits
    if (asset === native) expect(before.units - after.units).toBe(units + feeUnits)
    else {
      expect(before.units - after.units).toBe(units)
      expect(before.nativeUnits - after.nativeUnits).toBe(feeUnits)
    }
    expect((await scene.local.observeSwap(opened.swap)).initiated).toMatchObject({
      filledUnits: units,
    })
  },
  "reports a transaction as final only after the configured confirmations": needing(
    "mempool",
    async (scene) => {
      const { port } = scene.wallet
      const opened = await openDeposit(scene)
      await approve(scene, opened)
      const ours = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
      await port.broadcastTransaction(ours)
      await scene.local.advance(1)
      expect(await port.observeTransaction(ours)).toMatchObject({
        status: "mined",
        confirmations: 1,
        final: false,
      })
      await scene.local.advance(1)
      expect(await port.observeTransaction(ours)).toMatchObject({
        status: "mined",
        confirmations: 2,
        final: true,
      })
    },
  ),
  "may send the same bytes repeatedly, pending, mined and final, and the funds leave once": async (
    scene,
  ) => {
    const { port, units } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const before = await balances(scene)
    const ours = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
    await port.broadcastTransaction(ours)
    await port.broadcastTransaction(ours)
    const { feeUnits } = await untilStatus(scene, ours, "mined")
    await sendAgain(scene, ours)
    await untilFinal(scene, ours)
    await sendAgain(scene, ours)
    await scene.local.advance(1)
    const after = await balances(scene)
    const spent = before.units - after.units
    const { asset, native, heldUnits } = scene.wallet
    expect(spent).toBe(asset === native ? units + feeUnits + heldUnits : units)
    expect((await scene.local.observeSwap(opened.swap)).initiated?.filledUnits).toBe(units)
  },
  "plans without reserved resources, and counts those as not spendable": async (scene) => {
    const { port, asset } = scene.wallet
    const one = await openDeposit(scene)
    const two = await openDeposit(scene)
    await approve(scene, one)
    const first = await plan(scene, initiateOf(scene, one))
    const reserved = new Set(first.resources)
    const second = await plan(
      scene,
      initiateOf(scene, whyNot("secondDeposit", scene.variant) === null ? one : two),
      reserved,
    )
    expect(second.resources.filter((resource) => reserved.has(resource))).toEqual([])
    expect(second.digest).not.toBe(first.digest)
    const balance = await port.fetchBalance(asset, reserved)
    expect(
      balance.spendableUnits <= (await port.fetchBalance(asset, new Set())).spendableUnits,
    ).toBe(true)
    if (port.family === "bitcoin") {
      const held = await plan(
        scene,
        initiateOf(scene, one),
        new Set([...first.resources, ...second.resources]),
      ).catch(() => null)
      expect([held, balance.spendableUnits < balance.units]).toEqual([null, true])
    }
  },
  "refuses a second transaction for a resource that exists once": async (scene) => {
    if (whyNot("secondDeposit", scene.variant) === null) return
    const opened = await openDeposit(scene)
    const first = await plan(scene, initiateOf(scene, opened))
    const refusals = await refusalsOf(scene, initiateOf(scene, opened), new Set(first.resources))
    expect(refusals.map(({ code }) => code)).toEqual(["claims.taken"])
  },
  "bumps a fee with the same resources, and only one of the two lands": needing(
    "bump",
    async (scene) => {
      const { port, units } = scene.wallet
      const opened = await openDeposit(scene)
      await approve(scene, opened)
      const before = await balances(scene)
      const first = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
      await port.broadcastTransaction(first)
      const bumped = mustExist(await port.planBump(first.plan), "a bump")
      expect(bumped).toMatchObject({ action: "initiate", attempt: 1, spends: first.plan.spends })
      expect(bumped.resources).toEqual(first.plan.resources)
      expect(bumped.maxFeeUnits).toBeGreaterThan(first.plan.maxFeeUnits)
      const second = await port.signTransaction(bumped)
      expect(second.txid).not.toBe(first.txid)
      await port.broadcastTransaction(second)
      const { feeUnits } = await untilStatus(scene, second, "mined")
      expect(feeUnits).toBeLessThanOrEqual(bumped.maxFeeUnits)
      expect(await untilFinal(scene, first)).toMatchObject({ status: "excluded", final: true })
      expect(await port.observeTransaction(second)).toMatchObject({ status: "mined", ok: true })
      const spent = before.units - (await balances(scene)).units
      expect(spent).toBe(scene.wallet.asset === scene.wallet.native ? units + feeUnits : units)
    },
  ),
  "refuses a bump where a second signature would not exclude the first": async (scene) => {
    if (whyNot("bump", scene.variant) === null) return
    const planned = await plan(scene, initiateOf(scene, await openDeposit(scene)))
    expect(await scene.wallet.port.planBump(planned)).toBeNull()
    const error = await failureOf(() =>
      scene.wallet.port.planTransaction({ action: "void", voids: planned }, new Set()),
    )
    expect(error.disposition).toBe("refused")
  },
  ["voids a deposit that waits in the mempool: it can never land, and nothing is spent but " +
    "a fee"]: needing("void", async (scene) => {
    const { port } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const before = await balances(scene)
    const ours = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
    await port.broadcastTransaction(ours)
    await voidAndCheck(scene, ours, before.nativeUnits)
    expect((await scene.local.observeSwap(opened.swap)).initiated).toBeNull()
  }),
  "voids a signed deposit that was never sent": needing("void", async (scene) => {
    const { port } = scene.wallet
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const before = await balances(scene)
    const ours = await port.signTransaction(await plan(scene, initiateOf(scene, opened)))
    await voidAndCheck(scene, ours, before.nativeUnits)
    // The stored bytes can no longer land.
    const error = await failureOf(() => port.broadcastTransaction(ours))
    expect(["uncertain", "refused"]).toContain(error.disposition)
    await scene.local.advance(1)
    expect((await scene.local.observeSwap(opened.swap)).initiated).toBeNull()
  }),
  "refunds after the timelock and not before, in full": async (scene) => {
    const { port, asset, native, units, heldUnits, shortTimelock } = scene.wallet
    const opened = await openDeposit(scene, { timelock: shortTimelock })
    const refund = refundOf(scene, opened)
    expect((await refusalsOf(scene, refund)).length).toBeGreaterThan(0)
    await approve(scene, opened)
    const initiated = await land(scene, initiateOf(scene, opened))
    const early = await refusalsOf(scene, refund)
    expect(early.map(({ code, message }) => code.length > 3 && message.length > 3)).toEqual([true])
    const before = await balances(scene)
    const refundableAt = initiated.seen.height + BigInt(shortTimelock) + 1n
    const height = await port.fetchHeight()
    if (refundableAt > height) await scene.local.advance(Number(refundableAt - height))
    const { seen, plan: landed } = await land(scene, refund)
    expect(landed).toMatchObject({ action: "refund", spends: [] })
    expect(seen.feeUnits).toBeLessThanOrEqual(landed.maxFeeUnits)
    const after = await balances(scene)
    const gainUnits = asset === native ? units + heldUnits - seen.feeUnits : units
    expect(after.units - before.units).toBe(gainUnits)
    expect((await refusalsOf(scene, refund)).length).toBeGreaterThan(0)
  },
})

type Signed = Awaited<ReturnType<Scene["wallet"]["port"]["signTransaction"]>>

function isSigned(result: unknown): result is Signed {
  return (
    typeof result === "object" &&
    result !== null &&
    "raw" in result &&
    !(result instanceof AppError)
  )
}

/**
 * A node may report the nonce or input of a mined transaction as used. It must not report that the
 * transaction never happened.
 */
async function sendAgain({ wallet }: Scene, transaction: Signed): Promise<void> {
  try {
    await wallet.port.broadcastTransaction(transaction)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect(error.disposition).toBe("uncertain")
  }
}

async function voidAndCheck(scene: Scene, transaction: Signed, beforeUnits: bigint): Promise<void> {
  const { port } = scene.wallet
  const voiding = await plan(scene, { action: "void", voids: transaction.plan })
  expect(voiding).toMatchObject({
    action: "void",
    spends: [],
    resources: transaction.plan.resources,
  })
  const rival = await port.signTransaction(voiding)
  await port.broadcastTransaction(rival)
  const { feeUnits } = await untilStatus(scene, rival, "mined")
  expect(await port.observeTransaction(transaction)).toMatchObject({
    status: "excluded",
    final: false,
  })
  expect(await untilFinal(scene, transaction)).toMatchObject({ status: "excluded", final: true })
  const after = await balances(scene)
  expect(beforeUnits - after.nativeUnits).toBe(feeUnits)
}

/** The unsigned bytes with a change at each of many places, and cut, doubled, or removed. */
function alterationsOf(planned: TransactionPlan): { what: string; altered: TransactionPlan }[] {
  const { unsigned } = planned
  const places = Array.from({ length: PLACES }, (_, index) =>
    Math.floor((unsigned.length * index) / PLACES),
  )
  const texts = [
    ...places.map((at) => ({
      what: `character ${at} of ${unsigned.length}`,
      text: flip(unsigned, at),
    })),
    { what: "cut", text: unsigned.slice(0, -4) },
    { what: "doubled", text: `${unsigned}${unsigned}` },
    { what: "empty", text: "" },
    { what: "braces", text: "{}" },
  ]
  return texts.map(({ what, text }) => ({ what, altered: { ...planned, unsigned: text } }))
}

const PLACES = 60

function flip(text: string, at: number): string {
  const changed = text[at] === "1" ? "2" : "1"
  return `${text.slice(0, at)}${changed}${text.slice(at + 1)}`
}
