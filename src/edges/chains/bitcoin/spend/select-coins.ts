import { selectUTXO } from "@scure/btc-signer/utxo.js"
import { DUST_UNITS } from "../fees.ts"
import { byOutpoint, type Coin, outpointOf, type Wallet } from "../wallet.ts"

/**
 * Selects coins that pay `target` (satoshi) at `rate` (satoshi per virtual byte): a set without
 * change if there is one, else the largest coins first. `null` if the coins do not suffice. Pure;
 * the order of `coins` does not affect the choice.
 */
export function selectCoins(
  coins: readonly Coin[],
  target: { readonly script: Uint8Array; readonly units: bigint },
  rate: bigint,
  wallet: Wallet,
): readonly Coin[] | null {
  const sorted = [...coins].sort(byOutpoint)
  const inputs = sorted.map(({ txid, vout, units }) => ({
    txid,
    index: vout,
    witnessUtxo: { script: wallet.script, amount: units },
    ...(wallet.addressType === "p2tr" ? { tapInternalKey: wallet.xOnlyKey } : {}),
  }))
  const selection = selectUTXO(
    inputs,
    [{ script: target.script, amount: target.units }],
    "default",
    {
      changeAddress: wallet.address,
      feePerByte: rate,
      dust: DUST_UNITS,
      dustRelayFeeRate: 1n,
      // Both scripts have been checked; a second check for each coin makes the selection four times
      // slower.
      disableScriptCheck: true,
      network: wallet.network,
    },
  )
  if (selection === undefined) return null
  const chosen = new Set(
    selection.inputs.map(
      ({ txid, index }) => `${Buffer.from(txid ?? []).toString("hex")}:${index}`,
    ),
  )
  return sorted.filter((coin) => chosen.has(outpointOf(coin)))
}
