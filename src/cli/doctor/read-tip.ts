import { z } from "zod"
import type { ChainConfig } from "#config/config.ts"

/** Gets a URL, or posts JSON to it. Throws whatever goes wrong, also for a status of 400 or more. */
export type AskHttp = (url: string, body?: unknown) => Promise<string>

/** What an endpoint says of its network and of its newest block. */
export type Tip = {
  /** Chain id or genesis hash, as text. */
  readonly network: string
  /** What the configuration lets expect; `null` where it says nothing that could be compared. */
  readonly expected: string | null
  readonly height: bigint
  readonly blockMs: number
}

/** Asks one endpoint by itself, past the client that would go on to the next. Throws when it does not answer, or not in the form of its family. */
export async function readTip(chain: ChainConfig, url: string, ask: AskHttp): Promise<Tip> {
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const answer = answerSchema.parse(JSON.parse(await ask(url, { jsonrpc: "2.0", id: 1, method, params })))
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`)
    return answer.result
  }
  switch (chain.family) {
    case "bitcoin":
      return readBitcoin(chain.network, url.replace(/\/$/, ""), ask)
    case "evm":
      return readEvm(chain.chainId, call)
    case "solana":
      return readSolana(call)
    case "starknet":
      return readStarknet(chain.chainId, call)
  }
}

type Call = (method: string, params: unknown) => Promise<unknown>

const answerSchema = z.object({ result: z.unknown(), error: z.object({ message: z.string() }).nullish() })
const hex = z.string().regex(/^0x[0-9a-f]+$/i)

/** Block 0 of each network (Bitcoin Core, chainparams.cpp). */
const GENESIS = {
  mainnet: "000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f",
  testnet: "000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943",
  testnet4: "00000000da84f2bafbbc53dee25a72ae507ff4914b867c565be350b0da8bf043",
  signet: "00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6",
  regtest: "0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206",
} as const

async function readBitcoin(network: keyof typeof GENESIS, url: string, ask: AskHttp): Promise<Tip> {
  const genesis = (await ask(`${url}/block-height/0`)).trim()
  const hash = (await ask(`${url}/blocks/tip/hash`)).trim()
  const block = z.object({ height: z.int(), timestamp: z.int() }).parse(JSON.parse(await ask(`${url}/block/${hash}`)))
  return {
    network: genesis,
    expected: GENESIS[network],
    height: BigInt(block.height),
    blockMs: block.timestamp * 1_000,
  }
}

async function readEvm(chainId: number, call: Call): Promise<Tip> {
  const network = hex.parse(await call("eth_chainId", []))
  const block = z.object({ number: hex, timestamp: hex }).parse(await call("eth_getBlockByNumber", ["latest", false]))
  return {
    network: BigInt(network).toString(),
    expected: String(chainId),
    height: BigInt(block.number),
    blockMs: Number(BigInt(block.timestamp)) * 1_000,
  }
}

async function readSolana(call: Call): Promise<Tip> {
  const network = z.string().parse(await call("getGenesisHash", []))
  const slot = z.int().parse(await call("getSlot", [{ commitment: "confirmed" }]))
  const seconds = z.int().parse(await call("getBlockTime", [slot]))
  return { network, expected: null, height: BigInt(slot), blockMs: seconds * 1_000 }
}

async function readStarknet(chainId: string, call: Call): Promise<Tip> {
  const network = hex.parse(await call("starknet_chainId", []))
  const block = z
    .object({ block_number: z.int(), timestamp: z.int() })
    .parse(await call("starknet_getBlockWithTxHashes", ["latest"]))
  return {
    network: Buffer.from(network.slice(2), "hex").toString("latin1"),
    expected: chainId,
    height: BigInt(block.block_number),
    blockMs: block.timestamp * 1_000,
  }
}
