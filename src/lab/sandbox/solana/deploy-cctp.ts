import { join } from "node:path"
import {
  AddressLookupTableProgram,
  type Connection,
  Keypair,
  type PublicKey,
  type TransactionInstruction,
} from "@solana/web3.js"
import type { AttestedBurn, AttestedChain } from "../cctp/attested-chain.ts"
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
import type { Sender } from "./solana-chain.ts"
import { createMint, createTokenAccount, MINT_BYTES, mintTo, TOKEN_PROGRAM } from "./spl-tokens.ts"

/** The programs of CCTP for the start of a validator: one file at two addresses. */
export const CCTP_PROGRAMS = [MESSENGER, TRANSMITTER].map((id) => ({
  programId: id.toBase58(),
  soPath: join(import.meta.dirname, "program", "cctp.so"),
}))

/** The contracts of CCTP on a local Solana, and the changes that a test asks for. */
export type LocalSolanaCctp = {
  readonly domain: number
  readonly mint: PublicKey
  readonly messenger: string
  readonly transmitter: string
  readonly lookupTable: string
  readonly attested: AttestedChain
  setPaused(part: "transmitter" | "minter", isPaused: boolean): Promise<void>
  setBurnLimit(units: bigint): Promise<void>
  setDenylisted(account: PublicKey): Promise<void>
  /** Makes a chain's burns mintable here, and burns here mintable there. */
  link(remote: { domain: number; messenger: string; token: string }): Promise<void>
}

/** As live: ten million in one burn. */
const BURN_LIMIT = 10n ** 13n
const PLENTY = 10n ** 15n

/** Opens the state of the programs on a fresh validator, with a mint of the payer's. */
export async function deploySolanaCctp(options: {
  readonly connection: Connection
  readonly sender: Sender
  readonly payer: Keypair
  readonly domain: number
  readonly attesters: readonly string[]
}): Promise<LocalSolanaCctp> {
  const { connection, sender, payer, domain, attesters } = options
  const owner = payer.publicKey
  const token = Keypair.generate()
  const mint = token.publicKey
  const rentOf = (bytes: number) => connection.getMinimumBalanceForRentExemption(bytes)
  const send = async (...instructions: readonly TransactionInstruction[]): Promise<void> => {
    await sender.send([payer], instructions)
  }
  const open = async (program: PublicKey, seeds: Seeds, data: Buffer): Promise<void> =>
    send(...openState(program, owner, seeds, { data, lamports: await rentOf(data.length) }))

  const rentLamports = await rentOf(MINT_BYTES)
  await sender.send(
    [payer, token],
    createMint({ payer: owner, mint, authority: owner, decimals: 6, rentLamports }),
  )
  await open(TRANSMITTER, ["message_transmitter"], transmitterState({ owner, domain, attesters }))
  await open(MESSENGER, ["token_messenger"], messengerState(owner))
  await open(MESSENGER, ["token_minter"], minterState(owner))
  await open(MESSENGER, ["local_token", mint.toBytes()], localTokenState(mint, BURN_LIMIT))
  await openCustody()
  const lookupTable = await openTable()
  return {
    domain,
    mint,
    messenger: MESSENGER.toBase58(),
    transmitter: TRANSMITTER.toBase58(),
    lookupTable,
    attested: attestedSolana(connection, domain),
    setPaused: (part, isPaused) =>
      part === "transmitter"
        ? send(
            writeState(
              TRANSMITTER,
              ["message_transmitter"],
              transmitterState({ owner, domain, attesters, isPaused }),
            ),
          )
        : send(writeState(MESSENGER, ["token_minter"], minterState(owner, isPaused))),
    setBurnLimit: (units) =>
      send(writeState(MESSENGER, ["local_token", mint.toBytes()], localTokenState(mint, units))),
    setDenylisted: (account) =>
      open(MESSENGER, ["denylist_account", account.toBytes()], Buffer.alloc(40, 1)),
    link: async (remote) => {
      const text = String(remote.domain)
      const tokenBytes = Buffer.from(remote.token.replace(/^0x/, "").padStart(64, "0"), "hex")
      await open(
        MESSENGER,
        ["remote_token_messenger", text],
        remoteState(remote.domain, remote.messenger),
      )
      await open(
        MESSENGER,
        ["token_pair", text, tokenBytes],
        tokenPairState(remote.domain, remote.token, mint),
      )
    },
  }

  async function openCustody(): Promise<void> {
    const account = { space: 165, lamports: await rentOf(165), owner: TOKEN_PROGRAM }
    const seeds = ["custody", mint.toBytes()]
    const custody = findAddress(MESSENGER, seeds)
    await send(
      openAccount(MESSENGER, owner, seeds, account),
      initializeCustody(mint),
      createTokenAccount(owner, owner, mint),
      mintTo({ mint, authority: owner, owner, units: PLENTY, account: custody }),
    )
  }

  /** A table takes effect in the slot after its last change. */
  async function openTable(): Promise<string> {
    const [create, table] = AddressLookupTableProgram.createLookupTable({
      authority: owner,
      payer: owner,
      recentSlot: (await connection.getSlot("finalized")) - 1,
    })
    const extend = AddressLookupTableProgram.extendLookupTable({
      lookupTable: table,
      authority: owner,
      payer: owner,
      addresses: [...sharedAddresses(mint, owner)],
    })
    await send(create, extend)
    return table.toBase58()
  }
}

/** The messages are in the accounts that burns open. */
function attestedSolana(connection: Connection, domain: number): AttestedChain {
  return {
    domain,
    height: async () => BigInt(await connection.getSlot("confirmed")),
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
