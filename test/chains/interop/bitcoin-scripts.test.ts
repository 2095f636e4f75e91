import { createHash, randomBytes } from "node:crypto"
import { address, networks, Transaction } from "bitcoinjs-lib"
import { tapleafHash } from "bitcoinjs-lib/src/payments/bip341"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createBitcoinChain } from "#chains/bitcoin/create-chain.ts"
import { deriveHtlc, type HtlcTerms } from "#chains/bitcoin/htlc.ts"
import { secp } from "#chains/bitcoin/keys/secp.ts"
import { deriveHtlc as deriveSandboxHtlc, type Htlc as SandboxHtlc } from "#sandbox/bitcoin/htlc.ts"
import { type SandboxProcess, startSandboxProcess, until } from "../../support/sandbox-process.ts"
import { sampleOptions, sampleQuery } from "../bitcoin/sample-order.ts"
import { allowLoopbackOnly } from "./loopback-only.ts"
import { APP_ID, chainOf, openBitcoin } from "./open-client.ts"
import {
  type BitcoinHtlc,
  type BitcoinOrder,
  type BitcoinWallet,
  core,
  unwrap,
} from "./published-client.ts"

const guard = allowLoopbackOnly()
const { regtest } = networks
const SATS = 150_000
/** Our key pairs for the role that the client does not play. */
const OTHER = secp.makeRandom({ network: regtest })

let sandbox: SandboxProcess
let url: string
let wallet: BitcoinWallet
let client: BitcoinHtlc
beforeAll(async () => {
  sandbox = await startSandboxProcess(["--chains", "bitcoin_testnet"])
  url = chainOf(sandbox, "bitcoin_testnet").url
  wallet = openBitcoin(sandbox).wallet
  const { service } = sandbox
  const environment = { network: "localnet", baseurl: service, auth: service, relayer: service }
  client = core.Garden.fromWallets({ environment, apiKey: APP_ID, wallets: { bitcoin: wallet } })
    .htlcs.bitcoin
})
afterAll(async () => {
  await sandbox?.stop()
  guard.lift()
  expect(guard.refused()).toEqual([])
})

describe("the published client's Bitcoin HTLC is ours", () => {
  // 16 and 17, 127 and 128, 32767 and 32768 have encodings of different lengths.
  test.for([1, 12, 16, 17, 127, 128, 144, 32_767, 32_768, 65_535])(
    "with a timelock of %d blocks",
    async (timelock) => {
      const terms = randomTerms(timelock)
      const ours = deriveHtlc(terms, regtest)
      const sandboxes = deriveSandboxHtlc(terms, regtest)
      const { refundKey, redeemKey, secretHash } = terms
      expect(client.address(asDestination(terms), "redeem")).toBe(ours.address)
      expect(client.address(asSource(terms), "instantRefund")).toBe(ours.address)
      expect(sandboxes.address).toBe(ours.address)
      expect(hex(client.refundLeaf(timelock, refundKey))).toBe(hex(ours.refundLeaf))
      expect(hex(client.redeemLeaf(secretHash, redeemKey))).toBe(
        hex(sandboxes.leaves.redeem.script),
      )
      expect(hex(client.instantRefundLeaf(refundKey, redeemKey))).toBe(
        hex(sandboxes.leaves.instant.script),
      )
      expect(hex(await client.generateControlBlockFor(1, asDestination(terms)))).toBe(
        hex(sandboxes.leaves.redeem.controlBlock),
      )
    },
  )
})

describe("a deposit to an address that we derive", () => {
  test("is redeemed by the client, and our observer reads payment and secret", async () => {
    const secret = randomBytes(32).toString("hex")
    const terms = { ...randomTerms(12), redeemKey: ownKey(), secretHash: sha256(secret) }
    const payTo = await core.BitcoinWallet.createRandom(openBitcoin(sandbox).provider).getAddress()
    const htlc = await fund(terms)
    const redeemTx = unwrap(await client.redeem(asDestination(terms, payTo), secret))
    const leg = await observe(htlc, terms, { side: "destination", owner: payTo })
    expect(leg).toMatchObject({
      initiated: { units: BigInt(SATS) },
      redeemed: { txid: redeemTx, secret },
      refunded: null,
    })
    expect(leg.redeemed?.paidUnits).toBeGreaterThan(0n)
  })

  test("is refunded at once with the signatures of both sides, and our observer reads a refund", async () => {
    const terms = { ...randomTerms(144), refundKey: ownKey(), redeemKey: xOnly(OTHER.publicKey) }
    const htlc = await fund(terms)
    const payTo = await wallet.getAddress()
    const feeUnits = 1_000
    const signature = signInstantRefund(deriveSandboxHtlc(terms, regtest), await depositOf(htlc), {
      payTo,
      feeUnits,
    })
    const refundTx = await client.instantRefund(asSource(terms), [signature], feeUnits)
    const leg = await observe(htlc, terms, { side: "source", owner: payTo })
    expect(leg).toMatchObject({
      refunded: { txid: refundTx, paidUnits: BigInt(SATS - feeUnits) },
      redeemed: null,
    })
  })
})

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex")
}

function xOnly(publicKey: Uint8Array): string {
  return hex(publicKey).slice(2)
}

function ownKey(): string {
  return wallet.getPublicKey().slice(2)
}

function sha256(preimage: string): string {
  return createHash("sha256").update(Buffer.from(preimage, "hex")).digest("hex")
}

function randomTerms(timelock: number): HtlcTerms {
  const refund = secp.makeRandom()
  const redeem = secp.makeRandom()
  return {
    refundKey: xOnly(refund.publicKey),
    redeemKey: xOnly(redeem.publicKey),
    secretHash: randomBytes(32).toString("hex"),
    timelock,
  }
}

/**
 * The terms in the roles of a destination: `initiator` and `delegate` are the keys, `redeemer` is
 * the payout address.
 */
function asDestination(
  { refundKey, redeemKey, secretHash, timelock }: HtlcTerms,
  payTo = "",
): BitcoinOrder {
  const common = { secret_hash: secretHash, timelock }
  return {
    source_swap: { chain: "base_sepolia", initiator: "", redeemer: "", delegate: "", ...common },
    destination_swap: { initiator: refundKey, delegate: redeemKey, redeemer: payTo, ...common },
  }
}

/**
 * The terms in the roles of an instant refund of the source. The client reads the redeemer's key in
 * both legs.
 */
function asSource({ refundKey, redeemKey, secretHash, timelock }: HtlcTerms): BitcoinOrder {
  const swap = {
    initiator: refundKey,
    redeemer: redeemKey,
    delegate: redeemKey,
    secret_hash: secretHash,
    timelock,
  }
  return { source_swap: { chain: "bitcoin_testnet", ...swap }, destination_swap: swap }
}

/** Pays to the address that our own code derives, and waits until the node has mined it. */
async function fund(terms: HtlcTerms): Promise<string> {
  const { address: htlc } = deriveHtlc(terms, regtest)
  await wallet.send(htlc, SATS)
  await until("the deposit is mined", async () =>
    (await coinsOf(htlc)).some(({ status }) => status.confirmed),
  )
  return htlc
}

type Coin = {
  readonly txid: string
  readonly vout: number
  readonly status: { readonly confirmed: boolean }
}

async function coinsOf(htlc: string): Promise<readonly Coin[]> {
  // CAST: Esplora, GET /address/:address/utxo.
  return (await (await fetch(`${url}/address/${htlc}/utxo`)).json()) as Coin[]
}

async function depositOf(htlc: string): Promise<Coin> {
  const [coin] = await coinsOf(htlc)
  if (coin) return coin
  throw new Error(`nothing was paid to ${htlc}`)
}

/** The redeemer's half of an instant refund, over the leaf of the sandbox. */
function signInstantRefund(
  htlc: SandboxHtlc,
  coin: Coin,
  { payTo, feeUnits }: { payTo: string; feeUnits: number },
) {
  const spend = new Transaction()
  spend.version = 2
  spend.addInput(Uint8Array.from(Buffer.from(coin.txid, "hex").reverse()), coin.vout)
  spend.addOutput(address.toOutputScript(payTo, regtest), BigInt(SATS - feeUnits))
  const leaf = tapleafHash({ output: htlc.leaves.instant.script })
  const digest = spend.hashForWitnessV1(
    0,
    [htlc.output],
    [BigInt(SATS)],
    Transaction.SIGHASH_DEFAULT,
    leaf,
  )
  return { utxo: coin.txid, sig: hex(OTHER.signSchnorr(digest)) }
}

/** Our observation of the leg, once the spend of its deposit is mined. */
async function observe(
  htlc: string,
  { secretHash, timelock }: HtlcTerms,
  { side, owner }: { side: "source" | "destination"; owner: string },
): ReturnType<ReturnType<typeof createBitcoinChain>["observeLeg"]> {
  const chain = createBitcoinChain(sampleOptions([url], { timeoutMs: 5_000 }))
  const query = sampleQuery({
    side,
    htlc,
    owner,
    secretHash,
    timelock: BigInt(timelock),
    units: BigInt(SATS),
  })
  await until("the spend of the deposit is mined", async () => {
    const { redeemed, refunded } = await chain.observeLeg(query)
    return redeemed !== null || refunded !== null
  })
  return chain.observeLeg(query)
}
