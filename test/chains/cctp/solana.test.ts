import { Keypair, PublicKey, SystemProgram } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { eventKeyOf } from "#chains/solana/cctp/burn-permissions.ts"
import { MINT_UNIT_LIMIT } from "#chains/solana/cctp/limits.ts"
import { TOKEN_PROGRAM } from "#chains/solana/tokens.ts"
import type { Reason } from "#domain/reason.ts"
import { mustExist } from "#lib/assert.ts"
import { burnOf } from "#routes/cctp/kept-burn.ts"
import { MESSENGER, tokenPairState, writeState } from "#sandbox/solana/cctp-program.ts"
import { asVerified } from "../evm/sample-order.ts"
import {
  AMOUNT,
  attester,
  base,
  burnOn,
  connection,
  contractsOnBase,
  fundSolana,
  NONE,
  onSolana,
  openBurn,
  openSolana,
  payer,
  queryOf,
  route,
  rulesOf,
  sender,
  settle,
  solana,
  usdcOnBase,
  useSolana,
  voucherOf,
} from "./use-solana.ts"

useSolana()

const codesOf = (reasons: readonly Reason[]): string =>
  [...new Set(reasons.map(({ code }) => code))].join()

async function readTransaction(txid: string) {
  const options = { commitment: "confirmed", maxSupportedTransactionVersion: 0 } as const
  return mustExist(await connection.getTransaction(txid, options), txid)
}

async function waitUntilFinal(txid: string): Promise<void> {
  await expect
    .poll(async () => (await connection.getSignatureStatuses([txid])).value[0], { timeout: 20_000 })
    .toMatchObject({ confirmationStatus: "finalized" })
}

const payoutOn = (side: typeof base, deposit: Awaited<ReturnType<typeof openBurn>>) => ({
  asset: side.asset,
  deposit,
  owner: side.port.account,
})

describe("USDC to Solana", () => {
  test.each([
    ["fast", 13_000n],
    ["standard", 0n],
  ] as const)("is minted by us after a %s burn", async (speed, fee) => {
    await fundSolana(0n)
    const deposit = await openBurn(base, solana, speed)
    expect(deposit.findings).toEqual([])
    expect(await base.leg.checkDeposit(deposit)).toEqual([])
    expect(await solana.leg.checkPayout(payoutOn(solana, deposit), null)).toEqual([])

    const signed = await burnOn(base, deposit)
    await base.settle("")
    const voucher = await voucherOf(base, deposit, signed)
    expect(await solana.leg.checkVoucher(deposit, voucher)).toEqual([])
    expect(await solana.leg.checkPayout(payoutOn(solana, deposit), voucher)).toEqual([])
    const query = queryOf("destination", solana, deposit, { voucher })
    expect(await solana.port.observeLeg(query)).toMatchObject({ agreed: true, redeemed: null })

    const payout = payoutOn(solana, deposit)
    const mint = await settle(solana, await solana.leg.planRedemption(payout, voucher, NONE))
    const paid = { txid: mint.txid, paidUnits: AMOUNT - fee, seen: true, final: true }
    expect((await solana.port.observeLeg(query)).redeemed).toMatchObject(paid)
    // The mint is found without the service too.
    const alone = queryOf("destination", solana, deposit)
    expect((await solana.port.observeLeg(alone)).redeemed).toMatchObject(paid)
    const { units } = await solana.port.fetchBalance(solana.asset, NONE)
    expect(units).toBe(AMOUNT - fee)
    expect(units).toBeGreaterThanOrEqual(mustExist(deposit.floorUnits, "the floor"))
    expect(codesOf(await solana.leg.checkPayout(payout, voucher))).toBe("cctp.nonce_used")
    expect(await solana.leg.planRedemption(payout, voucher, NONE)).toMatchObject({
      refused: [{ code: "solana.simulation" }],
    })
    const used = (await readTransaction(mint.txid)).meta?.computeUnitsConsumed ?? 0
    expect(used).toBeGreaterThan(60_000)
    expect(BigInt(used)).toBeLessThan(MINT_UNIT_LIMIT)
    // Its cost is the fee and the rent of the nonce's mark, which stays.
    const cost = await solana.port.observeTransaction(mint)
    expect(cost).toMatchObject({ status: "mined", ok: true, final: true })
    expect(cost).toHaveProperty("feeUnits", mint.plan.maxFeeUnits)
  })

  test("is not burnt while our token account there is missing", async () => {
    const deposit = await openBurn(base, solana)
    const reasons = await solana.leg.checkPayout(payoutOn(solana, deposit), null)
    expect(codesOf(reasons)).toBe("solana.token_account_missing")
  })

  test("burnt before our token account is there waits for it, and is minted then", async () => {
    const deposit = await openBurn(base, solana)
    const voucher = await voucherOf(base, deposit, await burnOn(base, deposit))
    const payout = payoutOn(solana, deposit)
    expect(codesOf(await solana.leg.checkPayout(payout, voucher))).toBe(
      "solana.token_account_missing",
    )
    expect(await solana.leg.planRedemption(payout, voucher, NONE)).toMatchObject({
      refused: [{ code: "solana.simulation" }],
    })
    await fundSolana(0n)
    expect(await solana.leg.checkPayout(payout, voucher)).toEqual([])
    await settle(solana, await solana.leg.planRedemption(payout, voucher, NONE))
    const { units } = await solana.port.fetchBalance(solana.asset, NONE)
    expect(units).toBe(AMOUNT - 13_000n)
  })

  test("is not burnt while its token has no pair here", async () => {
    await fundSolana(0n)
    const { usdc } = contractsOnBase()
    const setPair = async (mint: PublicKey): Promise<void> => {
      const word = Buffer.from(usdc.slice(2).padStart(64, "0"), "hex")
      const pair = tokenPairState(6, usdc, mint)
      await sender.send([payer], [writeState(MESSENGER, ["token_pair", "6", word], pair)])
    }
    const deposit = await openBurn(base, solana)
    await setPair(Keypair.generate().publicKey)
    const unlinked = await solana.leg.checkPayout(payoutOn(solana, deposit), null)
    await setPair(onSolana.mint)
    expect(codesOf(unlinked)).toBe("cctp.pin_differs")
    expect(await solana.leg.checkPayout(payoutOn(solana, deposit), null)).toEqual([])
  })

  test("is not burnt without a table of addresses, for the mint would not fit", async () => {
    await fundSolana(0n)
    const { lookupTables: _, ...rules } = rulesOf()
    const without = await openSolana(rules)
    const deposit = await openBurn(base, solana)
    const reasons = await without.leg.checkPayout(payoutOn(solana, deposit), null)
    expect(codesOf(reasons)).toBe("solana.lookup_table_missing")
  })

  test("a burn to the wallet in place of its token account is refused by all", async () => {
    const deposit = await openBurn(base, solana)
    const wallet = `0x${"17".repeat(32)}`
    const data = String(deposit.extras["data"])
    const words = `${data.slice(0, 138)}${wallet.slice(2)}${data.slice(202)}`
    const wrong = { ...deposit, extras: { ...deposit.extras, data: words } }
    const reasons = await solana.leg.checkPayout(payoutOn(solana, wrong), null)
    expect(codesOf(reasons)).toBe("cctp.burn_differs")
  })

  test("a message of another attester, of other bytes or after its expiry is not minted", async () => {
    await fundSolana(0n)
    const deposit = await openBurn(base, solana)
    const signed = await burnOn(base, deposit)
    attester.setFault("wrong-signature")
    const forged = await voucherOf(base, deposit, signed)
    expect(codesOf(await solana.leg.checkVoucher(deposit, forged))).toBe("cctp.attestation")
    const payout = payoutOn(solana, deposit)
    expect(codesOf(await solana.leg.checkPayout(payout, forged))).toBe("cctp.attestation")
    expect(await solana.leg.planRedemption(payout, forged, NONE)).toMatchObject({
      refused: [{ code: "solana.simulation" }],
    })
    attester.setFault("expired")
    const old = await voucherOf(base, deposit, signed)
    expect(codesOf(await solana.leg.checkPayout(payout, old))).toBe("cctp.expired")
    expect(await solana.leg.isOver?.(deposit, old)).toBe(true)
    const other = await openBurn(base, solana)
    expect(codesOf(await solana.leg.checkVoucher(other, old))).toBe("cctp.bytes_differ")
    await route.renewVoucher(old, [{ code: "cctp.expired", message: "" }])
    const fresh = await voucherOf(base, deposit, signed)
    expect(await solana.leg.checkPayout(payout, fresh)).toEqual([])
  })

  test("that another account mints first is ours all the same", async () => {
    await fundSolana(0n)
    const deposit = await openBurn(base, solana)
    const voucher = await voucherOf(base, deposit, await burnOn(base, deposit))
    const payout = payoutOn(solana, deposit)
    const ours = await solana.leg.planRedemption(payout, voucher, NONE)
    if ("refused" in ours) throw new Error(JSON.stringify(ours.refused))
    const stranger = await openSolana(rulesOf(), Keypair.generate())
    const plan = await stranger.leg.planRedemption(payout, voucher, NONE)
    const mint = await settle(stranger, plan)
    const query = queryOf("destination", solana, deposit, { voucher })
    const { redeemed } = await solana.port.observeLeg(query)
    expect(redeemed).toMatchObject({ txid: mint.txid, paidUnits: AMOUNT - 13_000n, final: true })
    // Our own mint, planned before, fails on chain and pays nothing twice.
    await expect(settle(solana, ours)).rejects.toThrow()
    expect((await solana.port.fetchBalance(solana.asset, NONE)).units).toBe(AMOUNT - 13_000n)
    expect(codesOf(await solana.leg.checkPayout(payout, voucher))).toBe("cctp.nonce_used")
  })

  test("a mint that its chain drops is none, and can be planned again", async () => {
    await fundSolana(0n)
    const deposit = await openBurn(base, solana)
    const voucher = await voucherOf(base, deposit, await burnOn(base, deposit))
    const payout = payoutOn(solana, deposit)
    const dropped = await solana.leg.planRedemption(payout, voucher, NONE)
    if ("refused" in dropped) throw new Error(JSON.stringify(dropped.refused))
    const unsent = await solana.port.signTransaction(dropped)
    const query = queryOf("destination", solana, deposit, { voucher })
    expect(await solana.port.observeTransaction(unsent)).toMatchObject({ status: "unseen" })
    expect(await solana.port.observeLeg(query)).toMatchObject({ agreed: true, redeemed: null })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const mint = await settle(solana, await solana.leg.planRedemption(payout, voucher, NONE))
    expect(mint.txid).not.toBe(unsent.txid)
    expect((await solana.port.observeLeg(query)).redeemed).toMatchObject({ txid: mint.txid })
  })

  test("waits while Circle has paused a program", async () => {
    await fundSolana(0n)
    const deposit = await openBurn(base, solana)
    await onSolana.setPaused("minter", true)
    const paused = await solana.leg.checkPayout(payoutOn(solana, deposit), null)
    await onSolana.setPaused("minter", false)
    expect(paused).toMatchObject([{ code: "cctp.paused", contracts: "minter" }])
  })
})

describe("a reviewed program", () => {
  const pinOf = async (change: Readonly<Record<string, string>> = {}) => {
    const contracts = mustExist(solana.port.contracts, "the contracts of the chain")
    const identity = await contracts.fetchContractIdentity(onSolana.messenger)
    expect(identity["program"]).toMatch(/^[0-9a-f]{64}$/)
    const pin = { htlc: onSolana.messenger, identity: { ...identity, ...change } }
    return openSolana({ ...rulesOf(), pinned: new Map([[solana.port.chain, [pin]]]) })
  }

  test("that is the same lets burns leave", async () => {
    await fundSolana()
    const { leg } = await pinOf()
    expect(await leg.checkDeposit(await openBurn(solana, base))).toEqual([])
    expect(await leg.checkPayout(payoutOn(solana, await openBurn(base, solana)), null)).toEqual([])
  })

  test.each([
    ["replaced", { program: "00".repeat(32) }],
    ["given to another authority", { authority: TOKEN_PROGRAM.toBase58() }],
  ])("that was %s keeps burns back on both chains, and no mint", async (_what, change) => {
    await fundSolana()
    const { leg } = await pinOf(change)
    const leaving = await leg.checkDeposit(await openBurn(solana, base))
    const deposit = await openBurn(base, solana)
    const payout = payoutOn(solana, deposit)
    const coming = await leg.checkPayout(payout, null)
    expect([leaving, coming].map(codesOf)).toEqual(Array(2).fill("cctp.implementation_changed"))
    const voucher = await voucherOf(base, deposit, await burnOn(base, deposit))
    expect(await leg.checkPayout(payout, voucher)).toEqual([])
  })
})

describe("USDC from Solana", () => {
  test.each([
    ["fast", 13_000n],
    ["standard", 0n],
  ] as const)("is minted by us after a %s burn", async (speed, fee) => {
    await fundSolana()
    const deposit = await openBurn(solana, base, speed)
    expect(deposit.findings).toEqual([])
    expect(await solana.leg.checkDeposit(deposit)).toEqual([])
    expect(await base.leg.checkPayout(payoutOn(base, deposit), null)).toEqual([])
    const before = await usdcOnBase(base.port.account)

    const { depositUnits, refundUnits } = await solana.port.estimateFees(solana.asset, "cctp")
    const signed = await burnOn(solana, deposit)
    // The rent of the message's account is most of it.
    expect(depositUnits).toBeGreaterThan(3_800_000n)
    expect([depositUnits >= signed.plan.maxFeeUnits, refundUnits]).toEqual([true, 0n])
    const query = queryOf("source", solana, deposit, { signed: [signed] })
    const { initiated } = await solana.port.observeLeg(query)
    expect(initiated).toMatchObject({ txid: signed.txid, units: AMOUNT, seen: true, final: true })
    const { units } = await solana.port.fetchBalance(solana.asset, NONE)
    expect(units).toBe(9n * AMOUNT)
    const cost = await solana.port.observeTransaction(signed)
    expect(cost).toMatchObject({ status: "mined", ok: true, heldUnits: 0n })
    expect(cost).toHaveProperty("feeUnits", signed.plan.maxFeeUnits)

    const voucher = await voucherOf(solana, deposit, signed)
    const payout = payoutOn(base, deposit)
    expect(await base.leg.checkPayout(payout, voucher)).toEqual([])
    const mint = await settle(base, await base.leg.planRedemption(payout, voucher, NONE))
    const found = queryOf("destination", base, deposit, { voucher })
    const paid = { txid: mint.txid, paidUnits: AMOUNT - fee, final: true }
    expect((await base.port.observeLeg(found)).redeemed).toMatchObject(paid)
    expect(await usdcOnBase(base.port.account)).toBe(before + AMOUNT - fee)
  })

  test("is found by its programs' events, as after the loss of a journal", async () => {
    await fundSolana()
    const history = mustExist(solana.leg.history, "the history")
    const from = await history.heightBefore(Date.now() - 3_600_000)
    expect(await history.findDeposits(from)).toEqual([])
    const deposit = await openBurn(solana, base)
    const { txid } = await burnOn(solana, deposit)
    const found = await history.findDeposits(from)
    expect(found.map((one) => one.txid)).toEqual([txid])
    const reopened = mustExist(route.reopen?.(mustExist(found[0], "the burn")), "its order")
    if ("refused" in reopened) throw new Error(JSON.stringify(reopened))
    expect(reopened.quote.destinationUnits).toBe(deposit.floorUnits)
    const again = asVerified(solana.leg.decodeDeposit(reopened.depositRequest, solana.asset))
    expect([again.findings, again.extras["data"]]).toEqual([[], deposit.extras["data"]])
    const { initiated } = await solana.port.observeLeg(queryOf("source", solana, again))
    expect(initiated).toMatchObject({ txid, units: AMOUNT, final: true })
    const voucher = await voucherOf(solana, again)
    const payout = payoutOn(base, again)
    const before = await usdcOnBase(base.port.account)
    await settle(base, await base.leg.planRedemption(payout, voucher, NONE))
    expect(await usdcOnBase(base.port.account)).toBe(before + AMOUNT - 13_000n)
    expect(await history.findDeposits((initiated?.height ?? 0n) + 1n)).toEqual([])
  })

  test("is burnt though a stranger sent coins to the account of its message", async () => {
    await fundSolana()
    const deposit = await openBurn(solana, base)
    const { publicKey: toPubkey } = eventKeyOf(deposit.secretHash, burnOf(deposit).depositor)
    const lamports = 1_000_000
    const gift = SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey, lamports })
    await sender.send([payer], [gift])
    const burn = await burnOn(solana, deposit)
    expect(await solana.port.observeTransaction(burn)).toMatchObject({ status: "mined", ok: true })
  })

  test("is never burnt twice for one order, whatever is planned and signed", async () => {
    await fundSolana()
    const deposit = await openBurn(solana, base)
    const request = { action: "initiate", asset: solana.asset, deposit } as const
    const first = await solana.port.planTransaction(request, NONE)
    if ("refused" in first) throw new Error(JSON.stringify(first.refused))
    const reserved = await solana.port.planTransaction(request, new Set(first.resources))
    expect(reserved).toMatchObject({ refused: [{ code: "claims.taken" }] })
    await new Promise((resolve) => setTimeout(resolve, 200))
    const second = await solana.port.planTransaction(request, NONE)
    if ("refused" in second) throw new Error(JSON.stringify(second.refused))
    expect(second.digest).not.toBe(first.digest)
    await settle(solana, first)
    // The program opens the message's account once, so the second burn fails on chain too.
    await expect(settle(solana, second)).rejects.toThrow()
    const third = await solana.port.planTransaction(request, NONE)
    expect(third).toMatchObject({ refused: [{ code: "solana.already_initiated" }] })
    const { units } = await solana.port.fetchBalance(solana.asset, NONE)
    expect(units).toBe(9n * AMOUNT)
  })

  test("is not burnt above the limit, from a blocked account or while paused", async () => {
    await fundSolana()
    const deposit = await openBurn(solana, base)
    await onSolana.setBurnLimit(AMOUNT - 1n)
    const above = await solana.leg.checkDeposit(deposit)
    await onSolana.setBurnLimit(10n * AMOUNT)
    expect(codesOf(above)).toBe("cctp.burn_limit")
    await onSolana.setPaused("transmitter", true)
    const paused = await solana.leg.checkDeposit(deposit)
    await onSolana.setPaused("transmitter", false)
    expect(codesOf(paused)).toBe("cctp.paused")
    await onSolana.setDenylisted(new PublicKey(solana.port.account))
    expect(codesOf(await solana.leg.checkDeposit(deposit))).toBe("cctp.blocked")
    const request = { action: "initiate", asset: solana.asset, deposit } as const
    expect(await solana.port.planTransaction(request, NONE)).toMatchObject({
      refused: [{ code: "solana.simulation" }],
    })
  })

  test("that failed in its block was not burnt", async () => {
    await fundSolana()
    const deposit = await openBurn(solana, base)
    const request = { action: "initiate", asset: solana.asset, deposit } as const
    const plan = await solana.port.planTransaction(request, NONE)
    if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
    const signed = await solana.port.signTransaction(plan)
    await onSolana.setBurnLimit(AMOUNT - 1n)
    await connection.sendRawTransaction(Buffer.from(signed.raw, "base64"), { skipPreflight: true })
    await waitUntilFinal(signed.txid)
    await onSolana.setBurnLimit(10n * AMOUNT)
    const seen = await solana.port.observeTransaction(signed)
    expect(seen).toMatchObject({ status: "mined", ok: false, final: true })
    const query = queryOf("source", solana, deposit, { signed: [signed] })
    expect((await solana.port.observeLeg(query)).initiated).toBeNull()
    const proof = await solana.port.proveUnfunded({ ...query, signed: [signed] })
    expect(proof.status).toBe("unfunded")
    const { units } = await solana.port.fetchBalance(solana.asset, NONE)
    expect(units).toBe(10n * AMOUNT)
  })

  test("an unsent burn is proven not to have landed, and a sent one is not", async () => {
    await fundSolana()
    const deposit = await openBurn(solana, base)
    const query = queryOf("source", solana, deposit)
    const none = await solana.port.proveUnfunded({ ...query, signed: [] })
    expect(none.status).toBe("unfunded")
    const signed = await burnOn(solana, deposit)
    const sent = await solana.port.proveUnfunded({ ...query, signed: [signed] })
    expect(sent.status).toBe("funded")
  })
})
