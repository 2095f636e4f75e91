import { inspect } from "node:util"
import { expect } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"
import type { ChainPort } from "#ports/chain.ts"
import { portTests } from "./port-test.ts"
import { deposit, drawSecret, NOBODY, openDeposit, queryOf, type Scene } from "./scene.ts"
import { NONSENSE, startFaultyNode, TROUBLES } from "./start-faulty-node.ts"

export const READS = portTests({
  "accepts its own address in every spelling, and no other text": async ({
    local,
    wallet: { port, spellings, notAddresses },
  }) => {
    expect(port.isAddress(port.account)).toBe(true)
    expect(local.isAddress(port.account)).toBe(true)
    expect(port.sameAddress(port.account, port.account)).toBe(true)
    for (const spelling of spellings) {
      expect([spelling, port.isAddress(spelling)]).toEqual([spelling, true])
      expect([spelling, port.sameAddress(spelling, port.account)]).toEqual([spelling, true])
      expect([spelling, port.sameAddress(port.account, spelling)]).toEqual([spelling, true])
    }
    const foreign = FOREIGN.filter((text) => !local.isAddress(text))
    for (const text of [...notAddresses, ...foreign, ...NO_TEXT]) {
      expect([text, port.isAddress(text)]).toEqual([text, false])
      expect([text, port.sameAddress(text, port.account)]).toEqual([text, false])
    }
  },
  "names the requested chain, and contains no secret": async ({
    local,
    wallet: { port, secret },
  }) => {
    expect([port.chain, port.family]).toEqual([local.name, local.family])
    for (const shown of [JSON.stringify(port), inspect(port, { depth: 10 })])
      expect(shown).not.toContain(secret)
    for (const value of Object.values(port.sourceExtras)) expect(typeof value).toBe("string")
  },
  "sees the chain grow": async ({ local, wallet: { port } }) => {
    const before = await port.fetchHeight()
    expect(before).toBeGreaterThan(0n)
    await local.advance(3)
    const after = await port.fetchHeight()
    expect(after).toBeGreaterThanOrEqual(before + 3n)
    const theirs = await local.height()
    expect(theirs >= after && theirs - after < 10n).toBe(true)
  },
  "reads balances to the last unit, of the deposited asset and of the fee coin": async ({
    local,
    wallet: { port, asset, native },
  }) => {
    for (const id of new Set([asset, native])) {
      const { units, spendableUnits } = await port.fetchBalance(id, NOBODY)
      expect(units).toBe(await local.balance(port.account, id))
      expect(units).toBeGreaterThan(0n)
      expect(spendableUnits <= units && spendableUnits > units / 2n).toBe(true)
    }
  },
  "refuses to read an asset that is not configured, instead of returning zero": async ({
    local,
    wallet: { port },
  }) => {
    const error = await failureOf(() =>
      port.fetchBalance(parseAssetId(`${local.name}:nope`), NOBODY),
    )
    expect(["refused", "bug", "fatal"]).toContain(error.disposition)
  },
  "estimates more than the deposit then costs": async (scene) => {
    const { port, asset, heldUnits } = scene.wallet
    const { depositUnits, refundUnits } = await port.estimateFees(asset)
    expect(refundUnits).toBeGreaterThan(0n)
    const { seen } = await deposit(scene, await openDeposit(scene))
    expect(depositUnits).toBeGreaterThanOrEqual(seen.feeUnits + heldUnits)
  },
  ["never takes a node in trouble for an empty wallet: every failed read is an error that " +
    "says to try again"]: async (scene) => {
    const results = await askBroken(scene, TROUBLES)
    for (const { fault, errors } of results) {
      for (const error of errors) expect([fault, error.disposition]).toEqual([fault, "transient"])
    }
    const nobody = scene.wallet.portAt("http://127.0.0.1:1", 300)
    expect(
      (await failureOf(() => nobody.fetchBalance(scene.wallet.asset, NOBODY))).disposition,
    ).toBe("transient")
  },
  "never accepts a nonsense answer": async (scene) => {
    const results = await askBroken(scene, NONSENSE)
    for (const { fault, errors } of results) {
      for (const { code, disposition } of errors) {
        expect([fault, code, ["transient", "hold"].includes(disposition)]).toEqual([
          fault,
          code,
          true,
        ])
      }
    }
  },
})

/**
 * Addresses of other families, and of other networks of the same family. Each family removes its
 * own.
 */
const FOREIGN = [
  "bcrt1quzjm3z9eav93h650h3fxjcd44dyr4dnefc09mn",
  "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
  "0xDF6452499758ca5a4197b7a400EC63CdcFE53390",
  "CcFVLyzjkRYDTFBQWoDWSugz2Xns3MgFPDRqSUAKfUEa",
  "0x04462f242e56a2d6f2cf00762efccddf8b429a19eb8f93c8c7bc95e47807d265",
]
const NO_TEXT = [
  "",
  " ",
  "0x",
  "null",
  "undefined",
  "-1",
  "0",
  "\u0000",
  "../../etc/passwd",
  "x".repeat(5_000),
]

/**
 * Runs every read of the port against a node that was honest and then breaks in each of these ways.
 */
async function askBroken(scene: Scene, faults: readonly string[]) {
  const { local, wallet } = scene
  const node = await startFaultyNode(local.url)
  const swap = await local.describeDestination({
    assetId: wallet.asset,
    units: wallet.units,
    owner: wallet.port.account,
    secretHash: drawSecret().secretHash,
    timelock: local.timelocks.destination,
  })
  try {
    const ports = faults.map((fault) => ({
      fault,
      port: wallet.portAt(`${node.url}/${fault}`, fault === "hang" ? 300 : 1_500),
    }))
    await Promise.all(
      ports.map(({ fault, port }) => (fault === "hang" ? null : port.fetchHeight())),
    )
    node.breakDown()
    return await Promise.all(
      ports.map(async ({ fault, port }) => ({
        fault,
        errors: await Promise.all(readsOf(port).map(failureOf)),
      })),
    )
  } finally {
    await node.stop()
  }

  function readsOf(port: ChainPort): (() => Promise<unknown>)[] {
    return [
      () => port.fetchBalance(wallet.asset, NOBODY),
      () => port.fetchBalance(wallet.native, NOBODY),
      () => port.fetchHeight(),
      () => port.observeLeg(queryOf(scene, swap)),
    ]
  }
}

export async function failureOf(work: () => Promise<unknown>): Promise<AppError> {
  try {
    const value = await work()
    throw new Error(
      "no error, but " +
        `${JSON.stringify(value, (_key, item) => (typeof item === "bigint" ? `${item}n` : item))}`,
    )
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
