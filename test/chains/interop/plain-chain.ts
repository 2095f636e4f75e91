import { getAssociatedTokenAddressSync } from "@solana/spl-token"
import { Connection, Keypair, PublicKey } from "@solana/web3.js"
import { RpcProvider } from "starknet"
import { createPublicClient, erc20Abi, type Hex, http, type PublicClient } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import type { SandboxSummary } from "../../../src/app/cli/demo/demo-config.ts"
import { chainOf, type World } from "./open-client.ts"
import { core } from "./published-client.ts"

/**
 * Reads chains by the libraries of their families, without Ballast and without the published
 * client.
 */
type Chain = SandboxSummary["chains"][number]

/** A new address on the chain of this asset. So its whole balance later is one payout. */
export async function createDestination(
  { sandbox, client }: World,
  asset: string,
): Promise<string> {
  switch (chainOf(sandbox, asset).family) {
    case "evm":
      return privateKeyToAccount(generatePrivateKey()).address
    case "solana":
      return Keypair.generate().publicKey.toBase58()
    case "bitcoin":
      return core.BitcoinWallet.createRandom(client.bitcoin.provider).getAddress()
    default:
      // A payout on Starknet needs no contract at its address. 31 bytes are always below the bound
      // of addresses.
      return `0x${Buffer.from(crypto.getRandomValues(new Uint8Array(31))).toString("hex")}`
  }
}

/** The balance of an address in smallest units. */
export async function readPaid(chain: Chain, asset: string, address: string): Promise<bigint> {
  const token = chain.assets.find(({ id }) => id === asset)?.token ?? null
  switch (chain.family) {
    case "evm":
      return readEvm(openEvm(chain), token, address)
    case "solana":
      return readSolana(openSolana(chain), token, address)
    case "bitcoin":
      return readBitcoin(chain.url, address)
    default: {
      const request = {
        contractAddress: token ?? "0x0",
        entrypoint: "balance_of",
        calldata: [address],
      }
      const [low = "0", high = "0"] = await openStarknet(chain).callContract(request)
      return BigInt(low) + (BigInt(high) << 128n)
    }
  }
}

/**
 * Whether a transaction has succeeded on its chain. A Bitcoin transaction that the node knows has
 * passed the checks of its scripts.
 */
export async function readTransaction(
  chain: Chain,
  hash: string,
): Promise<"succeeded" | "failed" | "unknown"> {
  switch (chain.family) {
    case "evm": {
      // CAST: the node refuses a text that is not a hash.
      const { status } = await openEvm(chain).getTransactionReceipt({ hash: hash as Hex })
      return status === "success" ? "succeeded" : "failed"
    }
    case "solana": {
      const { value } = await openSolana(chain).getSignatureStatuses([hash])
      if (!value[0]) return "unknown"
      return value[0].err === null ? "succeeded" : "failed"
    }
    case "bitcoin":
      return (await fetch(`${chain.url}/tx/${hash}`)).ok ? "succeeded" : "unknown"
    default:
      return (await openStarknet(chain).getTransactionReceipt(hash)).isSuccess()
        ? "succeeded"
        : "failed"
  }
}

/** The account that has paid the gas of a transaction. */
export async function readPayer(chain: Chain, hash: string): Promise<string> {
  switch (chain.family) {
    case "evm":
      // CAST: the node refuses a text that is not a hash.
      return (await openEvm(chain).getTransaction({ hash: hash as Hex })).from
    case "solana": {
      const found = await openSolana(chain).getTransaction(hash, {
        maxSupportedTransactionVersion: 0,
      })
      return found?.transaction.message.staticAccountKeys[0]?.toBase58() ?? "unknown"
    }
    default: {
      // CAST: the sandbox's chain has invoke transactions only.
      const { sender_address } = (await openStarknet(chain).getTransactionByHash(hash)) as {
        sender_address: string
      }
      return sender_address
    }
  }
}

function openEvm(chain: Chain): PublicClient {
  return createPublicClient({ transport: http(chain.url) })
}

function openSolana(chain: Chain): Connection {
  return new Connection(chain.url, "confirmed")
}

function openStarknet(chain: Chain): RpcProvider {
  return new RpcProvider({ nodeUrl: chain.url })
}

async function readEvm(
  client: PublicClient,
  token: string | null,
  address: string,
): Promise<bigint> {
  // CAST: viem made this address, and the summary of the sandbox has the address of the token.
  const owner = address as Hex
  const contract = token as Hex
  if (token === null) return client.getBalance({ address: owner })
  return client.readContract({
    address: contract,
    abi: erc20Abi,
    functionName: "balanceOf",
    args: [owner],
  })
}

async function readSolana(
  connection: Connection,
  token: string | null,
  address: string,
): Promise<bigint> {
  const owner = new PublicKey(address)
  if (token === null) return BigInt(await connection.getBalance(owner))
  const { value } = await connection.getTokenAccountBalance(
    getAssociatedTokenAddressSync(new PublicKey(token), owner),
  )
  return BigInt(value.amount)
}

async function readBitcoin(url: string, address: string): Promise<bigint> {
  const answer = await fetch(`${url}/address/${address}/utxo`)
  // CAST: Esplora, GET /address/:address/utxo.
  const coins = (await answer.json()) as { value: number }[]
  return coins.reduce((sum, { value }) => sum + BigInt(value), 0n)
}
