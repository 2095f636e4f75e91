import { rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import {
  Connection,
  Keypair,
  PublicKey,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import {
  type Address,
  createPublicClient,
  type Hex,
  http,
  parseTransaction,
  recoverTransactionAddress,
  type TransactionSerialized,
  verifyTypedData,
} from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { createEvmSigner } from "#chains/evm/signer.ts"
import { openTokenAccount } from "#chains/evm/spend/token-account.ts"
import { formatUnsigned } from "#chains/evm/spend/unsigned.ts"
import { createSigner as createSolanaSigner } from "#chains/solana/signer.ts"
import { parseConfig } from "#config/load.ts"
import { createSecretLookup } from "#config/secrets/secrets.ts"
import { toChainId } from "#domain/asset.ts"
import type { TransactionPlan } from "#domain/transaction.ts"
import { silentLogger } from "#lib/log.ts"
import { Secret } from "#lib/secret.ts"
import { openTokenKey } from "#pkcs11/open-token-key.ts"
import type { SignerQuestion } from "#signer/wire.ts"
import { startAnvil } from "../../../src/lab/sandbox/evm/start-anvil.ts"
import { startValidator } from "../../../src/lab/sandbox/solana/start-validator.ts"
import { signerConfig, startSignerProcess } from "../../support/signer-process.ts"
import { createTestToken, type TestToken } from "../../support/use-token.ts"

let token: TestToken
let evmKey: Hex
let solanaPair: Keypair
beforeAll(() => {
  token = createTestToken()
  const evmJwk = token.importKey("secp256k1", "evm", "01").export({ format: "jwk" })
  evmKey = `0x${decodeUrl(evmJwk.d).toString("hex")}`
  solanaPair = Keypair.fromSeed(
    decodeUrl(token.importKey("ed25519", "solana", "02").export({ format: "jwk" }).d),
  )
  token.importKey("P-256", "web", "03")
})
afterAll(() => rmSync(token.dir, { recursive: true }))

function decodeUrl(text: string | undefined): Buffer {
  return Buffer.from(text ?? "", "base64url")
}

const secretOf = (uri: string): Secret => new Secret(uri, uri)
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

describe("a secp256k1 key in SoftHSM", () => {
  test("has the address that viem derives from the same private key", () => {
    expect(createEvmSigner(secretOf(token.uriOf("object=evm"))).account).toBe(
      privateKeyToAccount(evmKey).address,
    )
    expect(createEvmSigner(secretOf(token.uriOf("id=%01"))).account).toBe(
      privateKeyToAccount(evmKey).address,
    )
  })

  test("signs transactions that viem recovers, always with the lower s", async () => {
    const key = openTokenKey(token.uriOf("object=evm"), "secp256k1")
    key.unlock()
    const account = openTokenAccount(key)
    const raws = new Set<string>()
    for (let nonce = 0; nonce < 40; nonce++) {
      const raw = await account.signTransaction({
        ...TRANSFER,
        chainId: 1,
        nonce: nonce % 2,
        to: account.address,
      })
      // CAST: the account serializes this type of transaction only.
      const serializedTransaction = raw as TransactionSerialized<"eip1559">
      expect(await recoverTransactionAddress({ serializedTransaction })).toBe(account.address)
      expect(BigInt(parseTransaction(serializedTransaction).s ?? 0)).toBeLessThanOrEqual(HALF_ORDER)
      raws.add(raw)
    }
    // The token chooses nonces, so equal content has other bytes. The signer's record makes them
    // equal again.
    expect(raws.size).toBeGreaterThan(2)
  })

  test("still signs after a collection of garbage, with its library loaded", async () => {
    const key = openTokenKey(token.uriOf("object=evm"), "secp256k1")
    key.unlock()
    setFlagsFromString("--expose-gc")
    // CAST: the flag gives new contexts this function.
    const collect = runInNewContext("gc") as () => void
    for (let round = 0; round < 3; round++) {
      collect()
      await new Promise((resolve) => setImmediate(resolve))
    }
    expect(key.sign(Buffer.alloc(32, 1))).toHaveLength(64)
  })

  test("signs typed data that viem verifies", async () => {
    const key = openTokenKey(token.uriOf("object=evm"), "secp256k1")
    key.unlock()
    const account = openTokenAccount(key)
    const data = {
      domain: { name: "HTLC", version: "3", chainId: 1, verifyingContract: TRANSFER.to },
      types: { Initiate: [{ name: "amount", type: "uint256" }] },
      primaryType: "Initiate",
      message: { amount: 5n },
    } as const
    for (let round = 0; round < 10; round++) {
      const signature = await account.signTypedData(data)
      expect(await verifyTypedData({ ...data, address: account.address, signature })).toBe(true)
    }
  })

  test("sends a transaction that a real node mines", { timeout: 60_000 }, async () => {
    const anvil = await startAnvil({
      chainId: 31_337,
      port: 0,
      blockTimeSeconds: 0.2,
      log: silentLogger,
    })
    try {
      const client = createPublicClient({ transport: http(anvil.url) })
      const key = openTokenKey(token.uriOf("object=evm"), "secp256k1")
      key.unlock()
      const account = openTokenAccount(key)
      // CAST: a method of anvil, which the client's type does not list.
      await client.request({
        method: "anvil_setBalance",
        params: [account.address, "0xde0b6b3a7640000"],
      } as never)
      for (let nonce = 0; nonce < 4; nonce++) {
        const raw = await account.signTransaction({
          ...TRANSFER,
          chainId: 31_337,
          nonce,
          value: 7n,
        })
        const hash = await client.sendRawTransaction({ serializedTransaction: raw })
        expect(await client.waitForTransactionReceipt({ hash, pollingInterval: 50 })).toMatchObject(
          {
            status: "success",
          },
        )
      }
      expect(await client.getBalance({ address: TRANSFER.to })).toBe(28n)
    } finally {
      await anvil.stop()
    }
  })
})

const STRANGER: Address = "0x000000000000000000000000000000000000dEaD"
const TRANSFER = {
  type: "eip1559",
  to: STRANGER,
  value: 0n,
  gas: 21_000n,
  maxFeePerGas: 10n ** 10n,
  maxPriorityFeePerGas: 1n,
} as const

describe("an ed25519 key in SoftHSM", () => {
  test("has the address that web3.js derives from the same seed", () => {
    const { account } = createSolanaSigner(secretOf(token.uriOf("object=solana")))
    expect(account).toBe(solanaPair.publicKey.toBase58())
  })

  test("gives the signature of web3.js, and a real validator executes it", {
    timeout: 60_000,
  }, async () => {
    const validator = await startValidator({ port: 0, slotTimeMs: 100 })
    try {
      const connection = new Connection(validator.url, "confirmed")
      const us = solanaPair.publicKey
      const blockhash = async (): Promise<string> =>
        (await connection.getLatestBlockhash()).blockhash
      const funding = SystemProgram.transfer({
        fromPubkey: validator.payer.publicKey,
        toPubkey: us,
        lamports: 10 ** 9,
      })
      const fund = new VersionedTransaction(
        new TransactionMessage({
          payerKey: validator.payer.publicKey,
          recentBlockhash: await blockhash(),
          instructions: [funding],
        }).compileToV0Message(),
      )
      fund.sign([validator.payer])
      await confirm(connection, await connection.sendTransaction(fund))

      const target = Keypair.fromSeed(Buffer.alloc(32, 9)).publicKey
      const message = new TransactionMessage({
        payerKey: us,
        recentBlockhash: await blockhash(),
        instructions: [
          SystemProgram.transfer({ fromPubkey: us, toPubkey: target, lamports: 5_000_000 }),
        ],
      }).compileToV0Message()
      const key = openTokenKey(token.uriOf("object=solana"), "ed25519")
      key.unlock()
      const ours = new VersionedTransaction(message)
      ours.addSignature(new PublicKey(key.publicKey), key.sign(message.serialize()))
      const theirs = new VersionedTransaction(message)
      theirs.sign([solanaPair])
      expect(ours.serialize()).toEqual(theirs.serialize())
      await confirm(connection, await connection.sendTransaction(ours))
      expect(await connection.getBalance(target)).toBe(5_000_000)
    } finally {
      await validator.stop()
    }
  })
})

async function confirm(connection: Connection, signature: string): Promise<void> {
  await expect
    .poll(async () => (await connection.getSignatureStatus(signature)).value)
    .toMatchObject({ err: null, confirmationStatus: expect.stringMatching(/confirmed|finalized/) })
}

describe("a refusal", () => {
  const evm = (uri: string) => () => openTokenKey(uri, "secp256k1").unlock()

  test("names its cause", () => {
    const missing = token.uriOf("object=evm").replace(token.modulePath, "/nowhere/lib.so")
    expect(evm(missing)).toThrow(
      expect.objectContaining({ code: "pkcs11.module_missing", disposition: "fatal" }),
    )
    const notOne = token.uriOf("object=evm").replace(token.modulePath, process.execPath)
    expect(evm(notOne)).toThrow(expect.objectContaining({ code: "pkcs11.module_missing" }))
    const other = token.uriOf("object=evm").replace("token=Ballast", "token=Other")
    expect(evm(other)).toThrow(expect.objectContaining({ code: "pkcs11.token_missing" }))
    expect(evm(token.uriOf("object=nothing"))).toThrow(
      expect.objectContaining({ code: "pkcs11.key_missing" }),
    )
    expect(evm(token.uriOf("object=web"))).toThrow(
      expect.objectContaining({ code: "pkcs11.key_curve" }),
    )
    expect(evm(token.uriOf("object=solana"))).toThrow(
      expect.objectContaining({ code: "pkcs11.key_curve" }),
    )
    expect(() => openTokenKey(token.uriOf("object=evm"), "ed25519")).toThrow(
      expect.objectContaining({ code: "pkcs11.key_curve" }),
    )
    const withoutPin = token.uriOf("object=evm").replace(/&pin-source=.*/, "")
    expect(evm(withoutPin)).toThrow(expect.objectContaining({ code: "pkcs11.pin_missing" }))
    expect(evm(token.uriOf("object=evm", "file:/nowhere"))).toThrow(
      expect.objectContaining({ code: "pkcs11.pin_missing" }),
    )
  })

  test("of a private key that does not belong to the public key of its name", () => {
    const first = token.importKey("secp256k1", "pair", "0a")
    const second = token.importKey("secp256k1", "pair", "0b")
    expect(first.equals(second)).toBe(false)
    expect(evm(token.uriOf("object=pair"))).toThrow(
      expect.objectContaining({ code: "pkcs11.key_missing" }),
    )
    expect(evm(token.uriOf("object=pair;id=%0b"))).not.toThrow()
  })

  test("of two halves that carry one name and do not belong together", () => {
    token.importKey("secp256k1", "halves", "0c")
    token.importKey("secp256k1", "halves", "0d")
    const theirs = token.uriOf("object=halves;id=%0c")
    const ours = token.uriOf("object=halves;id=%0d")
    expect(evm(theirs)).not.toThrow()
    expect(evm(ours)).not.toThrow()
    destroyObject(PRIVATE_KEY, "0c")
    destroyObject(PUBLIC_KEY, "0d")
    expect(evm(token.uriOf("object=halves"))).toThrow(
      expect.objectContaining({ code: "pkcs11.key_mismatch" }),
    )
  })

  test("of a key that this process has not unlocked", () => {
    const key = openTokenKey(token.uriOf("object=evm"), "secp256k1")
    expect(() => key.sign(Buffer.alloc(32))).toThrow(
      expect.objectContaining({ code: "pkcs11.locked" }),
    )
    const signer = createSolanaSigner(secretOf(token.uriOf("object=solana", "file:/nowhere")))
    expect(signer.account).toBe(solanaPair.publicKey.toBase58())
  })
})

describe("a session that the token lost", () => {
  const lose = (name: "C_CloseAllSessions" | "C_Finalize"): void => {
    // A second user of the same library in this process, as a vendor's own tool could be.
    const library = createRequire(import.meta.url)("koffi").load(token.modulePath)
    if (name === "C_Finalize") library.func("ulong C_Finalize(void *nothing)")(null)
    else
      for (const slot of slotsOf(library))
        library.func("ulong C_CloseAllSessions(ulong slot)")(slot)
  }

  test.each(["C_CloseAllSessions", "C_Finalize"] as const)("is opened again (%s)", (name) => {
    const key = openTokenKey(token.uriOf("object=solana"), "ed25519")
    key.unlock()
    const before = key.sign(Buffer.from("a message"))
    lose(name)
    expect(key.sign(Buffer.from("a message"))).toEqual(before)
  })

  test("stays lost while the PIN is refused, and the PIN is not tried again", () => {
    const pinFile = join(token.dir, "changed-pin")
    writeFileSync(pinFile, "864213")
    const key = openTokenKey(token.uriOf("object=solana", `file:${pinFile}`), "ed25519")
    key.unlock()
    writeFileSync(pinFile, "111111")
    lose("C_CloseAllSessions")
    const refused = expect.objectContaining({ code: "pkcs11.pin_wrong", disposition: "transient" })
    expect(() => key.sign(Buffer.from("a message"))).toThrow(refused)
    writeFileSync(pinFile, "864213")
    expect(() => key.sign(Buffer.from("a message"))).toThrow(refused)
    expect(() =>
      openTokenKey(token.uriOf("object=solana", "file:/nowhere"), "ed25519"),
    ).not.toThrow()
    writeFileSync(pinFile, "222222")
    const fresh = openTokenKey(token.uriOf("object=solana", `file:${pinFile}`), "ed25519")
    expect(() => fresh.unlock()).toThrow(
      expect.objectContaining({ code: "pkcs11.pin_wrong", disposition: "fatal" }),
    )
  })
})

const PUBLIC_KEY = 2n
const PRIVATE_KEY = 3n

/** Destroys one half of a key pair, in a session of the test's own. */
function destroyObject(kind: bigint, id: string): void {
  const koffi = createRequire(import.meta.url)("koffi")
  const library: Library = koffi.load(token.modulePath)
  const attribute = koffi.struct({ type: "ulong", pValue: "void *", ulValueLen: "ulong" })
  const call = (name: string, types: readonly unknown[], ...values: unknown[]): void => {
    // CAST: koffi takes types as objects too.
    const found = (
      library as never as { func(name: string, result: string, types: unknown): () => number }
    ).func(name, "ulong", types)
    expect(Reflect.apply(found, null, values), name).toBe(0)
  }
  const session = [0]
  const object = [0]
  const count = [0]
  const value = Buffer.alloc(8)
  value.writeBigUInt64LE(kind)
  const ulongs = koffi.out(koffi.pointer("ulong"))
  const [slot] = slotsOf(library).filter((one) => one > 1)
  call(
    "C_OpenSession",
    ["ulong", "ulong", "void *", "void *", ulongs],
    slot,
    6,
    null,
    null,
    session,
  )
  const template = [
    { type: 0, pValue: value, ulValueLen: 8 },
    { type: 0x102, pValue: Buffer.from(id, "hex"), ulValueLen: 1 },
  ]
  call("C_FindObjectsInit", ["ulong", koffi.pointer(attribute), "ulong"], session[0], template, 2)
  call("C_FindObjects", ["ulong", ulongs, "ulong", ulongs], session[0], object, 1, count)
  call("C_FindObjectsFinal", ["ulong"], session[0])
  expect(count[0]).toBe(1)
  call("C_DestroyObject", ["ulong", "ulong"], session[0], object[0])
}

type Library = { func(definition: string): (...values: unknown[]) => unknown }

function slotsOf(library: Library): readonly number[] {
  const count = [8]
  const slots = new Array<number>(8).fill(0)
  library.func("ulong C_GetSlotList(uint8 present, _Out_ ulong *list, _Inout_ ulong *count)")(
    1,
    slots,
    count,
  )
  return slots.slice(0, count[0])
}

describe("a signer process with keys of a token", () => {
  const keys = () => ({
    base_sepolia: token.uriOf("object=evm"),
    solana_testnet: token.uriOf("object=solana"),
  })
  const env = () => ({ SOFTHSM2_CONF: process.env["SOFTHSM2_CONF"] ?? "" })
  const voidOf = (account: Address, nonce: number): SignerQuestion => {
    const tx = { chainId: 84_532, nonce, to: account, value: 0n, data: "0x" as const, gas: 21_000n }
    const { unsigned, digest } = formatUnsigned({
      ...tx,
      maxFeePerGas: 10n ** 9n,
      maxPriorityFeePerGas: 1n,
    })
    const plan: TransactionPlan = {
      chain: toChainId("base_sepolia"),
      account,
      action: "void",
      attempt: 0,
      unsigned,
      digest,
      spends: [],
      resources: [`nonce:${nonce}`],
      maxFeeUnits: 21_000n * 10n ** 9n,
      fromHeight: 1n,
      expiresAtHeight: null,
    }
    return { kind: "transaction", order: `nonce ${nonce}`, plan, deposit: null }
  }

  test("gives one plan the same bytes each time, also after a restart", {
    timeout: 90_000,
  }, async () => {
    const { address } = privateKeyToAccount(evmKey)
    const first = await startSignerProcess({}, { keys: keys(), env: env() })
    const client = first.open()
    expect(await client.ask({ kind: "identify" })).toMatchObject({
      result: {
        chains: expect.arrayContaining([
          { chain: "base_sepolia", account: address, publicKey: address },
          expect.objectContaining({
            chain: "solana_testnet",
            account: solanaPair.publicKey.toBase58(),
          }),
        ]),
      },
    })
    const answers = await Promise.all(
      [1, 2, 1, 2, 1].map((nonce) => client.ask(voidOf(address, nonce))),
    )
    expect(answers[0]).toMatchObject({ ok: true, result: { raw: expect.stringMatching(/^0x02/) } })
    const rawOf = (answer: (typeof answers)[number] | undefined): unknown =>
      answer?.ok && answer.result["raw"]
    expect([2, 4].map((at) => rawOf(answers[at]))).toEqual([rawOf(answers[0]), rawOf(answers[0])])
    expect(rawOf(answers[3])).toBe(rawOf(answers[1]))
    expect(rawOf(answers[1])).not.toBe(rawOf(answers[0]))
    expect(first.output()).not.toContain("864213")
    await first.stop({ keepDir: true })
    const second = await startSignerProcess({}, { keys: keys(), env: env(), dir: first.dir })
    expect(rawOf(await second.open().ask(voidOf(address, 1)))).toBe(rawOf(answers[0]))
    await second.stop()
  })

  test("does not start with a wrong PIN, and tries it once", { timeout: 60_000 }, async () => {
    const pinFile = join(token.dir, "wrong-pin")
    writeFileSync(pinFile, "000000")
    const wrong = { base_sepolia: token.uriOf("object=evm", `file:${pinFile}`) }
    const failure = await startSignerProcess({}, { keys: wrong, env: env() }).catch(String)
    expect(failure).toContain("[pkcs11.pin_wrong]")
    expect(failure).not.toContain("000000")
  })
})

describe("a configuration with a token", () => {
  const problemsOf = (
    chains: Record<string, string>,
    extra: Record<string, unknown> = {},
  ): string => {
    const config = { ...signerConfig("/tmp", {}), ...extra }
    // CAST: `signerConfig` writes the chains.
    const written = config["chains"] as Record<string, Record<string, unknown>>
    for (const [chain, key] of Object.entries(chains)) Object.assign(written[chain] ?? {}, { key })
    try {
      parseConfig(JSON.stringify(config), {
        file: "b.yaml",
        secrets: () => new Secret("x", "x"),
        choice: "without_keys",
      })
      return ""
    } catch (error) {
      return String(error)
    }
  }

  test(
    "is accepted for the families whose signatures PKCS#11 has, and refused with the reason " +
      "for the others",
    () => {
      expect(
        problemsOf({
          base_sepolia: token.uriOf("object=evm"),
          solana_testnet: token.uriOf("object=solana"),
        }),
      ).toBe("")
      expect(problemsOf({ bitcoin_testnet: token.uriOf("object=evm") })).toContain("Schnorr")
      expect(problemsOf({ starknet_sepolia: token.uriOf("object=evm") })).toContain(
        "lacks its curve",
      )
    },
  )

  test("must leave the keys to the signer process, and shows no PIN", () => {
    const inside = problemsOf(
      { base_sepolia: token.uriOf("object=evm") },
      { mode: "live", signer: { run: "inside" } },
    )
    expect(inside).toContain("only the signer process opens")
    const withPin = problemsOf({
      base_sepolia: "pkcs11:token=T;object=O?module-path=/l.so&pin-value=864213",
    })
    expect(withPin).toContain("must not hold the PIN")
    expect(withPin).not.toContain("864213")
  })
})

describe("the reference", () => {
  const lookup = (env: Record<string, string>) => createSecretLookup(env, "/etc/ballast")
  const uri = "pkcs11:token=T;object=O?module-path=/lib/p.so&pin-source="

  test("gets the absolute place of the PIN, and never the PIN", () => {
    expect(lookup({})(`${uri}file:pin`).reveal()).toBe(`${uri}file%3A%2Fetc%2Fballast%2Fpin`)
    expect(lookup({ CREDENTIALS_DIRECTORY: "/run/c" })(`${uri}credential:pin`).reveal()).toBe(
      `${uri}file%3A%2Frun%2Fc%2Fpin`,
    )
    expect(lookup({})(`${uri}credential:pin`).reveal()).toBe(`${uri}credential:pin`)
  })

  test.each([
    ["pkcs11:token=T;object=O?module-path=/lib/p.so&pin-value=864213", "must not hold the PIN"],
    ["pkcs11:token=T;object=O?module-path=lib/p.so", "absolute path"],
    ["pkcs11:token=T?module-path=/lib/p.so", "names no key"],
    ["pkcs11:object=O?module-path=/lib/p.so", "names no token"],
    ["pkcs11:token=T;token=U;object=O?module-path=/lib/p.so", "doubled"],
    ["pkcs11:token=T;object=%4?module-path=/lib/p.so", "malformed"],
    [`${uri}864213`, "pin-source must be"],
    [`${uri}%7Ccat%20pin`, "pin-source must be"],
  ])("%s is refused without a word of its values", (written, problem) => {
    expect(() => lookup({})(written)).toThrow(problem)
    expect(() => lookup({})(written)).not.toThrow("864213")
  })
})
