import { readMarket, suggestFees } from "../fees.ts"
import { readL1Fee } from "../nodes/l1-fee.ts"
import type { Wallet } from "../wallet.ts"

export async function readFeePerGas({
  rpc,
  maxFeePerGasUnits: cap,
  maxTipPerGasUnits: tip,
}: Wallet): Promise<bigint> {
  const market = await readMarket(rpc, tip, { feeCap: cap })
  return suggestFees(market, { fee: cap, tip })?.maxFeePerGas ?? cap
}

/** A transaction of this size; its L1 data fee has no cap of ours, so it counts twice. */
export async function estimateFee(
  wallet: Wallet,
  feePerGas: Promise<bigint>,
  { gas, bytes }: { gas: bigint; bytes: number },
) {
  const [price, l1Fee] = await Promise.all([
    feePerGas,
    wallet.rpc.read((client) => readL1Fee(wallet, client, bytes)),
  ])
  return gas * price + 2n * l1Fee
}
