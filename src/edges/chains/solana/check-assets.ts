import type { Asset } from "#domain/asset.ts"
import { AppError } from "#lib/app-error.ts"

/**
 * The two programs have different calls under the same names, so no program can hold both native
 * SOL and a token. Throws `config.solana_assets` (fatal).
 */
export function checkAssets(assets: readonly Asset[]): void {
  const natives = assets.filter(({ token }) => token === null).flatMap(({ htlc }) => htlc)
  const shared = assets.find(
    ({ token, htlc }) => token !== null && htlc.some((program) => natives.includes(program)),
  )
  if (shared === undefined) return
  throw new AppError({
    code: "config.solana_assets",
    disposition: "fatal",
    message:
      `${shared.id} is a token and names the HTLC program of native SOL; give it the program ` +
      "for SPL tokens",
    details: { asset: shared.id, htlc: shared.htlc.join(", ") },
  })
}
