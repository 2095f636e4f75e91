import { selectUTXO } from "@scure/btc-signer/utxo.js"
import { DUST_UNITS } from "./fees.ts"
import { byOutpoint, type Coin, outpointOf, type Wallet } from "./wallet.ts"

/**
 * The coins that pay `target` at `rate` satoshi per virtual byte: without change where the coins allow it, else the largest
 * first. `null` when they cannot. The same coins in any order give the same choice.
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
  const selection = selectUTXO(inputs, [{ script: target.script, amount: target.units }], "default", {
    changeAddress: wallet.address,
    feePerByte: rate,
    dust: DUST_UNITS,
    dustRelayFeeRate: 1n,
    // Both scripts are checked already; checking them again for each coin makes this four times slower.
    disableScriptCheck: true,
    network: wallet.network,
  })
  if (selection === undefined) return null
  const chosen = new Set(
    selection.inputs.map(({ txid, index }) => `${Buffer.from(txid ?? []).toString("hex")}:${index}`),
  )
  return sorted.filter((coin) => chosen.has(outpointOf(coin)))
}
