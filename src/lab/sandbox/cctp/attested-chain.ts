import {
  decodeAbiParameters,
  type Hex,
  isHex,
  type Log,
  parseAbiParameters,
  type TransactionReceipt,
  toEventSelector,
} from "viem"
import type { LocalCctp } from "./deploy-cctp.ts"

/** A local chain as the attestation service reads it. */
export type AttestedChain = {
  readonly domain: number
  height(): Promise<bigint>
  /** The burns of a transaction that succeeded; `null` for an unknown one. */
  findBurns(txid: string): Promise<readonly AttestedBurn[] | null>
}

/** `place`: of its message among those of all transactions. */
export type AttestedBurn = {
  readonly emitted: Hex
  readonly place: number
  readonly depth: number
}

const MESSAGE_SENT = toEventSelector("MessageSent(bytes)")

/** Messages are logs of the transmitter. */
export function attestedEvm({ domain, transmitter, chain }: LocalCctp): AttestedChain {
  const { client } = chain
  return {
    domain,
    height: () => client.getBlockNumber(),
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
