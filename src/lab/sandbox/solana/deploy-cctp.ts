import { join } from "node:path"
import {
  AddressLookupTableProgram,
  type Connection,
  Keypair,
  PublicKey,
  type TransactionInstruction,
} from "@solana/web3.js"
import type { AttestedBurn, AttestedChain, LocalSolanaCctp } from "../cctp/attested-chain.ts"
import {
  EVENT_ACCOUNT_AT,
  findAddress,
  initializeCustody,
  localTokenState,
  MESSENGER,
  messengerState,
  minterState,
  openAccount,
  openState,
  readEmitted,
  remoteState,
  type Seeds,
  sharedAddresses,
  TRANSMITTER,
  tokenPairState,
  transmitterState,
  writeState,
} from "./cctp-program.ts"
import type { Sender } from "./create-sender.ts"
import { createMint, createTokenAccount, MINT_BYTES, mintTo, TOKEN_PROGRAM } from "./spl-tokens.ts"

/** The programs of CCTP for the start of a validator: one file at two addresses. */
export const CCTP_PROGRAMS = [MESSENGER, TRANSMITTER].map((id) => ({
  programId: id.toBase58(),
  soPath: join(import.meta.dirname, "program", "cctp.so"),
}))

/** As live: ten million in one burn. */
const BURN_LIMIT = 10n ** 13n
const PLENTY = 10n ** 15n

type Options = {
  readonly connection: Connection
  readonly sender: Sender
  /** It owns everything, and pays for it. */
  readonly payer: Keypair
  readonly domain: number
  readonly attesters: readonly string[]
  /** A mint of the payer's; absent for a new one. */
  readonly mint?: PublicKey
}

/** Opens the state of the programs on a fresh validator. */
export async function deploySolanaCctp(options: Options): Promise<LocalSolanaCctp> {
  const { connection, payer, domain, attesters } = options
  const owner = payer.publicKey
  const mint = options.mint ?? (await openMint(options))
  const { open, send } = callsOf(options)
  const transmitter = { owner, domain, attesters: attesters.toSorted(byNumber) }
  await open(TRANSMITTER, ["message_transmitter"], transmitterState(transmitter))
  await open(MESSENGER, ["token_messenger"], messengerState(owner))
  await open(MESSENGER, ["token_minter"], minterState(owner))
  await open(MESSENGER, ["local_token", mint.toBytes()], localTokenState(mint, BURN_LIMIT))
  await openCustody(options, mint)
  const setState = (program: PublicKey, seeds: Seeds, data: Buffer): Promise<void> =>
    send(writeState(program, seeds, data))
  return {
    domain,
    mint,
    messenger: MESSENGER.toBase58(),
    transmitter: TRANSMITTER.toBase58(),
    words: { messenger: wordOf(MESSENGER), mint: wordOf(mint) },
    lookupTable: await openTable(options, mint),
    attested: attestedSolana(connection, domain),
    setPaused: (part, isPaused) =>
      part === "minter"
        ? setState(MESSENGER, ["token_minter"], minterState(owner, isPaused))
        : setState(
            TRANSMITTER,
            ["message_transmitter"],
            transmitterState({ ...transmitter, isPaused }),
          ),
    setBurnLimit: (units) =>
      setState(MESSENGER, ["local_token", mint.toBytes()], localTokenState(mint, units)),
    setDenylisted: (account) =>
      open(MESSENGER, ["denylist_account", account.toBytes()], Buffer.alloc(40, 1)),
    link: async ({ domain: there, messenger, token }) => {
      const text = String(there)
      const bytes = Buffer.from(token.replace(/^0x/, "").padStart(64, "0"), "hex")
      await open(MESSENGER, ["remote_token_messenger", text], remoteState(there, messenger))
      await open(MESSENGER, ["token_pair", text, bytes], tokenPairState(there, token, mint))
    },
  }
}

function wordOf(address: PublicKey): string {
  return `0x${Buffer.from(address.toBytes()).toString("hex")}`
}

function byNumber(a: string, b: string): number {
  return BigInt(a) < BigInt(b) ? -1 : 1
}

function callsOf({ connection, sender, payer }: Options) {
  const rentOf = (bytes: number) => connection.getMinimumBalanceForRentExemption(bytes)
  const send = async (...instructions: readonly TransactionInstruction[]): Promise<void> => {
    await sender.send([payer], instructions)
  }
  const open = async (program: PublicKey, seeds: Seeds, data: Buffer): Promise<void> => {
    const state = { data, lamports: await rentOf(data.length) }
    await send(...openState(program, payer.publicKey, seeds, state))
  }
  return { rentOf, send, open }
}

async function openMint({ connection, sender, payer }: Options): Promise<PublicKey> {
  const token = Keypair.generate()
  const rentLamports = await connection.getMinimumBalanceForRentExemption(MINT_BYTES)
  const authority = payer.publicKey
  const parts = { payer: authority, mint: token.publicKey, authority, decimals: 6, rentLamports }
  await sender.send([payer, token], createMint(parts))
  return token.publicKey
}

/** The minter pays from a stock that Circle fills. */
async function openCustody(options: Options, mint: PublicKey): Promise<void> {
  const { rentOf, send } = callsOf(options)
  const owner = options.payer.publicKey
  const seeds = ["custody", mint.toBytes()]
  const space = 165
  const account = { space, lamports: await rentOf(space), owner: TOKEN_PROGRAM }
  const custody = findAddress(MESSENGER, seeds)
  await send(
    openAccount(MESSENGER, owner, seeds, account),
    initializeCustody(mint),
    createTokenAccount(owner, owner, mint),
    mintTo({ mint, authority: owner, owner, units: PLENTY, account: custody }),
  )
}

/** A table takes effect in the slot after its last change. */
async function openTable(options: Options, mint: PublicKey): Promise<string> {
  const { connection, payer } = options
  const owner = payer.publicKey
  const recentSlot = (await connection.getSlot("finalized")) - 1
  const parties = { authority: owner, payer: owner }
  const [create, table] = AddressLookupTableProgram.createLookupTable({ ...parties, recentSlot })
  const addresses = [...sharedAddresses(mint, owner)]
  const extend = AddressLookupTableProgram.extendLookupTable({
    ...parties,
    lookupTable: table,
    addresses,
  })
  await callsOf(options).send(create, extend)
  return table.toBase58()
}

/** The messages are in the accounts that burns open. */
function attestedSolana(connection: Connection, domain: number): AttestedChain {
  return {
    domain,
    height: async () => BigInt(await connection.getSlot("confirmed")),
    addressOf: (word) => new PublicKey(Buffer.from(word.slice(2), "hex")).toBase58(),
    findBurns: async (txid): Promise<readonly AttestedBurn[] | null> => {
      const found = await connection
        .getTransaction(txid, { commitment: "confirmed", maxSupportedTransactionVersion: 0 })
        .catch(() => null)
      if (found === null || found.meta?.err !== null) return null
      const { message } = found.transaction
      const keys = message.staticAccountKeys
      const calls = message.compiledInstructions.filter(({ programIdIndex }) =>
        keys[programIdIndex]?.equals(MESSENGER),
      )
      const slot = await connection.getSlot("confirmed")
      const burns = calls.map(async ({ accountKeyIndexes }, place) => {
        const key = keys[accountKeyIndexes[EVENT_ACCOUNT_AT] ?? -1]
        const account = key && (await connection.getAccountInfo(key, "confirmed"))
        if (!account) return []
        return [{ emitted: readEmitted(account.data), place, depth: slot - found.slot + 1 }]
      })
      return (await Promise.all(burns)).flat()
    },
  }
}
