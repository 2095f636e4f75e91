import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { concat, type Hex, isHex, keccak256, slice, toHex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { Clock } from "#lib/clock.ts"
import { type Attestation, attest } from "./attest.ts"
import type { AttestedChain } from "./attested-chain.ts"
import { attestedEvm } from "./attested-evm.ts"
import { type AttesterFault, readFault } from "./attester-faults.ts"
import type { LocalCctp } from "./deploy-cctp.ts"

/** Fixed keys that are public in this file: they attest only for local chains. */
const ATTESTERS = ["first", "second"].map((name) =>
  privateKeyToAccount(keccak256(toHex(`ballast sandbox ${name} attester`))),
)

export const ATTESTER_ADDRESSES: readonly Hex[] = ATTESTERS.map(({ address }) => address)

/** The fee of fast burns in basis points, as the service's interface writes it. */
const FAST_FEE_BPS = 1.3
const ALLOWANCE = 54_656_758.473146
/** A day of blocks, as live. */
const EXPIRES_AFTER = 7_200n

/**
 * Starts the attestation service of local chains, on the loopback interface, in the form of
 * Circle's. A burn is attested once its block has `finality` confirmations of its kind. It reads
 * the chains by itself, and mints nothing. `POST /sandbox/fault/NAME` breaks it for another
 * process, and any other name mends it.
 */
export async function startAttester(options: {
  readonly chains: readonly LocalCctp[]
  /** Chains of other families. */
  readonly others?: readonly AttestedChain[]
  readonly finality: { readonly fast: number; readonly standard: number }
  readonly port: number
  readonly clock: Clock
}): Promise<LocalAttester> {
  const { chains: evm, others = [], finality, clock } = options
  const state: State = {
    chains: [...evm.map(attestedEvm), ...others],
    finality,
    clock,
    fault: null,
    delayMs: 0,
    seen: new Map(),
    renewed: new Set(),
  }
  const server = createServer((request, response) => {
    answer(state, request)
      .catch((error: unknown) => ({ status: 500, body: { error: String(error) } }))
      .then((found) => send(response, found))
  })
  await new Promise<void>((resolve) => server.listen(options.port, "127.0.0.1", resolve))
  // CAST: a listening TCP server has such an address.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    setFault: (fault) => {
      state.fault = fault
    },
    setDelay: (delayMs) => {
      state.delayMs = delayMs
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

export type LocalAttester = {
  readonly url: string
  setFault(fault: AttesterFault | null): void
  /** How long a burn waits after its finality. */
  setDelay(delayMs: number): void
  stop(): Promise<void>
}

type State = {
  readonly chains: readonly AttestedChain[]
  readonly finality: { readonly fast: number; readonly standard: number }
  readonly clock: Clock
  fault: AttesterFault | null
  delayMs: number
  /** When the service first saw a transaction as final. */
  readonly seen: Map<string, number>
  /** The nonces that were attested again: they never expire. */
  readonly renewed: Set<string>
}

type Found = { readonly status: number; readonly body: unknown }

async function answer(state: State, { url = "", method }: IncomingMessage): Promise<Found> {
  const { pathname, searchParams } = new URL(url, "http://local")
  const [, version, name = "", third = ""] = pathname.split("/")
  if (version === "sandbox" && method === "POST") {
    state.fault = readFault(third)
    return { status: 200, body: { fault: state.fault } }
  }
  if (state.fault === "limited") return { status: 429, body: { error: "rate limit" } }
  if (state.fault === "down") return { status: 503, body: { error: "unavailable" } }
  if (version !== "v2") return { status: 404, body: { error: "no such path" } }
  if (name === "burn") return { status: 200, body: FEES }
  if (name === "fastBurn")
    return { status: 200, body: { allowance: ALLOWANCE, lastUpdated: new Date(0).toISOString() } }
  if (name === "publicKeys")
    return {
      status: 200,
      body: {
        publicKeys: ATTESTERS.map(({ publicKey }) => ({ publicKey, cctpVersion: 2 })),
      },
    }
  if (name === "reattest" && method === "POST") {
    state.renewed.add(third)
    const message = "Re-attestation successfully requested for nonce."
    return { status: 200, body: { message, nonce: third } }
  }
  const txid = searchParams.get("transactionHash") ?? ""
  if (name !== "messages" || txid === "") return UNKNOWN
  return listMessages(state, Number(third), txid)
}

const FEES = [
  { finalityThreshold: 1_000, minimumFee: FAST_FEE_BPS },
  { finalityThreshold: 2_000, minimumFee: 0 },
]

const UNKNOWN: Found = {
  status: 404,
  body: { error: "Message not found for provided parameters" },
}

/** The burns of one transaction. */
async function listMessages(state: State, domain: number, txid: string): Promise<Found> {
  const source = state.chains.find((chain) => chain.domain === domain)
  if (source === undefined || state.fault === "unknown") return UNKNOWN
  if (state.fault === "empty") return { status: 200, body: { messages: [] } }
  const burns = await source.findBurns(txid)
  if (burns === null) return UNKNOWN
  const messages = await Promise.all(
    burns.map(({ emitted, place: at, depth }) => {
      const named = isHex(txid) ? txid : toHex(txid)
      const place = concat([named, toHex(at, { size: 4 })])
      return describe(state, { emitted, place, depth })
    }),
  )
  const foreign = state.fault === "foreign-burns" ? [await describeForeign(state, messages[0])] : []
  return { status: 200, body: { messages: [...foreign, ...messages], sourceTxHash: txid } }
}

type Burn = { readonly emitted: Hex; readonly place: Hex; readonly depth: number }

async function describe(state: State, { emitted, place, depth }: Burn) {
  const { fault, finality, renewed, clock } = state
  const asksFast = Number(slice(emitted, 140, 144)) <= 1_000
  const amount = BigInt(slice(emitted, 216, 248))
  const feeUnits = (amount * BigInt(FAST_FEE_BPS * 10_000)) / 100_000_000n
  const isShort = BigInt(slice(emitted, 280, 312)) < feeUnits
  const isFast = asksFast && !isShort && fault !== "fallback-to-standard"
  const destination = Number(slice(emitted, 8, 12))
  const isDone = depth >= (isFast ? finality.fast : finality.standard) && fault !== "never"
  const sinceMs = state.seen.get(place) ?? clock.now()
  if (isDone) state.seen.set(place, sinceMs)
  const attested = await attest({
    emitted,
    place,
    attesters: ATTESTERS,
    isFast,
    feeUnits: isFast ? feeUnits : 0n,
    expirationBlock:
      isFast && !renewed.has(keccak256(place)) ? await expiryOf(state, destination) : 0n,
    fault,
  })
  if (!isDone || clock.now() < sinceMs + state.delayMs)
    return pendingOf(attested, asksFast && !isFast)
  return {
    ...pendingOf(attested, false),
    message: fault === "null-message" ? null : attested.message,
    attestation: attested.attestation,
    status: "complete",
    decodedMessage: decode(state, attested),
  }
}

function pendingOf({ nonce }: Attestation, fellBack: boolean) {
  return {
    message: null,
    attestation: "PENDING",
    eventNonce: nonce,
    cctpVersion: 2,
    status: "pending_confirmations",
    delayReason: fellBack ? "insufficient_fee" : null,
    decodedMessage: null,
  }
}

async function expiryOf({ chains, fault }: State, destination: number): Promise<bigint> {
  const target = chains.find(({ domain }) => domain === destination)
  if (fault === "expired" || target === undefined) return 1n
  return (await target.height()) + EXPIRES_AFTER
}

/** A complete message of another burn: its amount and nonce are others. */
async function describeForeign(state: State, ours: unknown): Promise<unknown> {
  const message = isRecord(ours) && isHex(ours["message"]) ? ours["message"] : null
  if (message === null || !isRecord(ours)) return ours
  const emitted = concat([slice(message, 0, 216), toHex(7n, { size: 32 }), slice(message, 248)])
  return describe({ ...state, fault: null }, { emitted, place: "0xf0", depth: 1_000 })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}

/** The service's own reading of a message, all of it as texts. */
function decode({ chains }: Pick<State, "chains">, { message, nonce }: Attestation) {
  const number = (from: number, to: number): string => BigInt(slice(message, from, to)).toString()
  const addressOn = (domain: string, from: number): string => {
    const chain = chains.find((one) => String(one.domain) === domain)
    return chain?.addressOf(slice(message, from, from + 32)) ?? slice(message, from, from + 32)
  }
  const sourceDomain = number(4, 8)
  const destinationDomain = number(8, 12)
  return {
    sourceDomain,
    destinationDomain,
    nonce,
    sender: addressOn(sourceDomain, 44),
    recipient: addressOn(destinationDomain, 76),
    destinationCaller: addressOn(destinationDomain, 108),
    minFinalityThreshold: number(140, 144),
    finalityThresholdExecuted: number(144, 148),
    messageBody: slice(message, 148),
    decodedMessageBody: {
      burnToken: addressOn(sourceDomain, 152),
      mintRecipient: addressOn(destinationDomain, 184),
      amount: number(216, 248),
      messageSender: addressOn(sourceDomain, 248),
      maxFee: number(280, 312),
      feeExecuted: number(312, 344),
      expirationBlock: number(344, 376),
      hookData: null,
    },
  }
}

function send(response: ServerResponse, { status, body }: Found): void {
  response.writeHead(status, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}
