import { randomBytes } from "node:crypto"
import type { Hex } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { EvmChainConfig } from "#chains/evm/config.ts"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import { termsOf } from "#chains/evm/decode.ts"
import { describeEvmRefund } from "#chains/evm/spend/refund-recipe.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { type AssetId, parseAssetId } from "#domain/asset.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { createSender, type Sender } from "#sandbox/evm/create-sender.ts"
import { type LocalEvmChain, startEvmChain } from "#sandbox/evm/evm-chain.ts"
import { CONTRACTS_VERSIONS } from "#sandbox/local-chain.ts"
import {
  asVerified,
  eth,
  hashOfSecret,
  noOrder,
  sampleOptions,
  strangerAddress,
  wbtc,
} from "./sample-order.ts"

describe.each(CONTRACTS_VERSIONS)("with contracts of version %s", (contracts) => {
  let local: LocalEvmChain
  let stranger: Sender
  beforeAll(async () => {
    const assets = [
      { symbol: "eth", native: true },
      { symbol: "wbtc", decimals: 8 },
    ] as const
    const place = { name: "base_sepolia", chainId: 84_532, port: 0, blockTimeSeconds: 3_600 }
    local = await startEvmChain({ ...place, contracts, assets, log: silentLogger })
    await local.setMining("automine")
    const account = privateKeyToAccount(generatePrivateKey())
    await local.setBalance(account.address, 10n ** 18n)
    stranger = createSender(local.client, account)
  })
  afterAll(() => local?.stop())

  function openPort() {
    const assets = local.assets.map(({ id, decimals, token, htlc }) => {
      return { id: parseAssetId(id), chain: sampleOptions([]).chain, decimals, token, htlc: [htlc] }
    })
    const key = new Secret(generatePrivateKey(), "env:EVM_KEY")
    return createEvmChain(sampleOptions([local.url], { assets, key }))
  }

  test.each([wbtc, eth])(
    "a stranger refunds %s to us with one call of the rescue recipe, and the others revert",
    async (asset) => {
      const port = openPort()
      await local.setBalance(port.account, 10n ** 18n)
      const units = 50_000n
      await local.fund(port.account, wbtc, units)
      const deposit = await makeDeposit(port, asset, units)
      const before = await local.balance(port.account, asset)
      // CAST: the recipe reads no other field of the configuration.
      const recipe = describeEvmRefund(deposit, { chainId: 84_532 } as EvmChainConfig)
      await local.advance(6)
      // CAST: the family's own recipe.
      const { to, calls } = recipe as unknown as {
        to: Hex
        calls: { version: string; data: Hex }[]
      }
      const worked: string[] = []
      for (const { version, data } of calls) {
        const hash = await stranger.send({ to, data }).catch(() => null)
        if (hash === null) continue
        await local.client.waitForTransactionReceipt({ hash })
        worked.push(version)
      }
      expect(worked).toEqual([contracts])
      expect((await local.balance(port.account, asset)) - before).toBe(units)
    },
  )

  test.each([wbtc, eth])(
    "we redeem a payout of %s with our secret, and a second time finds nothing",
    async (asset) => {
      const port = openPort()
      await local.setBalance(port.account, 10n ** 18n)
      const units = 50_000n
      const secret = randomBytes(32).toString("hex")
      const secretHash = hashOfSecret(secret)
      const swap = await local.describeDestination({
        assetId: asset,
        units,
        owner: port.account,
        secretHash,
        timelock: 9,
      })
      await local.initiate(swap)
      await local.advance(1)
      const terms = {
        units,
        owner: port.account,
        initiator: swap.initiator,
        redeemer: swap.redeemer,
        timelock: 9n,
      }
      const payout = {
        asset,
        htlc: null,
        swapId: strangerAddress,
        secretHash,
        delegate: null,
        ...terms,
      }
      const redeem = { action: "redeem", asset, payout, secret } as const
      const other = { ...redeem, payout: { ...payout, timelock: 8n } }
      expect(await port.planTransaction(other, new Set())).toMatchObject({
        refused: [{ code: "evm.redeem_nothing" }],
      })
      const before = await local.balance(port.account, asset)
      const plan = await port.planTransaction(redeem, new Set())
      if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
      const signed = await port.signTransaction(plan)
      await port.broadcastTransaction(signed)
      // CAST: a transaction hash.
      const receipt = await local.client.waitForTransactionReceipt({ hash: signed.txid as Hex })
      const feeUnits = asset === eth ? BigInt(receipt.gasUsed * receipt.effectiveGasPrice) : 0n
      expect((await local.balance(port.account, asset)) - before).toBe(units - feeUnits)
      expect(await port.planTransaction(redeem, new Set())).toMatchObject({
        refused: [{ code: "evm.redeem_nothing" }],
      })
    },
  )

  test(
    "an order of ours with other terms is not the leg's, also where its id hashes the " +
      "initiator alone",
    async () => {
      const port = openPort()
      await local.setBalance(port.account, 10n ** 18n)
      const deposit = await makeDeposit(port, eth, 50_000n)
      const { account: owner } = port
      const none = { initiateTx: null, redeemTx: null, refundTx: null }
      const place = {
        side: "source",
        asset: eth,
        htlc: deposit.htlc,
        owner,
        initiator: owner,
      } as const
      const query = { ...place, ...termsOf(deposit), hints: none, fromHeight: 0n }
      expect(await port.observeLeg(query)).toMatchObject({ initiated: { units: 50_000n } })
      for (const change of [{ units: 50_001n }, { timelock: 4n }, { redeemer: strangerAddress }])
        expect(await port.observeLeg({ ...query, ...change })).toMatchObject({ initiated: null })
    },
  )

  async function makeDeposit(port: ReturnType<typeof openPort>, asset: AssetId, units: bigint) {
    const secretHash = hashOfSecret(randomBytes(32).toString("hex"))
    const { swap, response } = await local.describeSource({
      assetId: asset,
      units,
      owner: port.account,
      secretHash,
      timelock: 3,
    })
    // CAST: the sandbox's own answer.
    const call = response["transaction"] as { to: string; value: string; data: string }
    const transaction = { ...call, valueUnits: BigInt(call.value), gasLimit: 0n, chainId: 84_532n }
    const request = {
      family: "evm",
      transaction,
      approval: null,
      typedData: response["typed_data"],
    } as const
    const deposit = asVerified(port.decodeDeposit(request, noOrder, asset))
    const intents = [
      ...(asset === wbtc
        ? [{ action: "approve", asset, spender: deposit.htlc, units } as const]
        : []),
      { action: "initiate", asset, deposit } as const,
    ]
    for (const intent of intents) {
      const plan = await port.planTransaction(intent, new Set())
      if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
      const signed = await port.signTransaction(plan)
      await port.broadcastTransaction(signed)
      // CAST: a transaction hash.
      await local.client.waitForTransactionReceipt({ hash: signed.txid as Hex })
    }
    expect((await local.observeSwap(swap)).initiated?.filledUnits).toBe(units)
    expect(requireAddress(deposit.refundTo)).toBe(port.account)
    return deposit
  }
})
