import { deflateSync } from "node:zlib"
import { PublicKey } from "@solana/web3.js"
import { createPublicClient, createWalletClient, type Hex, http } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { afterEach, beforeAll, expect, test, vi } from "vitest"
import { wordOf as wordOnEvm } from "#chains/evm/cctp/presets.ts"
import { readBurns as readBurnLogs, readMints as readMintLogs } from "#chains/evm/cctp/read-logs.ts"
import { requireAddress } from "#chains/evm/wallet.ts"
import { type CctpAccounts, deriveAccounts } from "#chains/solana/cctp/accounts.ts"
import { programsOf, wordOf } from "#chains/solana/cctp/presets.ts"
import { readBurns, readMints } from "#chains/solana/cctp/read-events.ts"
import { createNode } from "#chains/solana/node.ts"
import { createRpc } from "#chains/solana/rpc.ts"
import { deriveTokenAccount } from "#chains/solana/tokens.ts"
import { mustExist } from "#lib/assert.ts"
import { systemClock } from "#lib/clock.ts"
import { loadPublishedCctp, type PublishedChain } from "../../support/published-cctp.ts"
import { loadCctpIdls } from "../../support/published-cctp-idls.ts"
import {
  AMOUNT,
  attester,
  connection,
  contractsOnBase,
  fundSolana,
  onSolana,
  solanaKey,
  useSolana,
} from "./use-solana.ts"

useSolana()

/** The table of addresses that the client has as a constant for the test network. */
const CLIENTS_TABLE = "29VCJ73d5aR5dE6oxaUkipntw1tFzDDKNLqrXE2ujWHW"

let published: Awaited<ReturnType<typeof loadPublishedCctp>>

beforeAll(async () => {
  published = await loadPublishedCctp()
  const idls = loadCctpIdls()
  await setDescription(onSolana.messenger, idls.messenger)
  await setDescription(onSolana.transmitter, idls.transmitter)
  const table = await connection.getAccountInfo(new PublicKey(onSolana.lookupTable))
  await setAccount(CLIENTS_TABLE, mustExist(table, "the sandbox's table"))
}, 400_000)

afterEach(() => vi.unstubAllGlobals())

type State = { readonly lamports: number; readonly data: Uint8Array; readonly owner: PublicKey }

async function setAccount(address: string, { lamports, data, owner }: State): Promise<void> {
  const update = {
    lamports,
    data: Buffer.from(data).toString("hex"),
    owner: owner.toBase58(),
    executable: false,
  }
  const call = { jsonrpc: "2.0", id: 1, method: "surfnet_setAccount", params: [address, update] }
  const answer = await fetch(connection.rpcEndpoint, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(call),
  })
  // CAST: an answer of JSON-RPC.
  const { error } = (await answer.json()) as { error?: unknown }
  if (error !== undefined) throw new Error(JSON.stringify(error))
}

/** The client reads a program's interface description on chain, where Anchor keeps it. */
async function setDescription(program: string, text: string): Promise<void> {
  const owner = new PublicKey(program)
  const [base] = PublicKey.findProgramAddressSync([], owner)
  const address = await PublicKey.createWithSeed(base, "anchor:idl", owner)
  const packed = deflateSync(text)
  const length = Buffer.alloc(4)
  length.writeUInt32LE(packed.length)
  const data = Buffer.concat([Buffer.alloc(8), owner.toBuffer(), length, packed])
  await setAccount(address.toBase58(), { lamports: 10 ** 9, data, owner })
}

/** The client has Circle's host as a constant. Every other host is refused. */
function redirectService(): void {
  const real = globalThis.fetch
  vi.stubGlobal("fetch", (asked: string | URL | Request, options?: RequestInit) => {
    const url = new URL(asked instanceof Request ? asked.url : asked)
    if (url.hostname === "127.0.0.1") return real(asked, options)
    if (url.hostname !== "iris-api-sandbox.circle.com")
      throw new Error(`another host than ours: ${url.hostname}`)
    return real(`${attester.url}${url.pathname}${url.search}`, options)
  })
}

/** The published record of a chain with our own contracts. */
function recordOf(
  name: string,
  usdcAddress: string,
  contracts: { readonly tokenMessenger: string; readonly messageTransmitter: string },
): PublishedChain {
  const { kitContracts: _wrapper, ...known } = mustExist(published.chains[name], name)
  const cctp = mustExist(known.cctp, "the part of CCTP")
  const v2 = mustExist(cctp.contracts.v2, "version 2")
  return { ...known, usdcAddress, cctp: { ...cctp, contracts: { v2: { ...v2, ...contracts } } } }
}

function recordOfBase(): PublishedChain {
  const { usdc, messenger, transmitter } = contractsOnBase()
  return recordOf("BaseSepolia", usdc, {
    tokenMessenger: messenger,
    messageTransmitter: transmitter,
  })
}

function recordOfSolana(): PublishedChain {
  const { mint, messenger, transmitter } = onSolana
  return recordOf("SolanaDevnet", mint.toBase58(), {
    tokenMessenger: messenger,
    messageTransmitter: transmitter,
  })
}

async function openParties(key: Hex): Promise<Readonly<Record<"evm" | "solana", Party>>> {
  const base = recordOfBase()
  const there = recordOfSolana()
  const account = privateKeyToAccount(key)
  const { chain } = contractsOnBase()
  const transport = http(chain.rpcUrl)
  const ofBase = new published.adapter.ViemAdapter(
    {
      getPublicClient: (asked) =>
        createPublicClient({ chain: asked.chain, transport, pollingInterval: 50 }),
      getWalletClient: (asked) => createWalletClient({ account, chain: asked.chain, transport }),
    },
    { addressContext: "user-controlled", supportedChains: [base] },
  )
  const own = new published.web3.Connection(connection.rpcEndpoint, {
    commitment: "confirmed",
    wsEndpoint: connection.rpcEndpoint.replace("http", "ws"),
  })
  // It asks its node whether this is the test network.
  own.getGenesisHash = async () => "EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG"
  const signer = published.web3.Keypair.fromSecretKey(solanaKey.secretKey)
  const ofSolana = new published.adapterOfSolana.SolanaAdapter(
    { signer, getConnection: () => own },
    { addressContext: "user-controlled", supportedChains: [there] },
  )
  return {
    evm: { adapter: ofBase, chain: base, address: account.address },
    solana: { adapter: ofSolana, chain: there, address: solanaKey.publicKey.toBase58() },
  }
}

type Party = {
  readonly adapter: object
  readonly chain: PublishedChain
  readonly address: string
}

/** The transactions of the client's burn and mint. */
async function bridge(source: Party, destination: Party) {
  redirectService()
  const attestation = { retryDelay: 300, maxRetries: 60 }
  const provider = new published.provider.CCTPV2BridgingProvider({ attestation })
  const amount = String(AMOUNT)
  const config = { transferSpeed: "FAST" } as const
  const asked = { source, destination, amount, token: "USDC", config } as const
  const { state, steps } = await provider.bridge(asked)
  const faults = steps.filter(({ errorMessage }) => errorMessage !== undefined)
  expect([state, faults]).toEqual(["success", []])
  const hashOf = (name: string): string =>
    mustExist(steps.find((step) => step.name === name)?.txHash, name)
  return { burn: hashOf("burn"), mint: hashOf("mint") }
}

const accountsOf = (): CctpAccounts => {
  const { mint, messenger, transmitter } = onSolana
  const texts = { domain: 5, token: mint.toBase58(), messenger, transmitter }
  return deriveAccounts(programsOf({ network: "test", ...texts }))
}

async function findOnSolana(txid: string) {
  const urls = [connection.rpcEndpoint]
  const rpc = createRpc({ urls, timeoutMs: 5_000, clock: systemClock })
  const node = createNode(rpc, { commitment: "confirmed" })
  return mustExist(await node.fetchTransaction(txid), txid)
}

async function logsOnBase(txid: string) {
  const { chain, messenger, transmitter } = contractsOnBase()
  // CAST: a step of the client names its transaction.
  const { logs } = await chain.client.getTransactionReceipt({ hash: txid as Hex })
  const pins = {
    messenger: requireAddress(messenger),
    transmitter: requireAddress(transmitter),
  }
  return [logs, pins] as const
}

/** A burn waits for blocks, which only transactions make here. */
async function whileMining<T>(work: () => Promise<T>): Promise<T> {
  const { chain } = contractsOnBase()
  await chain.setMining("automine")
  const mining = setInterval(() => void chain.advance(1), 300)
  try {
    return await work()
  } finally {
    clearInterval(mining)
    await chain.setMining("off")
  }
}

// A standard burn differs in one number; the client waits half a minute more for it.
test("the published client burns on Solana, and our readers know its burn and mint", async () => {
  await fundSolana()
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await contractsOnBase().chain.setBalance(address, 10n ** 20n)
  const { evm, solana } = await openParties(key)
  const { burn, mint } = await whileMining(() => bridge(solana, evm))
  expect(readBurns(await findOnSolana(burn), accountsOf())).toMatchObject([
    {
      sourceDomain: 5,
      destinationDomain: 6,
      amountUnits: AMOUNT,
      mintRecipient: wordOnEvm(address),
      messageSender: wordOf(solanaKey.publicKey),
      minFinalityThreshold: 1_000,
      hookData: "0x",
    },
  ])
  expect(readMintLogs(...(await logsOnBase(mint)))).toMatchObject([
    { mintRecipient: address, amountUnits: AMOUNT - 13_000n, feeUnits: 13_000n },
  ])
}, 120_000)

test("the published client mints on Solana, and our readers know its burn and mint", async () => {
  await fundSolana(0n)
  const key = generatePrivateKey()
  const { address } = privateKeyToAccount(key)
  await contractsOnBase().chain.setBalance(address, 10n ** 20n)
  await contractsOnBase().own("usdc", "mint", [address, AMOUNT])
  const { evm, solana } = await openParties(key)
  const { burn, mint } = await whileMining(() => bridge(evm, solana))
  const recipient = wordOf(deriveTokenAccount(solanaKey.publicKey, onSolana.mint))
  expect(readBurnLogs(...(await logsOnBase(burn))).map(({ message }) => message)).toMatchObject([
    { sourceDomain: 6, destinationDomain: 5, amountUnits: AMOUNT, mintRecipient: recipient },
  ])
  expect(readMints(await findOnSolana(mint), accountsOf())).toMatchObject([
    { sourceDomain: 6, mintRecipient: recipient, amountUnits: AMOUNT - 13_000n },
  ])
}, 120_000)
