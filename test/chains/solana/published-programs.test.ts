import { createHash, randomBytes } from "node:crypto"
import { AnchorProvider, BN, BorshCoder, EventParser, Program, Wallet } from "@coral-xyz/anchor"
import { Connection, Keypair, PublicKey, type TransactionInstruction } from "@solana/web3.js"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { openSolana } from "../local-chains.ts"
import { readPublishedIdl } from "./published-idl.ts"
import { send } from "./send.ts"

/**
 * The sandbox's programs behind the published interface: Anchor builds every instruction, and reads
 * every account and event.
 */
let chain: LocalChain
let connection: Connection

beforeAll(async () => {
  chain = await openSolana()
  connection = new Connection(chain.url, { commitment: "confirmed", disableRetryOnRateLimit: true })
})
afterAll(() => chain?.stop())

const UNITS = 1_000_000n
const TOKENS = ["usdc", "cbbtc"] as const

describe("the program for SPL tokens", () => {
  test.each(TOKENS)(
    "locks %s, stores the published account, logs the published event, and pays the redeemer",
    async (symbol) => {
      const scene = await openToken(symbol)
      const { program, user, terms, mint } = scene
      const data = Buffer.from("to another chain")
      const initiated = await send(connection, [user], [await scene.initiate(data)])
      const account = await readAccount("spl", scene.swapData)
      expect(texts(account)).toMatchObject({
        swap_amount: `${UNITS}`,
        identity_pda_bump: `${scene.identity[1]}`,
        initiator: `${user.publicKey}`,
        redeemer: `${terms.redeemer}`,
        sponsor: `${user.publicKey}`,
        expiry_slot: `${BigInt(await slotOf(initiated)) + 1_000n}`,
      })
      expect(Buffer.from(account["secret_hash"] as number[])).toEqual(terms.secretHash)
      const [event] = await readEvents(program, initiated)
      expect(event?.name).toBe("Initiated")
      expect(texts(event?.data ?? {})).toMatchObject({
        swap_amount: `${UNITS}`,
        expires_in_slots: "1000",
        initiator: `${user.publicKey}`,
        mint: `${mint}`,
        redeemer: `${terms.redeemer}`,
      })
      expect(Buffer.from(event?.data["destination_data"] as Uint8Array)).toEqual(data)

      const solverBefore = await chain.balance(`${terms.redeemer}`, scene.asset)
      const rentBefore = await connection.getBalance(user.publicKey, "confirmed")
      const redeemed = await send(connection, [scene.stranger], [await scene.redeem(terms.secret)])
      expect((await chain.balance(`${terms.redeemer}`, scene.asset)) - solverBefore).toBe(UNITS)
      expect((await connection.getBalance(user.publicKey, "confirmed")) - rentBefore).toBe(
        RENT_OF_SWAP_DATA,
      )
      expect(await connection.getAccountInfo(scene.swapData, "confirmed")).toBeNull()
      const [end] = await readEvents(program, redeemed)
      expect(end?.name).toBe("Redeemed")
      expect(Buffer.from(end?.data["secret"] as number[])).toEqual(terms.secret)
    },
  )

  test(
    "refuses a wrong secret, a wrong redeemer, a wrong sponsor and an early refund with the " +
      "published codes",
    async () => {
      const scene = await openToken("usdc")
      const other = await openToken("usdc")
      await send(connection, [scene.user], [await scene.initiate(null)])
      await expect(
        send(connection, [scene.stranger], [await scene.redeem(randomBytes(32))]),
      ).rejects.toThrow(hex(6001))
      const own = await scene.tokenAccountOf(scene.user.publicKey)
      await expect(
        send(
          connection,
          [scene.stranger],
          [await scene.redeem(scene.terms.secret, { redeemerTokenAccount: own })],
        ),
      ).rejects.toThrow(hex(6000))
      const sponsor = other.user.publicKey
      await expect(
        send(connection, [scene.stranger], [await scene.redeem(scene.terms.secret, { sponsor })]),
      ).rejects.toThrow(hex(6002))
      await expect(send(connection, [scene.stranger], [await scene.refund()])).rejects.toThrow(
        hex(6003),
      )
      await expect(send(connection, [scene.user], [await scene.initiate(null)])).rejects.toThrow(
        "0x0",
      )
    },
  )

  test(
    "refunds the initiator after the expiry for any sender, and at once with the redeemer's " +
      "signature",
    async () => {
      const late = await openToken("usdc", 8)
      await send(connection, [late.user], [await late.initiate(null)])
      await chain.advance(12)
      const before = await chain.balance(`${late.user.publicKey}`, late.asset)
      const refunded = await send(connection, [late.stranger], [await late.refund()])
      expect((await chain.balance(`${late.user.publicKey}`, late.asset)) - before).toBe(UNITS)
      expect((await readEvents(late.program, refunded))[0]?.name).toBe("Refunded")

      const redeemer = Keypair.generate()
      await chain.fund(`${redeemer.publicKey}`, "solana_testnet:sol", 1_000_000_000n)
      const early = await openToken("usdc", 1_000, redeemer.publicKey)
      await send(connection, [early.user], [await early.initiate(null)])
      const instant = await send(
        connection,
        [early.stranger, redeemer],
        [await early.instantRefund()],
      )
      expect((await readEvents(early.program, instant))[0]?.name).toBe("InstantRefunded")
      expect(await connection.getAccountInfo(early.swapData, "confirmed")).toBeNull()
    },
  )
})

describe("the program for native SOL", () => {
  test("initiates, stores, logs and redeems by the published interface", async () => {
    const scene = await openNative(1_000)
    const initiated = await send(connection, [scene.user], [await scene.initiate()])
    const account = await readAccount("native", scene.swapAccount)
    expect(texts(account)).toMatchObject({
      amount_lamports: `${UNITS}`,
      expiry_slot: `${BigInt(await slotOf(initiated)) + 1_000n}`,
      initiator: `${scene.user.publicKey}`,
      redeemer: `${scene.redeemer.publicKey}`,
    })
    const [event] = await readEvents(scene.program, initiated)
    expect(event?.name).toBe("Initiated")
    expect(texts(event?.data ?? {})).toMatchObject({
      amount_lamports: `${UNITS}`,
      expires_in_slots: "1000",
    })
    const redeemed = await send(connection, [scene.stranger], [await scene.redeem()])
    expect((await readEvents(scene.program, redeemed))[0]?.name).toBe("Redeemed")
  })

  test("refunds after the expiry, and at once with the redeemer's signature", async () => {
    const late = await openNative(8)
    await send(connection, [late.user], [await late.initiate()])
    await expect(send(connection, [late.stranger], [await late.refund()])).rejects.toThrow(
      hex(6003),
    )
    await chain.advance(12)
    expect(
      (
        await readEvents(
          late.program,
          await send(connection, [late.stranger], [await late.refund()]),
        )
      )[0]?.name,
    ).toBe("Refunded")

    const early = await openNative(1_000)
    await send(connection, [early.user], [await early.initiate()])
    const instant = await send(
      connection,
      [early.stranger, early.redeemer],
      [await early.instantRefund()],
    )
    expect((await readEvents(early.program, instant))[0]?.name).toBe("InstantRefunded")
    expect(await connection.getAccountInfo(early.swapAccount, "confirmed")).toBeNull()
  })
})

/** (153 + 128) bytes at 6960 lamports. */
const RENT_OF_SWAP_DATA = 1_955_760

async function openToken(symbol: (typeof TOKENS)[number], slots = 1_000, redeemer?: PublicKey) {
  const asset = chain.assets.find(({ id }) => id === `solana_testnet:${symbol}`)
  const mint = new PublicKey(asset?.token ?? "")
  const user = await openUser()
  const stranger = await openUser()
  await chain.fund(`${user.publicKey}`, `${asset?.id}`, UNITS)
  const party = redeemer ?? new PublicKey((await describeSource(`${asset?.id}`, user)).redeemer)
  const program = programAt("spl", `${asset?.htlc}`)
  const terms = { ...drawSecret(), redeemer: party }
  const at = (...seeds: Uint8Array[]) => PublicKey.findProgramAddressSync(seeds, program.programId)
  const [swapData] = at(user.publicKey.toBytes(), terms.secretHash)
  const identity = at()
  const vault = at(mint.toBytes())[0]
  const tokenAccountOf = async (owner: PublicKey): Promise<PublicKey> => {
    const { value } = await connection.getTokenAccountsByOwner(owner, { mint }, "confirmed")
    return value[0]?.pubkey ?? new PublicKey(0)
  }
  const shared = { swapData, tokenVault: vault, sponsor: user.publicKey }
  const call = (name: string, ...args: unknown[]) => method(program, name, args)
  return {
    program,
    user,
    stranger,
    terms,
    mint,
    swapData,
    identity,
    tokenAccountOf,
    asset: `${asset?.id}`,
    initiate: async (data: Buffer | null) =>
      call("initiate", new BN(slots), party, [...terms.secretHash], new BN(`${UNITS}`), data)
        .accounts({
          initiator: user.publicKey,
          initiatorTokenAccount: await tokenAccountOf(user.publicKey),
          mint,
          sponsor: user.publicKey,
        })
        .instruction(),
    redeem: async (secret: Buffer, change: Record<string, PublicKey> = {}) =>
      call("redeem", [...secret])
        .accounts({ ...shared, redeemerTokenAccount: await tokenAccountOf(party), ...change })
        .instruction(),
    refund: async () =>
      call("refund")
        .accounts({ ...shared, initiatorTokenAccount: await tokenAccountOf(user.publicKey) })
        .instruction(),
    instantRefund: async () =>
      call("instantRefund")
        .accounts({
          ...shared,
          initiatorTokenAccount: await tokenAccountOf(user.publicKey),
          redeemer: party,
        })
        .instruction(),
  }
}

async function openNative(slots: number) {
  const program = programAt("native", `${chain.assets.find(({ token }) => token === null)?.htlc}`)
  const user = await openUser()
  const stranger = await openUser()
  const redeemer = await openUser()
  const { secret, secretHash } = drawSecret()
  const seeds = [Buffer.from("swap_account"), user.publicKey.toBytes(), secretHash]
  const [swapAccount] = PublicKey.findProgramAddressSync(seeds, program.programId)
  const parties = { swapAccount, initiator: user.publicKey }
  const call = (name: string, ...args: unknown[]) => method(program, name, args)
  return {
    program,
    user,
    stranger,
    redeemer,
    swapAccount,
    initiate: () =>
      call("initiate", new BN(`${UNITS}`), new BN(slots), redeemer.publicKey, [...secretHash])
        .accounts({ initiator: user.publicKey })
        .instruction(),
    redeem: () =>
      call("redeem", [...secret])
        .accounts({ ...parties, redeemer: redeemer.publicKey })
        .instruction(),
    refund: () => call("refund").accounts(parties).instruction(),
    instantRefund: () =>
      call("instantRefund")
        .accounts({ ...parties, redeemer: redeemer.publicKey })
        .instruction(),
  }
}

type Call = {
  accounts(accounts: Record<string, PublicKey>): { instruction(): Promise<TransactionInstruction> }
}

function method(program: Program, name: string, args: readonly unknown[]): Call {
  const build = program.methods[name]
  if (build === undefined) throw new Error(`the published interface has no ${name}`)
  // CAST: Anchor types the accounts by the description's literal type, which a description read at
  // run time does not have.
  return build(...args) as unknown as Call
}

function programAt(kind: "native" | "spl", address: string): Program {
  const provider = new AnchorProvider(connection, new Wallet(Keypair.generate()), {
    commitment: "confirmed",
  })
  return new Program({ ...readPublishedIdl(kind), address }, provider)
}

async function describeSource(assetId: string, user: Keypair) {
  const request = {
    assetId,
    units: UNITS,
    owner: `${user.publicKey}`,
    secretHash: "00".repeat(32),
    timelock: 1_000,
  }
  return (await chain.describeSource(request)).swap
}

async function openUser(): Promise<Keypair> {
  const user = Keypair.generate()
  await chain.fund(`${user.publicKey}`, "solana_testnet:sol", 1_000_000_000n)
  return user
}

function drawSecret(): { secret: Buffer; secretHash: Buffer } {
  const secret = randomBytes(32)
  return { secret, secretHash: createHash("sha256").update(secret).digest() }
}

async function fetchLogs(signature: string) {
  const found = await connection.getTransaction(signature, {
    commitment: "confirmed",
    maxSupportedTransactionVersion: 0,
  })
  return { slot: found?.slot ?? 0, logs: found?.meta?.logMessages ?? [] }
}

async function slotOf(signature: string): Promise<number> {
  return (await fetchLogs(signature)).slot
}

async function readEvents(program: Program, signature: string) {
  const { logs } = await fetchLogs(signature)
  return [...new EventParser(program.programId, new BorshCoder(program.rawIdl)).parseLogs(logs)]
}

async function readAccount(
  kind: "native" | "spl",
  address: PublicKey,
): Promise<Record<string, unknown>> {
  const account = await connection.getAccountInfo(address, "confirmed")
  return new BorshCoder(readPublishedIdl(kind)).accounts.decode(
    "SwapAccount",
    account?.data ?? Buffer.alloc(0),
  )
}

function texts(fields: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]))
}

function hex(code: number): string {
  return `0x${code.toString(16)}`
}
