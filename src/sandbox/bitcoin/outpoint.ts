/** The output that an input spends. A txid is written in reverse byte order (as in every explorer and RPC). */
export function outpointOf(input: { hash: Uint8Array; index: number }): { txid: string; vout: number } {
  return { txid: Buffer.from(input.hash).reverse().toString("hex"), vout: input.index }
}
