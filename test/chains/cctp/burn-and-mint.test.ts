import type { Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { describe, expect, test } from "vitest"
import { encodeMint } from "#chains/evm/cctp/calls.ts"
import type { VerifiedDeposit } from "#domain/deposit.ts"
import { mustExist } from "#lib/assert.ts"
import { callAnvil } from "#sandbox/evm/call-anvil.ts"
import { createSender } from "#sandbox/evm/create-sender.ts"
import {
  AMOUNT,
  attester,
  balanceOf,
  burn,
  burnQuery,
  checkMint,
  destination,
  NONE,
  openBurn,
  openPinned,
  openRoute,
  planMint,
  route,
  seeBurn,
  seeMint,
  settle,
  source,
  useTwoChains,
} from "./use-two-chains.ts"

useTwoChains()

async function voucherOf(deposit: VerifiedDeposit, signed: Awaited<ReturnType<typeof burn>>) {
  const fresh = openRoute(destination.port.account, ["fast"])
  const report = await fresh.readVoucher(deposit, await seeBurn(deposit, signed))
  if (report.status !== "ready") throw new Error(JSON.stringify(report))
  return report.voucher
}

/** What a contract spends in a loop before each call, from `makeDear` on. */
const DEAR_GAS = 350_000n
const LOOP_GAS = 26n

/** The contract costs more until the returned function is called: a loop, then its own code. */
async function makeDear({ chain }: typeof source.cctp, address: Hex): Promise<() => Promise<void>> {
  const setCode = async (at: Hex, code: Hex): Promise<void> => {
    await callAnvil(chain.client, "anvil_setCode", [at, code])
  }
  const code = mustExist(await chain.client.getCode({ address }), "the code")
  const moved = privateKeyToAccount(generatePrivateKey()).address
  const rounds = (DEAR_GAS / LOOP_GAS + 1n).toString(16).padStart(6, "0")
  const loop = `62${rounds}5b60019003806004575036600060003760006000366000`
  const call = `73${moved.slice(2)}5af43d600060003e`
  const target = ((loop.length + call.length) / 2 + 7).toString(16)
  await setCode(moved, code)
  await setCode(address, `0x${loop}${call}60${target}573d6000fd5b3d6000f3`)
  return () => setCode(address, code)
}

function gasOf({ cctp }: typeof source, txid: string) {
  // CAST: a hash of an EVM chain.
  return cctp.chain.client.getTransactionReceipt({ hash: txid as Hex })
}

const codesOf = (reasons: readonly { readonly code: string }[]): string =>
  reasons.map(({ code }) => code).join()

describe("USDC", () => {
  test.each([
    ["fast", 13_000n],
    ["standard", 0n],
  ] as const)("goes from chain to chain by a %s burn and our own mint", async (speed, fee) => {
    const deposit = await openBurn(speed)
    expect(deposit.findings).toEqual([])
    expect(await source.leg.checkDeposit(deposit)).toEqual([])
    expect(await checkMint(deposit, null)).toEqual([])
    const before = await balanceOf(destination, destination.port.account)

    const signed = await burn(deposit)
    expect(await balanceOf(source, source.port.account)).toBe(9n * AMOUNT)
    const seen = await seeBurn(deposit, signed)
    expect(seen).toMatchObject({ txid: signed.txid, units: AMOUNT, seen: true, final: true })
    // A standard burn is attested after three blocks.
    await source.cctp.chain.advance(1)
    const report = await route.readVoucher(deposit, seen)
    if (report.status !== "ready") throw new Error(JSON.stringify(report))

    const { voucher } = report
    expect(await checkMint(deposit, voucher)).toEqual([])
    expect(await seeMint(deposit, voucher)).toBeNull()
    const mint = await settle(destination, await planMint(deposit, voucher))
    await destination.cctp.chain.advance(1)

    const expected = { txid: mint.txid, paidUnits: AMOUNT - fee, final: true }
    expect(await seeMint(deposit, voucher)).toMatchObject(expected)
    // The mint is found without the service too.
    expect(await seeMint(deposit, null)).toMatchObject(expected)
    expect(await balanceOf(destination, destination.port.account)).toBe(before + AMOUNT - fee)
    expect(AMOUNT - fee).toBeGreaterThanOrEqual(mustExist(deposit.floorUnits, "the floor"))
    expect(codesOf(await checkMint(deposit, voucher))).toBe("cctp.nonce_used")
  })

  test("costs for its mint what the chain asks now, far below the configured cap", async () => {
    const feeUnits = await destination.leg.estimateRedeemFee(destination.asset)
    expect(feeUnits).toBeGreaterThan(10n ** 14n)
    expect(feeUnits).toBeLessThan(10n ** 16n)
  })

  test("gets the gas that its contracts ask for, however dear they are", async () => {
    const undo = [
      await makeDear(source.cctp, source.cctp.usdc),
      await makeDear(source.cctp, source.cctp.messenger),
      await makeDear(destination.cctp, destination.cctp.transmitter),
    ]
    try {
      const deposit = await openBurn()
      const { asset, port } = source
      const approval = {
        action: "approve",
        asset,
        spender: deposit.htlc,
        units: deposit.units,
      } as const
      const approved = await settle(source, await port.planTransaction(approval, NONE))
      const plan = await port.planTransaction({ action: "initiate", asset, deposit }, NONE)
      const burnt = await settle(source, plan)
      await source.cctp.chain.advance(1)
      const mint = await settle(
        destination,
        await planMint(deposit, await voucherOf(deposit, burnt)),
      )
      const used = [
        await gasOf(source, approved.txid),
        await gasOf(source, burnt.txid),
        await gasOf(destination, mint.txid),
      ]
      expect(used.map(({ status }) => status)).toEqual(Array(3).fill("success"))
      // A fixed limit of 100 000 or 200 000, as other programs had, would end each of them.
      for (const { gasUsed } of used) expect(gasUsed).toBeGreaterThan(DEAR_GAS)
    } finally {
      for (const each of undo) await each()
    }
  })

  test("that a stranger mints first is ours all the same", async () => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    const voucher = await voucherOf(deposit, signed)
    const stranger = privateKeyToAccount(generatePrivateKey())
    await destination.cctp.chain.setBalance(stranger.address, 10n ** 18n)
    const { message = "0x", attestation = "0x" } = voucher.fields
    // CAST: a voucher's fields are hex.
    const data = encodeMint(message as Hex, attestation as Hex)
    const sender = createSender(destination.cctp.chain.client, stranger)
    await sender.send({ to: destination.cctp.transmitter, data })
    await destination.cctp.chain.advance(2)
    const paid = { paidUnits: AMOUNT - 13_000n, final: true }
    expect(await seeMint(deposit, voucher)).toMatchObject(paid)
    expect(codesOf(await checkMint(deposit, voucher))).toBe("cctp.nonce_used")
    expect(await planMint(deposit, voucher)).toMatchObject({
      refused: [{ code: "evm.simulation_reverted" }],
    })
  })

  test("of two equal burns counts each nonce for its own burn", async () => {
    const first = await openBurn()
    const second = await openBurn()
    const one = await burn(first)
    const two = await burn(second)
    const vouchers = [await voucherOf(first, one), await voucherOf(second, two)]
    expect(vouchers[0]?.nonce).not.toBe(vouchers[1]?.nonce)
    // The tag of the order tells their messages apart, so neither takes the other's voucher.
    const crossed = mustExist(vouchers[1], "a voucher")
    expect(codesOf(await checkMint(first, crossed))).toBe("cctp.bytes_differ")
  })

  test("is found by its events, as after the loss of a journal", async () => {
    const history = mustExist(source.leg.history, "the history")
    const from = await history.heightBefore(Date.now() - 3_600_000)
    const before = await history.findDeposits(from)
    const deposit = await openBurn()
    const { txid } = await burn(deposit)
    const found = (await history.findDeposits(from)).slice(before.length)
    expect(found.map((one) => one.txid)).toEqual([txid])
    const reopened = mustExist(route.reopen?.(mustExist(found[0], "the burn")), "its order")
    if ("refused" in reopened) throw new Error(JSON.stringify(reopened))
    expect(reopened.quote.destinationUnits).toBe(deposit.floorUnits)
    const again = source.leg.decodeDeposit(reopened.depositRequest, source.asset)
    expect([again.findings, again.extras["data"]]).toEqual([[], deposit.extras["data"]])
    // CAST: without findings, as the verification of an order makes it.
    const { initiated } = await source.port.observeLeg(burnQuery(again as VerifiedDeposit, []))
    expect(initiated).toMatchObject({ txid, units: AMOUNT, final: true })
    expect(await history.findDeposits((initiated?.height ?? 0n) + 1n)).toEqual([])
  })

  test("that left in a reverted transaction was not burnt", async () => {
    const deposit = await openBurn()
    const { asset, port } = source
    const approval = {
      action: "approve",
      asset,
      spender: deposit.htlc,
      units: deposit.units,
    } as const
    await settle(source, await port.planTransaction(approval, NONE))
    const plan = await port.planTransaction({ action: "initiate", asset, deposit }, NONE)
    await source.cctp.own("transmitter", "setPaused", [true])
    try {
      const signed = await settle(source, plan)
      const query = burnQuery(deposit, [signed])
      expect((await port.observeLeg(query)).initiated).toBeNull()
      expect(await port.proveUnfunded({ ...query, signed: [signed] })).toMatchObject({
        status: "unsure",
      })
      await source.cctp.chain.advance(1)
      expect(await port.proveUnfunded({ ...query, signed: [signed] })).toMatchObject({
        status: "unfunded",
      })
      expect(await port.observeTransaction(signed)).toMatchObject({ status: "mined", ok: false })
    } finally {
      await source.cctp.own("transmitter", "setPaused", [false])
    }
  })
})

describe("before the burn", () => {
  const sourceFaults = async (): Promise<string> =>
    codesOf(await source.leg.checkDeposit(await openBurn()))
  const destinationFaults = async (): Promise<string> =>
    codesOf(await checkMint(await openBurn(), null))

  type Owned = Parameters<(typeof source)["cctp"]["own"]>

  async function during<T>(
    cctp: typeof source.cctp,
    set: Owned,
    reset: Owned,
    work: () => Promise<T>,
  ): Promise<T> {
    await cctp.own(...set)
    try {
      return await work()
    } finally {
      await cctp.own(...reset)
    }
  }

  test.each([
    ["transmitter", "cctp.paused"],
    ["minter", "cctp.paused"],
    ["usdc", "cctp.paused"],
  ] as const)("a paused %s of either chain is a reason", async (contract, expected) => {
    const set: Owned = [contract, "setPaused", [true]]
    const reset: Owned = [contract, "setPaused", [false]]
    expect(await during(source.cctp, set, reset, sourceFaults)).toBe(expected)
    expect(await during(destination.cctp, set, reset, destinationFaults)).toBe(expected)
  })

  test("a blocked account is a reason", async () => {
    const { account } = source.port
    const listed = (contract: Owned[0], name: string, value: boolean): Owned => [
      contract,
      name,
      [account, value],
    ]
    for (const [cctp, contract, name, faults] of [
      [source.cctp, "messenger", "setDenylisted", sourceFaults],
      [source.cctp, "usdc", "setBlacklisted", sourceFaults],
      [destination.cctp, "usdc", "setBlacklisted", destinationFaults],
    ] as const)
      expect(
        await during(cctp, listed(contract, name, true), listed(contract, name, false), faults),
      ).toBe("cctp.blocked")
  })

  test("a limit, a least fee, an allowance and a broken link are reasons", async () => {
    const { usdc, messenger } = source.cctp
    const word = (address: Hex): Hex => `0x${address.slice(2).padStart(64, "0")}`
    const zero: Hex = `0x${"00".repeat(32)}`
    expect(
      await during(
        source.cctp,
        ["minter", "setBurnLimit", [usdc, AMOUNT - 1n]],
        ["minter", "setBurnLimit", [usdc, 10n ** 13n]],
        sourceFaults,
      ),
    ).toBe("cctp.burn_limit")
    expect(
      await during(
        source.cctp,
        ["messenger", "setMinFeeRate", [2_000n]],
        ["messenger", "setMinFeeRate", [0n]],
        sourceFaults,
      ),
    ).toBe("cctp.fee_below_min")
    expect(
      await during(
        source.cctp,
        ["messenger", "setRemote", [6, zero]],
        ["messenger", "setRemote", [6, word(destination.cctp.messenger)]],
        sourceFaults,
      ),
    ).toBe("cctp.pin_differs")
    expect(
      await during(
        destination.cctp,
        ["usdc", "setMinterAllowance", [destination.cctp.minter, AMOUNT - 1n]],
        ["usdc", "setMinterAllowance", [destination.cctp.minter, 10n ** 15n]],
        destinationFaults,
      ),
    ).toBe("cctp.minter_allowance")
    expect(
      await during(
        destination.cctp,
        ["minter", "linkToken", [3, word(usdc), messenger]],
        ["minter", "linkToken", [3, word(usdc), destination.cctp.usdc]],
        destinationFaults,
      ),
    ).toBe("cctp.pin_differs")
  })
})

describe("a reviewed contract", () => {
  const messengerOf = async ({ cctp: { messenger: htlc }, port }: typeof source) => {
    const contracts = mustExist(port.contracts, "the contracts of the chain")
    return { htlc, identity: await contracts.fetchContractIdentity(htlc) }
  }
  const replaced = { code: `0x${"00".repeat(32)}` }

  test("that is the same lets a burn leave", async () => {
    const leg = await openPinned(source, await messengerOf(source))
    expect(await leg.checkDeposit(await openBurn())).toEqual([])
  })

  test("that was replaced keeps burns back on both chains, and no mint", async () => {
    const deposit = await openBurn()
    const pin = async (place: typeof source) => ({
      ...(await messengerOf(place)),
      identity: replaced,
    })
    const from = await openPinned(source, await pin(source))
    expect(codesOf(await from.checkDeposit(deposit))).toBe("cctp.implementation_changed")
    const to = await openPinned(destination, await pin(destination))
    const payout = { asset: destination.asset, deposit, owner: destination.port.account }
    expect(codesOf(await to.checkPayout(payout, null))).toBe("cctp.implementation_changed")
    const voucher = await voucherOf(deposit, await burn(deposit))
    expect(await to.checkPayout(payout, voucher)).toEqual([])
  })
})

describe("the attestation service", () => {
  test.each([
    ["never", "waiting", ""],
    ["unknown", "waiting", ""],
    ["empty", "waiting", ""],
    ["null-message", "waiting", ""],
    ["altered-bytes", "broken", "cctp.bytes_differ"],
    ["fee-above-max", "broken", "cctp.fee_above_max"],
    ["fallback-to-standard", "waiting", "cctp.fell_to_standard"],
  ] as const)("that does %s gives no voucher", async (fault, status, code) => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    attester.setFault(fault)
    const report = await route.readVoucher(deposit, await seeBurn(deposit, signed))
    expect(report.status).toBe(status)
    expect(report.status === "ready" ? "" : codesOf(report.reasons)).toBe(code)
  })

  test("that limits our requests is left alone", async () => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    attester.setFault("limited")
    const seen = await seeBurn(deposit, signed)
    await expect(route.readVoucher(deposit, seen)).rejects.toMatchObject({
      code: "cctp.rate_limited",
      details: { retryAfterMs: 330_000 },
    })
    attester.setFault(null)
    await expect(route.readVoucher(deposit, seen)).rejects.toMatchObject({
      code: "cctp.rate_limited",
    })
  })

  test("that lists foreign burns first does not confuse ours", async () => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    attester.setFault("foreign-burns")
    const voucher = await voucherOf(deposit, signed)
    expect(await checkMint(deposit, voucher)).toEqual([])
  })

  test.each([
    ["wrong-signature", "cctp.attestation"],
    ["unordered-signatures", "cctp.attestation"],
  ] as const)("that does %s gives a voucher that no gas is paid for", async (fault, code) => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    attester.setFault(fault)
    const voucher = await voucherOf(deposit, signed)
    const reasons = await checkMint(deposit, voucher)
    expect(codesOf(reasons)).toContain(code)
  })

  test("gives an expired message again, and the mint works then", async () => {
    const deposit = await openBurn()
    const signed = await burn(deposit)
    attester.setFault("expired")
    const voucher = await voucherOf(deposit, signed)
    const stale = await checkMint(deposit, voucher)
    expect(codesOf(stale)).toBe("cctp.expired")
    await destination.cctp.chain.advance(5)
    expect(await destination.leg.isOver?.(deposit, voucher)).toBe(true)
    await route.renewVoucher(voucher, stale)
    const renewed = await voucherOf(deposit, signed)
    expect(renewed.nonce).toBe(voucher.nonce)
    expect(await checkMint(deposit, renewed)).toEqual([])
    expect(await destination.leg.isOver?.(deposit, renewed)).toBe(false)
    await settle(destination, await planMint(deposit, renewed))
    await destination.cctp.chain.advance(5)
    expect(await destination.leg.isOver?.(deposit, voucher)).toBe(false)
    expect((await seeMint(deposit, renewed))?.paidUnits).toBe(AMOUNT - 13_000n)
  })
})

describe("between burn and mint", () => {
  test("a pause and a blocked recipient stop the mint, and it works afterwards", async () => {
    const deposit = await openBurn()
    const voucher = await voucherOf(deposit, await burn(deposit))
    const { account } = destination.port
    await destination.cctp.own("usdc", "setBlacklisted", [account, true])
    expect(codesOf(await checkMint(deposit, voucher))).toBe("cctp.blocked")
    await destination.cctp.own("usdc", "setBlacklisted", [account, false])
    await destination.cctp.own("transmitter", "setPaused", [true])
    expect(codesOf(await checkMint(deposit, voucher))).toBe("cctp.paused")
    await destination.cctp.own("transmitter", "setPaused", [false])
    await settle(destination, await planMint(deposit, voucher))
    expect((await seeMint(deposit, voucher))?.paidUnits).toBe(AMOUNT - 13_000n)
  })

  test("a mint that its chain drops can be sent again", async () => {
    const deposit = await openBurn()
    const voucher = await voucherOf(deposit, await burn(deposit))
    const signed = await settle(destination, await planMint(deposit, voucher))
    expect(await seeMint(deposit, voucher)).not.toBeNull()
    await destination.cctp.chain.reorg(1)
    expect(await seeMint(deposit, voucher)).toBeNull()
    expect(await checkMint(deposit, voucher)).toEqual([])
    await destination.port.broadcastTransaction(signed)
    await destination.cctp.chain.advance(1)
    expect((await seeMint(deposit, voucher))?.txid).toBe(signed.txid)
  })
})
