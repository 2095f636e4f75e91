/** The output that an input spends. Explorers and RPCs print a txid in reverse byte order. */
export function outpointOf(input: { hash: Uint8Array; index: number }): {
  txid: string
  vout: number
} {
  return { txid: Buffer.from(input.hash).reverse().toString("hex"), vout: input.index }
}
