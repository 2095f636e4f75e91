import { type Chain, callRpc } from "./e2e-chain.ts"

/** One `Initiated` event of an HTLC. The hash is lower-case hex without prefix. */
export type Initiation = { readonly secretHash: string; readonly units: bigint }

/** Lists all initiations of the asset's HTLC, by eth_getLogs or starknet_getEvents. */
export async function listInitiations(chain: Chain, asset: string): Promise<Initiation[]> {
  const htlc = chain.assets.find(({ id }) => id === asset)?.htlc
  if (!htlc) throw new Error(`${asset} has no HTLC contract`)
  return chain.family === "evm" ? listOnEvm(chain.url, htlc) : listOnStarknet(chain.url, htlc)
}

/**
 * keccak256("Initiated(bytes32,bytes32,uint256)"): order id, secret hash and amount are indexed;
 * before version 3 the amount is the data.
 */
const EVM_TOPIC = "0x01b41cbd4bbcc3c5b968a04d3fbdd8c1648a39ff6d9a3929b4840cea1142bc65"

async function listOnEvm(url: string, address: string): Promise<Initiation[]> {
  const filter = { address, topics: [EVM_TOPIC], fromBlock: "0x0", toBlock: "latest" }
  // CAST: the shape of eth_getLogs.
  const logs = (await callRpc(url, "eth_getLogs", [filter])) as { topics: string[]; data: string }[]
  return logs.map(({ topics, data }) => ({
    secretHash: (topics[2] ?? "").slice(2),
    units: BigInt(topics[3] ?? data),
  }))
}

/**
 * sn_keccak("Initiated"); data: the two halves of the secret hash, then those of the amount
 * (published client's ABI).
 */
const STARKNET_KEY = "0xebf924f11f1ca1dec8c58c339f9ee9d29f63da2478b85366a1a80ca432b972"

async function listOnStarknet(url: string, address: string): Promise<Initiation[]> {
  const filter = {
    address,
    keys: [[STARKNET_KEY]],
    from_block: { block_number: 0 },
    to_block: "latest",
  }
  const chunk = { filter: { ...filter, chunk_size: 1000 } }
  // CAST: the shape of starknet_getEvents.
  const { events, continuation_token: more } = (await callRpc(
    url,
    "starknet_getEvents",
    chunk,
  )) as {
    events: { data: string[] }[]
    continuation_token?: string
  }
  if (more !== undefined) throw new Error("more than one page of events")
  return events.map(({ data }) => {
    const halves = data.slice(0, 2).map((half) => half.slice(2).padStart(32, "0"))
    return {
      secretHash: halves.join(""),
      units: BigInt(data[2] ?? 0) + (BigInt(data[3] ?? 0) << 128n),
    }
  })
}
