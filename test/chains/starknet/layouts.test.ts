import { createHash } from "node:crypto"
import { ec } from "starknet"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createStarknetChain } from "#chains/starknet/create-chain.ts"
import { decodeStarknetDeposit } from "#chains/starknet/decode.ts"
import { formatFelt } from "#chains/starknet/felt.ts"
import { encodeInitiate, type HashLayout, initiateSelector } from "#chains/starknet/htlc.ts"
import { describeStarknetRefund } from "#chains/starknet/spend/refund-recipe.ts"
import { type Asset, parseAssetId, toChainId } from "#domain/asset.ts"
import type { DecodedDeposit, VerifiedDeposit } from "#domain/deposit.ts"
import type { TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { ContractsVersion, LocalSwap } from "#sandbox/local-chain.ts"
import { selectorOf } from "#sandbox/starknet/felt.ts"
import { deriveOrderId } from "#sandbox/starknet/htlc.ts"
import { HTLC_VARIANTS, splitHash } from "#sandbox/starknet/htlc-variant.ts"
import { createLocalAccount, sendCalls } from "#sandbox/starknet/local-account.ts"
import type { LocalStarknetChain } from "#sandbox/starknet/starknet-chain.ts"
import { mineBlock } from "#sandbox/starknet/submit-invoke.ts"
import { legQueryOf } from "../../support/leg-query.ts"
import { openStarknet } from "../local-chains.ts"

const KEY = new Secret("0x5eed5eed5eed5eed", "env:STARKNET_KEY")
const SOLVER_KEY = "0x501fe2"
const [STRK, WBTC] = ["starknet_sepolia:strk", "starknet_sepolia:wbtc"].map(parseAssetId) as [
  Asset["id"],
  Asset["id"],
] // CAST: the list has two items.
const NONE_RESERVED: ReadonlySet<string> = new Set()

const LAYOUTS: readonly { contracts: ContractsVersion; layout: HashLayout; other: HashLayout }[] = [
  { contracts: "v1", layout: "words", other: "halves" },
  { contracts: "v2", layout: "words", other: "halves" },
  { contracts: "v3", layout: "halves", other: "words" },
]

describe.each(LAYOUTS)(
  "contracts of $contracts, which take the hash in $layout",
  ({ contracts, layout, other }) => {
    let local: LocalStarknetChain
    let chain: ChainPort
    let assets: readonly Asset[]
    let seed = 0

    beforeAll(async () => {
      local = await openStarknet({ contracts })
      const account = local.deployAccount(ec.starkCurve.getStarkKey(KEY.reveal()))
      const id = toChainId("starknet_sepolia")
      assets = local.assets.map(({ id: asset, decimals, token, htlc }) => {
        return {
          id: parseAssetId(asset),
          chain: id,
          decimals,
          token,
          htlc: [mustExist(htlc, "htlc")],
        }
      })
      const limits = {
        confirmations: 1,
        maxFeeUnits: 10n ** 18n,
        timeoutMs: 20_000,
        clock: systemClock,
      }
      const place = { chain: id, chainId: "SN_SEPOLIA", rpc: [local.url], account, key: KEY }
      chain = createStarknetChain({ ...place, ...limits, assets })
      for (const [asset, units] of [
        [STRK, 10n ** 20n],
        [WBTC, 10n ** 9n],
      ] as const) {
        const funded = local.fund(account, asset, units)
        mineBlock(local.devnet)
        await funded
      }
    })

    afterAll(() => local.stop())

    function nextHash(): { secret: string; secretHash: string } {
      const secret = createHash("sha256").update(`${contracts} ${seed++}`).digest("hex")
      return {
        secret,
        secretHash: createHash("sha256").update(Buffer.from(secret, "hex")).digest("hex"),
      }
    }

    async function order(units: bigint, timelock = 43_200) {
      const { secret, secretHash } = nextHash()
      const terms = { assetId: WBTC, units, owner: chain.account, secretHash, timelock }
      const { swap, response } = await local.describeSource(terms)
      const transaction = response["transaction"] as Transaction // CAST: the sandbox's own answer.
      const deposit = decode(transaction, response["typed_data"])
      expect(deposit.findings).toEqual([])
      return { swap, secret, deposit, transaction }
    }

    type Transaction = { to: string; selector: string; calldata: string[] }

    function decode(transaction: Transaction, typedData: unknown = null): DecodedDeposit {
      const context = {
        chain: toChainId("starknet_sepolia"),
        chainId: "SN_SEPOLIA",
        account: chain.account,
        assets,
      }
      return decodeStarknetDeposit(context, { family: "starknet", transaction, typedData })
    }

    async function land(request: TransactionRequest): Promise<string> {
      const planned = await chain.planTransaction(request, NONE_RESERVED)
      if ("refused" in planned) throw new Error(JSON.stringify(planned.refused))
      return landPlan(planned)
    }

    async function landPlan(planned: TransactionPlan): Promise<string> {
      const signed = await chain.signTransaction(planned)
      await chain.broadcastTransaction(signed)
      mineBlock(local.devnet)
      expect(await chain.observeTransaction(signed)).toMatchObject({ status: "mined", ok: true })
      return signed.txid
    }

    const initiate = (deposit: DecodedDeposit): TransactionRequest => {
      // CAST: the test stands in for the guard.
      return { action: "initiate", asset: WBTC, deposit: deposit as VerifiedDeposit }
    }
    const refund = (deposit: DecodedDeposit, swapId: string): TransactionRequest => {
      // CAST: the test stands in for the guard.
      return { action: "refund", asset: WBTC, deposit: deposit as VerifiedDeposit, swapId }
    }

    function queryOf(swap: LocalSwap, change: Partial<LegQuery> = {}): LegQuery {
      return legQueryOf(swap, { owner: chain.account, ...change })
    }

    test("deposits in the contract's layout, and observes deposit and secret", async () => {
      const { swap, secret, deposit, transaction } = await order(50_000n)
      expect(transaction.calldata).toHaveLength(layout === "halves" ? 6 : 12)
      expect(deposit.extras["layout"]).toBe(layout)
      expect(deposit.extras["orderIds"]).toContain(swap.swapId)
      const txid = await land(initiate(deposit))
      expect((await chain.observeLeg(queryOf(swap))).initiated).toMatchObject({
        txid,
        units: 50_000n,
      })
      const again = await chain.planTransaction(initiate(deposit), NONE_RESERVED)
      expect(again).toMatchObject({ refused: [{ code: "starknet.order_exists" }] })
      await local.redeem(swap, secret)
      mineBlock(local.devnet)
      expect((await chain.observeLeg(queryOf(swap))).redeemed).toMatchObject({
        secret,
        paidUnits: 0n,
      })
    })

    test("plans no deposit in the layout that the contract cannot read", async () => {
      const { swap, deposit, transaction } = await order(5_000n)
      const { redeemer, timelock, units, secretHash } = deposit
      const terms = { redeemer: BigInt(redeemer), timelock, units, secretHash }
      const call = { terms, layout: other, destinationData: null }
      const wrong = decode({ ...transaction, calldata: encodeInitiate(call).map(formatFelt) })
      expect(wrong).toMatchObject({ findings: [], secretHash: swap.secretHash })
      const planned = await chain.planTransaction(initiate(wrong), NONE_RESERVED)
      expect(planned).toMatchObject({ refused: [{ code: "starknet.would_revert" }] })
    })

    test("carries destination data into its own deposit, and observes it", async () => {
      const { swap, deposit, transaction } = await order(6_000n)
      const { redeemer, timelock, units, secretHash } = deposit
      const terms = { redeemer: BigInt(redeemer), timelock, units, secretHash }
      const call = { terms, layout, destinationData: [7n, 8n] }
      const selector = formatFelt(initiateSelector(call))
      const decoded = decode({
        ...transaction,
        selector,
        calldata: encodeInitiate(call).map(formatFelt),
      })
      expect(decoded).toMatchObject({
        findings: [],
        secretHash,
        extras: { destinationData: ["7", "8"] },
      })
      const txid = await land(initiate(decoded))
      expect((await chain.observeLeg(queryOf(swap))).initiated).toMatchObject({
        txid,
        units: 6_000n,
      })
      const unknown = { redeemer: null, timelock: null }
      expect((await chain.observeLeg(queryOf(swap, unknown))).initiated).toMatchObject({
        txid,
        units: 6_000n,
      })
    })

    test("makes a gasless deposit with our signature", async () => {
      const { swap, deposit } = await order(7_000n)
      await land({ action: "approve", asset: WBTC, spender: deposit.htlc, units: 7_000n })
      // CAST: the test stands in for the guard.
      const { signature } = await chain.signTypedData(deposit as VerifiedDeposit)
      await local.initiateWithSignature(swap, signature)
      mineBlock(local.devnet)
      expect((await chain.observeLeg(queryOf(swap))).initiated).toMatchObject({ units: 7_000n })
    })

    test.each([
      ["by the service's swap id", (swap: LocalSwap) => ({ swapId: swap.swapId, ids: [] })],
      ["by our own derivation", (_swap: LocalSwap, ids: unknown) => ({ swapId: "abc", ids })],
      [
        "by the event alone, if neither is the contract's id",
        () => ({ swapId: "abc", ids: ["def"] }),
      ],
    ])("refunds after the timelock %s", async (_how, known) => {
      const { swap, deposit } = await order(800n, 5)
      const before = await chain.fetchBalance(WBTC, NONE_RESERVED)
      await land(initiate(deposit))
      const { swapId, ids } = known(swap, deposit.extras["orderIds"])
      const stored = { ...deposit, extras: { ...deposit.extras, orderId: null, orderIds: ids } }
      const early = await chain.planTransaction(refund(stored, swapId), NONE_RESERVED)
      expect(early).toMatchObject({ refused: [{ reason: expect.stringContaining("not expired") }] })
      await local.advance(5)
      await land(refund(stored, swapId))
      expect((await chain.fetchBalance(WBTC, NONE_RESERVED)).units).toBe(before.units)
      expect((await chain.observeLeg(queryOf(swap))).refunded).toMatchObject({ paidUnits: 800n })
    })

    test(
      "refunds no other order that the service's swap id names, and no order that is not on " +
        "chain",
      async () => {
        const first = await order(900n, 5)
        const second = await order(901n, 5)
        await land(initiate(first.deposit))
        await local.advance(6)
        const planned = await chain.planTransaction(
          refund(second.deposit, first.swap.swapId),
          NONE_RESERVED,
        )
        expect(planned).toMatchObject({ refused: [{ code: "starknet.swap_id" }] })
      },
    )

    test("refunds its own order if the swap id names a twin of ours with the same terms", async () => {
      const first = await order(902n, 5)
      const second = await order(902n, 5)
      for (const { deposit } of [first, second]) await land(initiate(deposit))
      await local.advance(6)
      for (const { deposit, swap } of [first, second]) {
        await land(refund(deposit, first.swap.swapId))
        expect((await chain.observeLeg(queryOf(swap))).refunded).toMatchObject({ paidUnits: 902n })
      }
    })

    test(
      "refunds no twin of ours if only the swap id names an order, and finds the right one by " +
        "its event",
      async () => {
        const first = await order(903n, 5)
        const second = await order(903n, 5)
        for (const { deposit } of [first, second]) await land(initiate(deposit))
        await local.advance(6)
        const stored = {
          ...second.deposit,
          extras: { ...second.deposit.extras, orderId: null, orderIds: [] },
        }
        await land(refund(stored, first.swap.swapId))
        expect((await chain.observeLeg(queryOf(first.swap))).refunded).toBeNull()
        expect((await chain.observeLeg(queryOf(second.swap))).refunded).toMatchObject({
          paidUnits: 903n,
        })
      },
    )

    test("prints the derived order ids in the refund recipe", async () => {
      const { swap, deposit } = await order(5n)
      const verified = deposit as VerifiedDeposit // CAST: the test stands in for the guard.
      const recipe = describeStarknetRefund(verified, null)
      expect(recipe["possibleOrderIds"]).toContain(`0x${swap.swapId}`)
      expect(recipe["calldata"]).toHaveLength(1)
      for (const spelling of [swap.swapId, `0x${swap.swapId.padStart(64, "0")}`])
        expect(describeStarknetRefund(verified, spelling)["calldata"]).toEqual([`0x${swap.swapId}`])
      expect(describeStarknetRefund(verified, "5".repeat(60))).toEqual(recipe)
    })

    test(
      "takes no order for our deposit that a stranger opened in our name with another redeemer " +
        "or timelock",
      async () => {
        const { swap, deposit } = await order(904n)
        const funder = createLocalAccount(local.devnet, "0xbad1")
        for (const [asset, units] of [
          [STRK, 10n ** 20n],
          [WBTC, 10_000n],
        ] as const) {
          const funded = local.fund(formatFelt(funder.address), asset, units)
          mineBlock(local.devnet)
          await funded
        }
        const [htlc, ours, redeemer] = [deposit.htlc, chain.account, deposit.redeemer].map(
          BigInt,
        ) as [bigint, bigint, bigint] // CAST: the list has three items.
        const token = BigInt(mustExist(assets.find(({ id }) => id === WBTC)?.token, "token"))
        for (const [payee, timelock] of [
          [0x5678n, 43_200n],
          [redeemer, 9n],
        ] as const) {
          const calldata = [
            ours,
            payee,
            timelock,
            904n,
            0n,
            ...splitHash(HTLC_VARIANTS[contracts], swap.secretHash),
          ]
          sendCalls(local.devnet, funder, [
            { to: token, selector: selectorOf("approve"), calldata: [htlc, 904n, 0n] },
            { to: htlc, selector: selectorOf("initiate_on_behalf"), calldata },
          ])
          mineBlock(local.devnet)
          expect((await chain.observeLeg(queryOf(swap))).initiated).toBeNull()
          const named = { redeemer: formatFelt(payee), timelock }
          expect((await chain.observeLeg(queryOf(swap, named))).initiated).toMatchObject({
            units: 904n,
          })
        }
        const txid = await land(initiate(deposit))
        expect((await chain.observeLeg(queryOf(swap))).initiated).toMatchObject({ txid })
      },
    )

    test("observes a payout that another account funded on behalf of the solver", async () => {
      const { secret, secretHash } = nextHash()
      const terms = { assetId: WBTC, units: 77n, owner: chain.account, secretHash, timelock: 3_600 }
      const described = await local.describeDestination(terms)
      const funder = createLocalAccount(local.devnet, SOLVER_KEY)
      const variant = HTLC_VARIANTS[contracts]
      const htlc = BigInt(mustExist(described.extra["htlc"], "htlc"))
      const initiator = 0x1234n
      const message = { redeemer: BigInt(chain.account), timelock: 3_600n, units: 77n, secretHash }
      const place = { chainId: local.devnet.environment.chainId, htlc, initiator }
      const swapId = deriveOrderId(variant, place, message).toString(16)
      const swap = { ...described, initiator: formatFelt(initiator), swapId }
      const token = BigInt(mustExist(assets.find(({ id }) => id === WBTC)?.token, "token"))
      const calldata = [
        initiator,
        message.redeemer,
        3_600n,
        77n,
        0n,
        ...splitHash(variant, secretHash),
      ]
      sendCalls(local.devnet, funder, [
        { to: token, selector: selectorOf("approve"), calldata: [htlc, 77n, 0n] },
        { to: htlc, selector: selectorOf("initiate_on_behalf"), calldata },
      ])
      mineBlock(local.devnet)
      await local.redeem(swap, secret)
      mineBlock(local.devnet)
      const expected = { initiated: { units: 77n }, redeemed: { paidUnits: 77n, secret } }
      expect(await chain.observeLeg(queryOf(swap))).toMatchObject(expected)
      const unknown = { redeemer: null, timelock: null }
      expect(await chain.observeLeg(queryOf(swap, unknown))).toMatchObject(expected)
      const stranger = { ...unknown, initiator: "0x5678" }
      expect((await chain.observeLeg(queryOf(swap, stranger))).initiated).toBeNull()
    })
  },
)
