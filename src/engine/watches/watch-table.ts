import type { HasJournal, Leased, OfferContext, Remembering, Stoppable } from "../context.ts"
import { createLimitClock } from "../rules/limit-clock.ts"
import { type AccountGate, createAccountGate } from "./account-gate.ts"
import { type AgreementWatch, createAgreementWatch } from "./agreement-watch.ts"
import { type AssetGate, createAssetGate } from "./asset-gate.ts"
import { createDepositGate, type DepositGate } from "./deposit-gate.ts"
import { createGapFiller } from "./gap-filler.ts"
import { createHeadWatch, type HeadWatch } from "./head-watch.ts"
import { createSpaceWatch } from "./journal-space.ts"
import { createStopFileWatch } from "./pause.ts"
import { createPegWatch } from "./peg-watch.ts"
import { createTokenAccountOpener } from "./token-account-opener.ts"
import type { Watch } from "./watch.ts"

/** Every watch, and those whose answers the engine asks for. */
type Watches = {
  readonly list: readonly Watch[]
  readonly heads: HeadWatch
  readonly agreement: AgreementWatch
  readonly assets: AssetGate
  readonly accounts: AccountGate
  readonly gate: DepositGate
}

export function createWatches(
  context: HasJournal & Stoppable & Leased & Remembering & OfferContext,
): Watches {
  const heads = createHeadWatch(context)
  const agreement = createAgreementWatch(context)
  const assets = createAssetGate(context)
  const accounts = createAccountGate(context)
  return {
    list: [
      createStopFileWatch(context),
      createTokenAccountOpener(context),
      createGapFiller(context),
      agreement.watch,
      createLimitClock(context),
      assets.watch,
      accounts.watch,
      createSpaceWatch(context),
      createPegWatch(context),
      heads.watch,
    ],
    heads,
    agreement,
    assets,
    accounts,
    gate: createDepositGate(context, { agreement, assets, accounts }),
  }
}
