import { type Chain, callRpc } from "./e2e-chain.ts"

/**
 * Reads the network fee of a mined transaction from the node, in smallest units of the native coin;
 * `null` if it is not mined.
 */
export async function readNetworkFee(chain: Chain, tx: string): Promise<bigint | null> {
  return chain.family === "bitcoin" ? readBitcoin(chain.url, tx) : readEvm(chain.url, tx)
}

/** The amount in satoshis that a Bitcoin transaction pays to an address. */
export async function readPaidTo(chain: Chain, tx: string, address: string): Promise<bigint> {
  const { vout } = await readTx(chain.url, tx)
  const ours = vout.filter(({ scriptpubkey_address }) => scriptpubkey_address === address)
  return ours.reduce((sum, { value }) => sum + BigInt(value), 0n)
}

async function readBitcoin(url: string, tx: string): Promise<bigint | null> {
  const { fee, status } = await readTx(url, tx)
  return status.confirmed ? BigInt(fee) : null
}

type EsploraTx = {
  readonly fee: number
  readonly status: { readonly confirmed: boolean }
  readonly vout: readonly { readonly scriptpubkey_address?: string; readonly value: number }[]
}

async function readTx(url: string, tx: string): Promise<EsploraTx> {
  const answer = await fetch(`${url}/tx/${tx}`)
  if (answer.status !== 200) throw new Error(`${tx}: ${await answer.text()}`)
  // CAST: Esplora's transaction.
  return (await answer.json()) as EsploraTx
}

async function readEvm(url: string, tx: string): Promise<bigint | null> {
  // CAST: the shape of eth_getTransactionReceipt.
  const receipt = (await callRpc(url, "eth_getTransactionReceipt", [tx])) as {
    gasUsed: string
    effectiveGasPrice: string
  } | null
  return receipt === null ? null : BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
}
