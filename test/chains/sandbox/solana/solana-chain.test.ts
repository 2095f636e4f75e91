import { createHash, randomBytes } from "node:crypto"
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  Transaction,
  TransactionInstruction,
  VersionedTransaction,
} from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { silentLogger } from "#lib/log.ts"
import type { LocalChain, LocalSwap } from "../../../../src/lab/sandbox/local-chain.ts"
import { reservePort } from "../../../../src/lab/sandbox/reserve-port.ts"
import { discriminator, htlcProgram } from "../../../../src/lab/sandbox/solana/htlc-program.ts"
import { startSolanaChain } from "../../../../src/lab/sandbox/solana/solana-chain.ts"

const SOL = "solana_testnet:sol"
const USDC = "solana_testnet:usdc"
const FEE = 5_000n
/**
 * The rent exemption of an account of 120 bytes: (120 + 128) bytes at 3480 lamports a year, for two
 * years.
 */
const RENT = 1_726_080n
const UNITS = 1_000_000_000n

let chain: LocalChain
let connection: Connection

beforeAll(async () => {
  const port = await reservePort(0)
  chain = await startSolanaChain({
    name: "solana_testnet",
    port,
    slotTimeMs: 20,
    log: silentLogger,
  })
  expect(chain.url).toBe(`http://127.0.0.1:${port}`)
  connection = new Connection(chain.url, { commitment: "confirmed", disableRetryOnRateLimit: true })
})

afterAll(async () => chain.stop())

it("skips the slots that it missed while it was stopped, so that its clock is right again", async () => {
  const before = await connection.getSlot("confirmed")
  chain.freeze?.(true)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  chain.freeze?.(false)
  // 150 slots of 20 ms were missed; without the skip they would need three seconds more.
  await expect.poll(() => connection.getSlot("confirmed")).toBeGreaterThanOrEqual(before + 150)
})

describe("a source swap", () => {
  it(
    "is funded by the user's signed transaction, refuses a wrong secret, and pays the solver " +
      "for the correct one",
    async () => {
      const { user, secret, swap, transaction } = await openSource()
      expect((await chain.observeSwap(swap)).initiated).toBeNull()
      await submit(transaction, user)
      const { initiated } = await chain.observeSwap(swap)
      expect(initiated?.filledUnits).toBe(UNITS)
      expect(initiated?.confirmations).toBeGreaterThanOrEqual(1)
      expect(Math.abs((initiated?.timestampMs ?? 0) - Date.now())).toBeLessThan(120_000)
      expect(await chain.balance(swap.owner, SOL)).toBe(5_000_000_000n - UNITS - RENT - FEE)

      await expect(chain.redeem(swap, "00".repeat(32))).rejects.toThrow("0x1772")
      const before = await chain.balance(swap.redeemer, SOL)
      await chain.redeem(swap, secret.toString("hex"))
      expect((await chain.balance(swap.redeemer, SOL)) - before).toBe(UNITS - FEE)
      expect(await chain.balance(swap.owner, SOL)).toBe(5_000_000_000n - UNITS - FEE)
      expect((await chain.observeSwap(swap)).redeemed?.secret).toBe(secret.toString("hex"))
      await expect(chain.redeem(swap, secret.toString("hex"))).rejects.toThrow("0x17d7")
    },
  )

  it("is listed once while its account stays as it is, and again when it changes", async () => {
    const lists = vi.spyOn(Connection.prototype, "getSignaturesForAddress")
    try {
      const { user, secret, swap, transaction } = await openSource()
      const observe = async (times: number) => {
        for (let n = 1; n < times; n++) await chain.observeSwap(swap)
        return chain.observeSwap(swap)
      }
      expect((await observe(10)).initiated).toBeNull()
      expect(lists).toHaveBeenCalledTimes(1)
      await submit(transaction, user)
      const { initiated } = await observe(10)
      expect(lists).toHaveBeenCalledTimes(2)
      // The confirmations go on without a list.
      await expect
        .poll(async () => (await chain.observeSwap(swap)).initiated?.confirmations)
        .toBeGreaterThan((initiated?.confirmations ?? 0) + 5)
      expect(lists).toHaveBeenCalledTimes(2)
      await chain.redeem(swap, secret.toString("hex"))
      expect((await observe(10)).redeemed?.secret).toBe(secret.toString("hex"))
      expect(lists).toHaveBeenCalledTimes(3)
    } finally {
      lists.mockRestore()
    }
  })

  it(
    "stores the fields of live deployments: discriminator, amount, expiry slot, initiator, " +
      "redeemer, hash",
    async () => {
      const { user, swap, terms, transaction } = await openSource()
      await submit(transaction, user)
      const { initiated } = await chain.observeSwap(swap)
      const account = await connection.getAccountInfo(new PublicKey(swap.extra["address"] ?? ""))
      const numbers = Buffer.alloc(16)
      numbers.writeBigUInt64LE(UNITS, 0)
      numbers.writeBigUInt64LE((initiated?.blockNumber ?? 0n) + 216_000n, 8)
      const kind = createHash("sha256").update("account:SwapAccount").digest().subarray(0, 8)
      const parties = [user.publicKey.toBytes(), terms.redeemer.toBytes(), terms.secretHash]
      expect(account?.data).toEqual(Buffer.concat([kind, numbers, ...parties]))
    },
  )

  it("refuses a second initiation of the same hash while the first is open", async () => {
    const { user, transaction, swap } = await openSource()
    await submit(transaction, user)
    const again = new Transaction().add(...transaction.instructions)
    await expect(submit(again, user)).rejects.toThrow("0x17d6")
    expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(UNITS)
  })

  it("is not blocked by a lamport that its address received before", async () => {
    const { user, transaction, swap } = await openSource()
    await chain.fund(swap.extra["address"] ?? "", SOL, 1_000_000n)
    await submit(transaction, user)
    expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(UNITS)
    expect(await chain.balance(swap.extra["address"] ?? "", SOL)).toBe(UNITS + RENT)
  })

  it("is not counted as initiated if its redeemer is not the solver", async () => {
    const { user, swap, terms } = await openSource()
    const stranger = Keypair.generate().publicKey
    const call = htlcProgram.initiate(htlcProgram.id, user.publicKey, {
      ...terms,
      redeemer: stranger,
    })
    await submit(new Transaction().add(call), user)
    expect((await chain.observeSwap(swap)).initiated).toBeNull()
  })
})

describe("a destination swap", () => {
  it("is funded by the solver and pays the owner the full amount, for any sender of the redemption", async () => {
    const owner = Keypair.generate().publicKey.toBase58()
    const { secret, secretHash } = newSecret()
    const swap = await chain.describeDestination({
      assetId: SOL,
      units: UNITS,
      owner,
      secretHash,
      timelock: 18_000,
    })
    const initiateTx = await chain.initiate(swap)
    expect((await chain.observeSwap(swap)).initiated?.txHash).toBe(initiateTx)
    const redeemTx = await chain.redeem(swap, secret.toString("hex"))
    expect(await chain.balance(owner, SOL)).toBe(UNITS)
    expect((await chain.observeSwap(swap)).redeemed).toMatchObject({
      txHash: redeemTx,
      secret: secret.toString("hex"),
    })
  })
})

describe("a refund", () => {
  it("is refused up to and at the expiry slot and pays the initiator strictly after it", async () => {
    const { user, swap, transaction } = await openSource(100)
    await submit(transaction, user)
    const { initiated } = await chain.observeSwap(swap)
    await expect(chain.refund(swap)).rejects.toThrow("0x1773")
    await chain.advance(88)
    const refundTx = await refundAsSoonAsPossible(swap)
    const { refunded } = await chain.observeSwap(swap)
    expect(refunded?.txHash).toBe(refundTx)
    expect(Number(refunded?.blockNumber)).toBeGreaterThan(Number(initiated?.blockNumber) + 100)
    expect(await chain.balance(swap.owner, SOL)).toBe(5_000_000_000n - FEE)
  })

  it("also works after a long timelock if the chain is advanced", async () => {
    const { user, swap, transaction } = await openSource(216_000)
    await submit(transaction, user)
    await chain.advance(215_000)
    await expect(chain.refund(swap)).rejects.toThrow("0x1773")
    await chain.advance(1_010)
    await chain.refund(swap)
    expect((await chain.observeSwap(swap)).refunded).not.toBeNull()
  })
})

describe("the program", () => {
  it("pays once when one transaction redeems twice", async () => {
    const { user, secret, swap, transaction } = await openSource()
    await submit(transaction, user)
    const parties = {
      address: new PublicKey(swap.extra["address"] ?? ""),
      initiator: user.publicKey,
      redeemer: new PublicKey(swap.redeemer),
    }
    const redeem = htlcProgram.redeem(htlcProgram.id, parties, secret)
    // The second redemption would steal the lamports of the transfer between the two.
    const refill = SystemProgram.transfer({
      fromPubkey: user.publicKey,
      toPubkey: parties.address,
      lamports: UNITS + RENT,
    })
    await expect(submit(new Transaction().add(redeem, refill, redeem), user)).rejects.toThrow(
      "0x17d7",
    )
    expect((await chain.observeSwap(swap)).redeemed).toBeNull()
  })

  it("refuses an initiation without the signature of its initiator", async () => {
    const { user, terms } = await openSource()
    const victim = Keypair.generate()
    await chain.fund(victim.publicKey.toBase58(), SOL, 2n * UNITS)
    const call = htlcProgram.initiate(htlcProgram.id, victim.publicKey, terms)
    const unsigned = new TransactionInstruction({
      programId: call.programId,
      data: call.data,
      keys: call.keys.map((key) => ({ ...key, isSigner: false })),
    })
    await expect(submit(new Transaction().add(unsigned), user)).rejects.toThrow("0x1770")
  })

  it(
    "refuses a redeemer or initiator that the swap account does not name, and an account that " +
      "it does not own",
    async () => {
      const { user, secret, swap, transaction } = await openSource()
      await submit(transaction, user)
      const thief = Keypair.generate().publicKey
      const parties = {
        address: new PublicKey(swap.extra["address"] ?? ""),
        initiator: user.publicKey,
        redeemer: thief,
      }
      const redeem = (over: Partial<typeof parties>): Transaction =>
        new Transaction().add(htlcProgram.redeem(htlcProgram.id, { ...parties, ...over }, secret))
      await expect(submit(redeem({}), user)).rejects.toThrow("0x1771")
      const redeemer = new PublicKey(swap.redeemer)
      await expect(submit(redeem({ redeemer, initiator: thief }), user)).rejects.toThrow("0x1770")
      await expect(submit(redeem({ redeemer, address: thief }), user)).rejects.toThrow("0x17d7")
    },
  )

  it("refuses amounts and slots of zero, and slots that overflow", async () => {
    const { user, terms } = await openSource()
    for (const bad of [{ units: 0n }, { slots: 0n }, { slots: 2n ** 64n - 1n }]) {
      const call = htlcProgram.initiate(htlcProgram.id, user.publicKey, { ...terms, ...bad })
      await expect(submit(new Transaction().add(call), user)).rejects.toThrow("0x17d5")
    }
  })

  it("refuses unknown instructions", async () => {
    const { user, swap, transaction } = await openSource()
    await submit(transaction, user)
    const keys = [swap.extra["address"] ?? "", swap.initiator].map((key) => ({
      pubkey: new PublicKey(key),
      isSigner: false,
      isWritable: true,
    }))
    const call = new TransactionInstruction({
      programId: htlcProgram.id,
      keys,
      data: discriminator("steal"),
    })
    await expect(submit(new Transaction().add(call), user)).rejects.toThrow("0x17d4")
  })
})

describe("the chain", () => {
  it(
    "describes a source swap as live deployments do: a legacy message with one empty signature " +
      "slot",
    async () => {
      const { swap, response } = await openSource()
      const bytes = Buffer.from(String(response["versioned_tx"]), "hex")
      expect(bytes.subarray(0, 65)).toEqual(Buffer.concat([Buffer.from([1]), Buffer.alloc(64)]))
      expect(bytes.subarray(65, 69)).toEqual(Buffer.from([1, 0, 2, 4]))
      const idInput = Buffer.concat([
        Buffer.from(`${"00".repeat(31)}67`, "hex"),
        Buffer.from(swap.secretHash, "hex"),
        new PublicKey(swap.initiator).toBytes(),
      ])
      expect(swap.swapId).toBe(createHash("sha256").update(idInput).digest("hex"))
    },
  )

  it("fails to start on a taken port", async () => {
    const port = Number(new URL(chain.url).port)
    const second = startSolanaChain({
      name: "solana_testnet",
      port,
      slotTimeMs: 20,
      log: silentLogger,
    })
    await expect(second).rejects.toThrow("EADDRINUSE")
  })

  it("accepts only addresses, knows its assets, and has no gasless way for native SOL", async () => {
    expect(chain.isAddress(Keypair.generate().publicKey.toBase58())).toBe(true)
    expect(chain.isAddress("0x004Cc75ACF4132Fc08cB6a252E767804F303F729")).toBe(false)
    await expect(
      chain.balance(Keypair.generate().publicKey.toBase58(), "solana_testnet:usdt"),
    ).rejects.toThrow("usdt")
    const { swap, response } = await openSource()
    expect(response["versioned_tx_gasless"]).toBeNull()
    await expect(chain.initiateWithSignature(swap, "00")).rejects.toThrow("not gasless")
  })
})

describe("a gasless deposit of a token", () => {
  it("is paid by the relay, which adds its signature only to the transaction that was served", async () => {
    const user = Keypair.generate()
    await chain.fund(user.publicKey.toBase58(), USDC, 1_000_000n)
    const { swap, response } = await openTokenSource(user, 1_000_000n)
    const other = await openTokenSource(user, 999_999n)
    const foreign = signGasless(other.response, user)
    await expect(chain.initiateWithSignature(swap, foreign)).rejects.toThrow("versioned_tx_gasless")
    await chain.initiateWithSignature(swap, signGasless(response, user))
    expect((await chain.observeSwap(swap)).initiated?.filledUnits).toBe(1_000_000n)
    expect(await connection.getBalance(user.publicKey)).toBe(0)
  })

  it(
    "pays the redeemer's token account, which the solver creates, and returns the rent to the " +
      "solver",
    async () => {
      const owner = Keypair.generate().publicKey.toBase58()
      const { secret, secretHash } = newSecret()
      const request = { assetId: USDC, units: 5n, owner, secretHash, timelock: 18_000 }
      const swap = await chain.describeDestination(request)
      await chain.initiate(swap)
      await chain.redeem(swap, secret.toString("hex"))
      expect(await chain.balance(owner, USDC)).toBe(5n)
      expect(await connection.getAccountInfo(new PublicKey(swap.extra["address"] ?? ""))).toBeNull()
    },
  )
})

async function openTokenSource(user: Keypair, units: bigint) {
  const owner = user.publicKey.toBase58()
  const { secretHash } = newSecret()
  return chain.describeSource({ assetId: USDC, units, owner, secretHash, timelock: 216_000 })
}

/** Signs as a wallet does: the whole transaction, with the relay's slot empty. */
function signGasless(response: Record<string, unknown>, user: Keypair): string {
  const bytes = Buffer.from(String(response["versioned_tx_gasless"]), "base64")
  const transaction = VersionedTransaction.deserialize(bytes)
  transaction.sign([user])
  return Buffer.from(transaction.serialize()).toString("base64")
}

async function openSource(timelock = 216_000) {
  const user = Keypair.generate()
  const owner = user.publicKey.toBase58()
  await chain.fund(owner, SOL, 5_000_000_000n)
  const { secret, secretHash } = newSecret()
  const { swap, response } = await chain.describeSource({
    assetId: SOL,
    units: UNITS,
    owner,
    secretHash,
    timelock,
  })
  const transaction = Transaction.from(Buffer.from(String(response["versioned_tx"]), "hex"))
  return { user, secret, swap, response, transaction, terms: termsOf(swap) }
}

function newSecret(): { secret: Buffer; secretHash: string } {
  const secret = randomBytes(32)
  return { secret, secretHash: createHash("sha256").update(secret).digest("hex") }
}

function termsOf(swap: LocalSwap) {
  return {
    units: BigInt(swap.units),
    slots: BigInt(swap.timelock),
    redeemer: new PublicKey(swap.redeemer),
    secretHash: Buffer.from(swap.secretHash, "hex"),
  }
}

/** Tries several times in each slot, so that the test notices a refund one slot too early. */
async function refundAsSoonAsPossible(swap: LocalSwap): Promise<string> {
  for (;;) {
    try {
      return await chain.refund(swap)
    } catch (error) {
      expect(String(error)).toContain("0x1773")
    }
  }
}

async function submit(transaction: Transaction, signer: Keypair): Promise<string> {
  if (!transaction.recentBlockhash)
    transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
  transaction.feePayer ??= signer.publicKey
  transaction.sign(signer)
  const signature = await connection.sendRawTransaction(transaction.serialize(), { maxRetries: 0 })
  for (;;) {
    const { value } = await connection.getSignatureStatuses([signature])
    if (value[0]?.err) throw new Error(JSON.stringify(value[0].err))
    if (value[0]?.confirmationStatus) return signature
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}
