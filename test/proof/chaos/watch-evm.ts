import {
  type Address,
  createPublicClient,
  getAddress,
  type Hash,
  http,
  isAddressEqual,
  type PublicClient,
  parseAbi,
} from "viem"
import type { LocalAsset } from "#sandbox/local-chain.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import type { Flow, Watch } from "./flow.ts"

const OWN = getAddress(SANDBOX_WALLETS.evm)
const ABI = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount)",
  "event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret)",
  "event Refunded(bytes32 indexed orderID)",
  "function orders(bytes32) view returns (address, address, uint256, uint256, uint256, uint256)",
  "function allowance(address owner, address spender) view returns (uint256)",
])

/**
 * Reads token flows from Transfer events, flows of the native coin from the HTLC's events and order
 * records, and fees from receipts. The nonce gives the number of our transactions.
 */
export async function watchEvm(
  url: () => string,
  assets: readonly LocalAsset[],
  name: string,
): Promise<Watch> {
  const connect = (): PublicClient => createPublicClient({ transport: http(url()), cacheTime: 0 })
  const fromBlock = (await connect().getBlockNumber()) + 1n
  const nonce = await connect().getTransactionCount({ address: OWN })
  return {
    read: async (known) => {
      const client = connect()
      const flows = await Promise.all(
        assets.map((asset) =>
          asset.token === null
            ? readNative(client, asset, fromBlock)
            : readToken(client, asset, fromBlock),
        ),
      )
      const sent = await readSent(client, known)
      const mined = (await client.getTransactionCount({ address: OWN })) - nonce
      const allowances = await Promise.all(assets.map((asset) => findAllowance(client, asset)))
      const ofOrders = `orders know ${sent.count}`
      const unknown = `${name}: ${mined} transactions of ours are mined, and ${ofOrders}`
      return {
        flows: flows.flat(),
        fees: { [`${name}:eth`]: sent.fees },
        locked: {},
        oddities: [...(mined === sent.count ? [] : [unknown]), ...allowances.flat()],
      }
    },
  }
}

async function readToken(
  client: PublicClient,
  { id, token }: LocalAsset,
  fromBlock: bigint,
): Promise<Flow[]> {
  // CAST: viem's spelling of an address; the sandbox deployed there.
  const address = token as Address
  const logs = await client.getContractEvents({
    address,
    abi: ABI,
    eventName: "Transfer",
    fromBlock,
    strict: true,
  })
  return logs.flatMap(({ args: { from, to, value }, transactionHash }): Flow[] => {
    if (from === OWN) return [{ asset: id, direction: "out", units: value, tx: transactionHash }]
    return to === OWN ? [{ asset: id, direction: "in", units: value, tx: transactionHash }] : []
  })
}

async function readNative(
  client: PublicClient,
  { id, htlc }: LocalAsset,
  fromBlock: bigint,
): Promise<Flow[]> {
  // CAST: as above.
  const address = htlc as Address
  const logs = await client.getContractEvents({ address, abi: ABI, fromBlock, strict: true })
  const flows = logs.map(async ({ eventName, args, transactionHash: tx }): Promise<Flow[]> => {
    if (!("orderID" in args)) return []
    const [initiator, redeemer, , , units] = await client.readContract({
      address,
      abi: ABI,
      functionName: "orders",
      args: [args.orderID],
    })
    const ours = isAddressEqual(eventName === "Redeemed" ? redeemer : initiator, OWN)
    return ours
      ? [{ asset: id, direction: eventName === "Initiated" ? "out" : "in", units, tx }]
      : []
  })
  return (await Promise.all(flows)).flat()
}

async function readSent(
  client: PublicClient,
  known: readonly string[],
): Promise<{ fees: bigint; count: number }> {
  const hashes = [...new Set(known)].filter((tx): tx is Hash => /^0x[0-9a-f]{64}$/i.test(tx))
  const receipts = await Promise.all(
    hashes.map((hash) => client.getTransactionReceipt({ hash }).catch(nullWhenUnknown)),
  )
  const ours = receipts.filter((receipt) => receipt !== null && isAddressEqual(receipt.from, OWN))
  const fees = ours.reduce(
    (sum, receipt) => sum + (receipt ? receipt.gasUsed * receipt.effectiveGasPrice : 0n),
    0n,
  )
  return { fees, count: ours.length }
}

function nullWhenUnknown(error: unknown): null {
  if (error instanceof Error && error.name === "TransactionReceiptNotFoundError") return null
  throw error
}

async function findAllowance(
  client: PublicClient,
  { id, token, htlc }: LocalAsset,
): Promise<string[]> {
  if (token === null || htlc === null) return []
  // CAST: as above.
  const args = [OWN, htlc as Address] as const
  // CAST: as above.
  const left = await client.readContract({
    address: token as Address,
    abi: ABI,
    functionName: "allowance",
    args,
  })
  return left === 0n ? [] : [`${id}: an allowance of ${left} is left`]
}
