import { Connection, Keypair, PublicKey } from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createSolanaChain } from "#chains/solana/create-chain.ts"
import { type Asset, type AssetId, parseAssetId, toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { systemClock } from "#lib/clock.ts"
import { Secret } from "#lib/secret.ts"
import type { TokenAccounts } from "#ports/chain/capabilities.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { findTokenAccount } from "#sandbox/solana/spl-tokens.ts"
import { openSolana } from "../local-chains.ts"

const CHAIN = toChainId("solana_testnet")
const id = (name: string): AssetId => parseAssetId(`solana_testnet:${name}`)
const SOL = id("sol")
const USDC = id("usdc")
const CBBTC = id("cbbtc")
const NONE: ReadonlySet<string> = new Set()
const START = 5_000_000_000n
const FEE = 5_000n
const RENT = 2_039_280n
/**
 * The highest priority fee of 1 lamport for each of the 250 000 compute units of a token's
 * transaction.
 */
const HIGHEST_FEE = FEE + 250_000n

let local: LocalChain
beforeAll(async () => {
  local = await openSolana()
})
afterAll(() => local?.stop())

describe("the token accounts of our wallet", () => {
  test(
    "that are missing are found with address and cost, and one with a wrong mint is not among " +
      "them",
    async () => {
      const wrong: Asset = { ...assetOf(USDC), id: id("wrong"), decimals: 9 }
      const { port, accounts } = await openWallet([wrong])
      const owner = new PublicKey(port.account)
      const known = [USDC, CBBTC].map((asset) => {
        const address = findTokenAccount(
          owner,
          new PublicKey(assetOf(asset).token ?? ""),
        ).toBase58()
        return { asset, address, rentUnits: RENT, costUnits: RENT + HIGHEST_FEE }
      })
      expect(await accounts.findMissing()).toEqual(known)
      expect(await port.assetChecks?.checkAsset(USDC)).toEqual([])
      expect(await port.assetChecks?.checkAsset(wrong.id)).toMatchObject([
        { code: "solana.mint_decimals" },
      ])
      expect(await accounts.plan(wrong.id)).toMatchObject({
        refused: [{ code: "solana.mint_decimals" }],
      })
      await local.fund(port.account, USDC, 1n)
      expect((await accounts.findMissing()).map(({ asset }) => asset)).toEqual([CBBTC])
    },
  )

  test("are opened for the fee and the rent, to the lamport", async () => {
    const { port, accounts } = await openWallet()
    const plan = await planOf(accounts, USDC)
    expect(plan).toMatchObject({ action: "openTokenAccount", spends: [], maxFeeUnits: FEE + RENT })
    expect(await land(port, plan)).toMatchObject({ ok: true, feeUnits: FEE + RENT })
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(START - FEE - RENT)
    expect(await port.contracts?.checkPayout(USDC, port.account)).toEqual([])
    expect((await accounts.findMissing()).map(({ asset }) => asset)).toEqual([CBBTC])
  })

  test("cost a second transaction for the same account its network fee only", async () => {
    const { port, accounts } = await openWallet()
    const first = await planOf(accounts, USDC)
    let second = first
    // Within one slot the blockhash is the same, and the two plans would be one transaction.
    for (let tries = 0; second.digest === first.digest && tries < 200; tries++)
      second = await planOf(accounts, USDC)
    expect(await land(port, first)).toMatchObject({ ok: true, feeUnits: FEE + RENT })
    expect(await land(port, second)).toMatchObject({ ok: true, feeUnits: FEE })
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(START - RENT - 2n * FEE)
  })

  test("are not opened from a wallet that cannot pay fee, rent and its own minimum", async () => {
    const { accounts } = await openWallet([], FEE + RENT + 890_879n)
    expect(await accounts.plan(USDC)).toMatchObject({ refused: [{ code: "funds.insufficient" }] })
    const enough = await openWallet([], FEE + RENT + 890_880n)
    expect(await land(enough.port, await planOf(enough.accounts, USDC))).toMatchObject({ ok: true })
  })

  test("explain a refused payout: ours is being opened, a foreign one needs its owner", async () => {
    const { port } = await openWallet()
    const stranger = Keypair.generate().publicKey.toBase58()
    const [ours] = (await port.contracts?.checkPayout(USDC, port.account)) ?? []
    const [foreign] = (await port.contracts?.checkPayout(USDC, stranger)) ?? []
    expect([ours?.code, foreign?.code]).toEqual([
      "solana.token_account_missing",
      "solana.token_account_missing",
    ])
    expect(ours?.message).toContain("the daemon opens it by itself")
    expect(foreign?.message).toContain(
      `spl-token create-account ${assetOf(USDC).token} --owner ${stranger}`,
    )
  })

  test("stay as they are where the configuration says no", async () => {
    const port = await openPort([], START, false)
    expect(port.tokenAccounts).toBeUndefined()
    expect(await port.assetChecks?.checkAsset(USDC)).toMatchObject([
      { code: "solana.token_account_missing" },
    ])
  })

  test("can be opened at an address that already has lamports", async () => {
    const { port, accounts } = await openWallet()
    const [missing] = await accounts.findMissing()
    await local.fund(missing?.address ?? "", SOL, 1_000_000n)
    expect((await accounts.findMissing()).map(({ asset }) => asset)).toEqual([USDC, CBBTC])
    expect(await land(port, await planOf(accounts, USDC))).toMatchObject({
      ok: true,
      feeUnits: FEE + RENT - 1_000_000n,
    })
    expect((await port.fetchBalance(SOL, NONE)).units).toBe(START - FEE - RENT + 1_000_000n)
  })
})

async function openWallet(more: readonly Asset[] = [], lamports = START) {
  const port = await openPort(more, lamports, true)
  if (port.tokenAccounts === undefined) throw new Error("the port opens no token accounts")
  return { port, accounts: port.tokenAccounts }
}

async function openPort(
  more: readonly Asset[],
  lamports: bigint,
  openTokenAccounts: boolean,
): Promise<ChainPort> {
  const key = Keypair.generate()
  await local.fund(key.publicKey.toBase58(), SOL, lamports)
  return createSolanaChain({
    chain: CHAIN,
    rpc: [local.url],
    key: new Secret(JSON.stringify([...key.secretKey]), "env:SOLANA_KEY"),
    commitment: "confirmed",
    confirmations: 1,
    maxPriorityFeeMicroLamports: 1_000_000n,
    usualPriorityFeeMicroLamports: 0n,
    openTokenAccounts,
    timeoutMs: 20_000,
    assets: [...[SOL, USDC, CBBTC].map(assetOf), ...more],
    clock: systemClock,
  })
}

function assetOf(asset: AssetId): Asset {
  const { decimals, token, htlc } = local.assets.find((one) => one.id === asset) ?? {
    decimals: 0,
    token: null,
    htlc: null,
  }
  return { id: asset, chain: CHAIN, decimals, token, htlc: [htlc ?? ""] }
}

async function planOf(accounts: TokenAccounts, asset: AssetId): Promise<TransactionPlan> {
  const plan = await accounts.plan(asset)
  if ("refused" in plan) throw new Error(JSON.stringify(plan.refused))
  return plan
}

async function land(port: ChainPort, plan: TransactionPlan) {
  const transaction = await port.signTransaction(plan)
  await port.broadcastTransaction(transaction)
  const connection = new Connection(local.url, "confirmed")
  for (let tries = 0; tries < 500; tries++) {
    const seen = await port.observeTransaction(transaction)
    if (seen.status === "mined") return seen
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error(`${transaction.txid} was not mined by slot ${await connection.getSlot()}`)
}
