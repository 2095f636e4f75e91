import { request } from "undici"
import { AppError, type Disposition } from "#lib/app-error.ts"
import { decodeJson, encodeJson } from "#lib/json.ts"
import type { LocalChain } from "#sandbox/local-chain.ts"
import { SANDBOX_WALLETS } from "#sandbox/sandbox-wallets.ts"
import type { ChainHostLine } from "./chain-host.ts"

/** A local chain in another process, behind `control`. Its only user is the sandbox wallet. */
export function createRemoteChain(line: ChainHostLine, control: string): LocalChain {
  const { name, family, assets, url, chainId, timelocks, requiredConfirmations, contracts } = line
  const methods = [
    "height",
    "balance",
    "fund",
    "describeSource",
    "describeDestination",
    "observeSwap",
    "initiate",
    "initiateWithSignature",
    "redeem",
    "refund",
    "advance",
    "save",
    ...(family === "bitcoin" ? ["instantRefundTx"] : []),
  ]
  const calls = Object.fromEntries(
    methods.map((method) => [method, (...args: unknown[]) => callChain(control, method, args)]),
  )
  const version = contracts === undefined ? {} : { contracts }
  const known = { name, family, assets, url, chainId, timelocks, requiredConfirmations, ...version }
  const isAddress = (text: string): boolean =>
    text.toLowerCase() === SANDBOX_WALLETS[family].toLowerCase()
  // CAST: every method of LocalChain is named above or beside this.
  return { ...known, ...calls, isAddress, stop: async () => undefined } as unknown as LocalChain
}

export async function callChain(
  control: string,
  method: string,
  args: readonly unknown[],
): Promise<unknown> {
  const answer = await request(control, {
    method: "POST",
    body: encodeJson({ method, args }),
    // Mining thousands of blocks takes a while.
    headersTimeout: 60_000,
    bodyTimeout: 60_000,
  })
  // CAST: chain-host.ts answers in this shape.
  const { result, error } = decodeJson(await answer.body.text()) as {
    result?: unknown
    error?: WireError
  }
  if (error !== undefined) throw new AppError(error)
  return result
}

type WireError = {
  code: string
  disposition: Disposition
  message: string
  details: AppError["details"]
}
