import {
  decodeAbiParameters,
  isHex,
  type Log,
  parseAbiParameters,
  slice,
  type TransactionReceipt,
  toEventSelector,
} from "viem"
import type { AttestedChain } from "./attested-chain.ts"
import type { LocalCctp } from "./deploy-cctp.ts"

const MESSAGE_SENT = toEventSelector("MessageSent(bytes)")

/** Messages are logs of the transmitter. */
export function attestedEvm({ domain, transmitter, chain }: LocalCctp): AttestedChain {
  const { client } = chain
  return {
    domain,
    height: () => client.getBlockNumber(),
    addressOf: (word) => slice(word, 12),
    findBurns: async (txid) => {
      if (!isHex(txid)) return null
      const receipt = await client
        .getTransactionReceipt({ hash: txid })
        .catch((): TransactionReceipt | null => null)
      if (receipt === null || receipt.status !== "success") return null
      const depth = Number((await client.getBlockNumber()) - receipt.blockNumber) + 1
      const logs: readonly Log[] = receipt.logs
      return logs
        .filter(
          ({ address, topics }) =>
            address === transmitter.toLowerCase() && topics[0] === MESSAGE_SENT,
        )
        .map(({ data, logIndex }) => {
          const [emitted] = decodeAbiParameters(parseAbiParameters("bytes"), data)
          return { emitted, place: logIndex ?? 0, depth }
        })
    },
  }
}
