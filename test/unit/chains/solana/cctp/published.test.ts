import { PublicKey, SystemProgram } from "@solana/web3.js"
import { describe, expect, test } from "vitest"
import { buildBurn, buildMint } from "#chains/solana/cctp/accounts.ts"
import {
  decodeBurnCall,
  decodeMintCall,
  encodeBurnCall,
  encodeMintCall,
} from "#chains/solana/cctp/calls.ts"
import { findBurnDomain } from "#chains/solana/cctp/domains.ts"
import { decodeTransmitter } from "#chains/solana/cctp/states.ts"
import { deriveTokenAccount } from "#chains/solana/tokens.ts"
import { mustExist } from "#lib/assert.ts"
import { encodeBurnMessage } from "#routes/cctp/message.ts"
import { transmitterState } from "#sandbox/solana/cctp-program.ts"
import { ACCOUNTS, BURN, EVENT_KEY, KEY, MESSAGE, STRANGER, TOKEN_ACCOUNT } from "./sample-burn.ts"

/** As the interface descriptions of Circle's programs list them; W writable, S signer. */
const MESSENGER = new PublicKey("CCTPV2vPZJS2u2BBsUoscuikbYjnpFmbFsvVuJdgUMQe")
const TRANSMITTER = new PublicKey("CCTPV2Sm4AdWt5296sk4P66VBZ7bEhcARwFaaS9YPbeC")
const TOKEN = new PublicKey("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
const MINT = new PublicKey("EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v")

const of = (program: PublicKey, ...seeds: (string | Uint8Array)[]): PublicKey =>
  PublicKey.findProgramAddressSync(
    seeds.map((seed) => Buffer.from(seed)),
    program,
  )[0]

const bytesOf = (word: string): Buffer => Buffer.from(word.slice(2), "hex")

const flagsOf = (keys: ReturnType<typeof buildBurn>["keys"]) =>
  keys.map(({ pubkey, isWritable, isSigner }) =>
    [pubkey.toBase58(), `${isWritable ? "W" : ""}${isSigner ? "S" : ""}`].join(" ").trim(),
  )

const expected = (rows: readonly (readonly [PublicKey, string])[]) =>
  rows.map(([key, flags]) => `${key.toBase58()} ${flags}`.trim())

describe("the published interface", () => {
  test("of deposit_for_burn: discriminator, arguments and accounts", () => {
    const data = encodeBurnCall(BURN)
    expect(data.toString("hex")).toBe(
      [
        "d73c3d2e723780b0",
        "00e1f50500000000",
        "06000000",
        BURN.mintRecipient.slice(2),
        "00".repeat(32),
        "803e000000000000",
        "e8030000",
      ].join(""),
    )
    expect(decodeBurnCall(data)).toEqual(BURN)
    const owner = KEY.publicKey
    const parts = { owner, eventAccount: EVENT_KEY.publicKey, domain: 6 }
    const { keys, programId } = buildBurn(ACCOUNTS, parts, data)
    expect(programId).toEqual(MESSENGER)
    expect(flagsOf(keys)).toEqual(
      expected([
        [owner, "S"],
        [owner, "WS"],
        [of(MESSENGER, "sender_authority"), ""],
        [deriveTokenAccount(owner, MINT), "W"],
        [of(MESSENGER, "denylist_account", owner.toBytes()), ""],
        [of(TRANSMITTER, "message_transmitter"), "W"],
        [of(MESSENGER, "token_messenger"), ""],
        [of(MESSENGER, "remote_token_messenger", "6"), ""],
        [of(MESSENGER, "token_minter"), ""],
        [of(MESSENGER, "local_token", MINT.toBytes()), "W"],
        [MINT, "W"],
        [EVENT_KEY.publicKey, "WS"],
        [TRANSMITTER, ""],
        [MESSENGER, ""],
        [TOKEN, ""],
        [SystemProgram.programId, ""],
        [of(MESSENGER, "__event_authority"), ""],
        [MESSENGER, ""],
      ]),
    )
  })

  test("of a burn for the domain 0, which is Ethereum", () => {
    const burn = { ...BURN, destinationDomain: 0 }
    const data = encodeBurnCall(burn)
    expect(data.toString("hex", 16, 20)).toBe("00000000")
    expect(decodeBurnCall(data)).toEqual(burn)
    const parts = { owner: KEY.publicKey, eventAccount: EVENT_KEY.publicKey, domain: 0 }
    const { keys } = buildBurn(ACCOUNTS, parts, data)
    expect(keys[7]?.pubkey).toEqual(of(MESSENGER, "remote_token_messenger", "0"))
  })

  test("of receive_message: discriminator, arguments and accounts", () => {
    const message = encodeBurnMessage(MESSAGE)
    const attestation = `0x${"22".repeat(130)}` as const
    const data = encodeMintCall(message, attestation)
    expect(data.toString("hex", 0, 12)).toBe("26907fe11fe1ee1978010000")
    expect(data.toString("hex", 388, 392)).toBe("82000000")
    expect(data.length).toBe(522)
    expect(decodeMintCall(data)).toEqual({ message, attestation })
    expect(decodeMintCall(Buffer.concat([data, Buffer.of(0)]))).toBeNull()
    expect(decodeMintCall(data.subarray(0, 521))).toBeNull()
    const fees = deriveTokenAccount(STRANGER, MINT)
    const { keys, programId } = buildMint(
      ACCOUNTS,
      {
        payer: KEY.publicKey,
        nonce: MESSAGE.nonce,
        source: 6,
        burnToken: MESSAGE.burnToken,
        feeAccount: fees,
        recipient: TOKEN_ACCOUNT,
      },
      data,
    )
    expect(programId).toEqual(TRANSMITTER)
    expect(flagsOf(keys)).toEqual(
      expected([
        [KEY.publicKey, "WS"],
        [KEY.publicKey, "S"],
        [of(TRANSMITTER, "message_transmitter_authority", MESSENGER.toBytes()), ""],
        [of(TRANSMITTER, "message_transmitter"), ""],
        [of(TRANSMITTER, "used_nonce", bytesOf(MESSAGE.nonce)), "W"],
        [MESSENGER, ""],
        [SystemProgram.programId, ""],
        [of(TRANSMITTER, "__event_authority"), ""],
        [TRANSMITTER, ""],
        [of(MESSENGER, "token_messenger"), ""],
        [of(MESSENGER, "remote_token_messenger", "6"), ""],
        [of(MESSENGER, "token_minter"), ""],
        [of(MESSENGER, "local_token", MINT.toBytes()), "W"],
        [of(MESSENGER, "token_pair", "6", bytesOf(MESSAGE.burnToken)), ""],
        [fees, "W"],
        [TOKEN_ACCOUNT, "W"],
        [of(MESSENGER, "custody", MINT.toBytes()), "W"],
        [TOKEN, ""],
        [of(MESSENGER, "__event_authority"), ""],
        [MESSENGER, ""],
      ]),
    )
  })

  test("of the state of the transmitter; an account of another program is none", () => {
    const attesters = [`0x${"01".repeat(20)}`, `0x${"02".repeat(20)}`]
    const data = transmitterState({ owner: STRANGER, domain: 5, attesters, isPaused: true })
    const account = { owner: TRANSMITTER.toBase58(), data }
    const state = { isPaused: true, localDomain: 5, threshold: 2, attesters }
    expect(decodeTransmitter(account, TRANSMITTER)).toEqual(state)
    expect(decodeTransmitter(account, MESSENGER)).toBeNull()
    expect(decodeTransmitter({ ...account, data: data.subarray(0, 160) }, TRANSMITTER)).toBeNull()
    const hostile = Buffer.from(data)
    hostile.writeUInt32LE(0xffff_ffff, 149)
    expect(decodeTransmitter({ ...account, data: hostile }, TRANSMITTER)).toBeNull()
  })

  test("of the domain and the tokens of both networks", () => {
    const main = mustExist(findBurnDomain("solana"), "the main network")
    const devnet = "4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU"
    expect([main.domain, main.network, main.written.token]).toEqual([5, "main", `${MINT}`])
    expect(findBurnDomain("solana_testnet")?.written.token).toBe(devnet)
    expect(findBurnDomain("")).toBeNull()
    expect(main.token).toBe(`0x${Buffer.from(MINT.toBytes()).toString("hex")}`)
    expect(main.fastMs).not.toBeNull()
    const local = { domain: "5", token: "0x12", messenger: `${MESSENGER}`, transmitter: "x" }
    expect(findBurnDomain("", local)).toBeNull()
    const of = (token: string) =>
      findBurnDomain("", { domain: "5", token, messenger: `${MESSENGER}`, transmitter: `${TOKEN}` })
    expect(of("1".repeat(32))?.token).toBe(`0x${"00".repeat(32)}`)
    expect(of("1".repeat(33))).toBeNull()
    expect(of(`${MINT}1`)).toBeNull()
    const low = new PublicKey(Buffer.concat([Buffer.alloc(2), Buffer.alloc(30, 9)]))
    expect(of(`${low}`)?.token).toBe(`0x0000${"09".repeat(30)}`)
  })
})
