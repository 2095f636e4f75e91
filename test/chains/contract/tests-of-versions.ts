import { expect } from "vitest"
import { mustExist } from "#lib/assert.ts"
import { needing, portTests } from "./port-test.ts"
import {
  approve,
  deposit,
  initiateOf,
  land,
  openDeposit,
  queryOf,
  refundOf,
  refusalsOf,
} from "./scene.ts"

/**
 * The way of an order that depends on the generation of the contract: its id, its events and its
 * refusals.
 */
export const VERSIONS = portTests({
  "refunds with no swap id from the service, and only after the timelock": async (scene) => {
    const { local, wallet } = scene
    const opened = await openDeposit(scene, { timelock: wallet.shortTimelock })
    await deposit(scene, opened)
    const intent = {
      ...refundOf(scene, opened),
      swapId: local.family === "bitcoin" ? opened.swap.swapId : "",
    }
    expect(await refusalsOf(scene, intent)).not.toEqual([])
    const leg = await wallet.port.observeLeg(queryOf(scene, opened.swap))
    const left = mustExist(leg.refundableAt, "refundableAt") - (await wallet.port.fetchHeight())
    if (left > 0n) await local.advance(Number(left))
    const { txid } = await land(scene, intent)
    expect(await wallet.port.observeLeg(queryOf(scene, opened.swap))).toMatchObject({
      refunded: { txid },
    })
  },
  "observes a deposit that a relay made with our signature": needing("gasless", async (scene) => {
    const { local, wallet } = scene
    const opened = await openDeposit(scene)
    await approve(scene, opened)
    const { signature } = await wallet.port.signTypedData(opened.deposit)
    const txid = await local.initiateWithSignature(opened.swap, signature)
    await local.advance(1)
    const leg = await wallet.port.observeLeg(queryOf(scene, opened.swap))
    expect(leg.initiated).toMatchObject({ txid, units: wallet.units })
    // The engine plans a direct deposit when it believes that the relay failed.
    expect(await refusalsOf(scene, initiateOf(scene, opened))).not.toEqual([])
  }),
})
