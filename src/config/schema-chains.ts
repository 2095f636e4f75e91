import { z } from "zod"
import { choice, duration, httpUrl, integer, list, ownAmount, secretReference, text } from "#schema/leaves.ts"
import { orNone, required, section, withDefault } from "#schema/section.ts"

const endpoints = list(httpUrl, "a list of at least one URL", 1)
const keyText = "The hot wallet's key, by reference"
const confirmations = integer(1, 10_000)

function shared(deadlineMargin: string) {
  return {
    stuck_after: withDefault(duration(1_000), "10m", "Time after which an unmined transaction gets a higher fee."),
    deadline_margin: withDefault(
      duration(0),
      deadlineMargin,
      "Ballast sends a deposit only if at least this much time is left before the order's deadline.",
    ),
    timelock: orNone(
      section({
        min: orNone(integer(1, 1_000_000_000), "The shortest timelock accepted, in blocks or slots."),
        max: orNone(integer(1, 1_000_000_000), "The longest timelock accepted, in blocks or slots."),
      }),
      "Bounds of an HTLC's timelock on this chain, in the chain's own unit. Without them the built-in bounds apply.",
    ),
  }
}

const gasless = withDefault(
  choice(["auto", "gasless", "onchain"]),
  "auto",
  "The way to deposit: gasless signs typed data only, onchain sends transactions only, auto prefers gasless.",
)

const bitcoin = {
  ...shared("20m"),
  family: required(z.literal("bitcoin"), "The chain family."),
  network: required(
    choice(["mainnet", "testnet", "testnet4", "signet", "regtest"]),
    "The Bitcoin network; it determines the form of addresses.",
  ),
  esplora: required(endpoints, "Base URLs of Esplora APIs; Ballast asks the next one when one fails."),
  key: required(secretReference, `${keyText}: WIF, of the chain's network.`),
  address: withDefault(choice(["p2wpkh", "p2tr"]), "p2wpkh", "The wallet's kind of address."),
  confirmations: withDefault(confirmations, 1, "Confirmations after which a transaction counts as final."),
  max_fee_rate: withDefault(integer(1, 100_000), 200, "The highest fee rate, in sat/vB."),
}

const evm = {
  ...shared("1m"),
  family: required(z.literal("evm"), "The chain family."),
  chain_id: required(integer(1, Number.MAX_SAFE_INTEGER), "The EIP-155 chain id."),
  rpc: required(endpoints, "JSON-RPC URLs; Ballast asks the next one when one fails."),
  key: required(secretReference, `${keyText}: 32 bytes hex.`),
  confirmations: withDefault(confirmations, 1, "Confirmations after which a transaction counts as final."),
  deposit: gasless,
  max_fee_per_gas: withDefault(
    text(/^\d{1,12}(\.\d{1,9})? gwei$|^\d{1,30} wei$/, 'a gas price such as "500 gwei" or "1000000 wei"'),
    "500 gwei",
    "The highest price of one unit of gas, in gwei or wei.",
  ),
  gas_limit_cap: withDefault(
    integer(21_000, 2_000_000),
    2_000_000,
    "The highest gas limit that Ballast signs, in gas.",
  ),
}

const solana = {
  ...shared("1m"),
  family: required(z.literal("solana"), "The chain family."),
  rpc: required(endpoints, "JSON-RPC URLs; Ballast asks the next one when one fails."),
  key: required(secretReference, `${keyText}: base58, or the 64 numbers of a keypair file.`),
  confirmations: orNone(
    confirmations,
    "Confirmations after which a transaction counts as final, instead of commitment.",
  ),
  commitment: withDefault(
    choice(["confirmed", "finalized"]),
    "confirmed",
    "The commitment at which Ballast trusts a read.",
  ),
  max_priority_fee: withDefault(
    integer(0, 1_000_000_000),
    1_000_000,
    "The highest priority fee, in micro-lamports per compute unit.",
  ),
}

const starknet = {
  ...shared("1m"),
  family: required(z.literal("starknet"), "The chain family."),
  rpc: required(endpoints, "JSON-RPC URLs; Ballast asks the next one when one fails."),
  account: required(
    text(/^0x[0-9a-fA-F]{1,64}$/, 'a Starknet address in quotes, such as "0x04a0…"'),
    "The account contract.",
  ),
  key: required(secretReference, `${keyText}: the account's Stark private key, hex.`),
  chain_id: withDefault(
    text(/^[\x21-\x7e]{1,31}$|^0x[0-9a-fA-F]{1,62}$/, "a Starknet chain id such as SN_SEPOLIA"),
    "SN_SEPOLIA",
    "The Starknet chain id.",
  ),
  confirmations: withDefault(confirmations, 1, "Confirmations after which a transaction counts as final."),
  deposit: gasless,
  max_fee: withDefault(ownAmount, "5", "The highest cost of one transaction, in STRK."),
}

const families = { bitcoin, evm, solana, starknet }

/** One chain: its family determines the allowed keys. */
export const chainSchema = z.discriminatedUnion(
  "family",
  [
    section(bitcoin, homeOf("bitcoin")),
    section(evm, homeOf("evm")),
    section(solana, homeOf("solana")),
    section(starknet, homeOf("starknet")),
  ],
  { error: "expected bitcoin or evm or solana or starknet" },
)

export type ChainFile = z.output<typeof chainSchema>

/** Chain names become the part before the colon of asset ids. */
export const CHAIN_NAME = /^[a-z0-9][a-z0-9_-]*$/

function homeOf(family: string): (key: string) => string | null {
  return (key) => {
    const homes = Object.entries(families).filter(([, shape]) => Object.hasOwn(shape, key))
    const names = homes.map(([name]) => name)
    return names.length > 0 ? `family ${names.join(" and ")}; this chain is ${family}` : null
  }
}
