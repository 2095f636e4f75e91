import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"

/* Failures of CCTP seen in public, each with the test of the right behaviour. */

const CHAINS = "chains/cctp/burn-and-mint.test.ts"
const SERVICE = "unit/routes/cctp/attestation-service.test.ts"
const ROUTE = "unit/routes/cctp/create-route.test.ts"
const JUDGE = "unit/routes/cctp/judge-attested.test.ts"
const KEY = "unit/chains/evm/cctp/burn-permissions.test.ts"
const SOLANA = "chains/cctp/solana.test.ts"
const SOLANA_KEY = "unit/chains/solana/cctp/sign-burn.test.ts"
const SOLANA_MINT = "unit/chains/solana/cctp/plan-mint.test.ts"
const ENGINE = "unit/engine/other-routes.test.ts"
const WAITS = "proof/engine/route-waits.test.ts"
const DEATHS = "proof/engine/route-deaths.test.ts"

test.each([
  [1, "a fee just below the fast one falls to standard", JUDGE, "insufficient_fee"],
  [1, "the fee is asked for each quote, with headroom", ROUTE, "promise the amount without"],
  [2, "attestations are missing for weeks", WAITS, "for ever is one alarm"],
  [3, "404 for hours", SERVICE, "are none while the service does not know the transaction"],
  [4, "a wallet in the place of a token account", SOLANA, "in place of its token account"],
  [4, "a wallet in the place of a token account", SOLANA_KEY, "mintRecipient: wordOf(KEY"],
  [5, "a token account that does not exist", SOLANA, "while our token account there is missing"],
  [6, "another relayer minted first", CHAINS, "that a stranger mints first is ours"],
  [6, "another relayer minted first", SOLANA, "that another account mints first is ours"],
  [6, "another relayer minted first", ENGINE, "another party took for us completes"],
  [7, "an expired message that is called complete", CHAINS, "gives an expired message again"],
  [8, "a recipient that is the token itself", KEY, '["a stranger", { mintRecipient'],
  [9, "gas limits that are too low", CHAINS, "gets the gas that its contracts ask for"],
  [9, "a limit of compute units that is too low", SOLANA_MINT, "gets the highest one"],
  [10, "a lost answer after the broadcast", DEATHS, "neither deposits nor redeems twice"],
  [10, "a process that dies", "e2e/cctp.test.ts", "burns once and mints"],
  [11, "a reverted burn", CHAINS, "that left in a reverted transaction was not burnt"],
  [12, "an amount above the limit", CHAINS, "a limit, a least fee, an allowance"],
  [13, "a pair that is not linked", CHAINS, "a broken link are reasons"],
  [14, "a signature that the contract refuses", CHAINS, "gives a voucher that no gas is paid for"],
  [15, "a mint that its chain drops", CHAINS, "a mint that its chain drops can be sent again"],
  [15, "a mint that its chain drops", SOLANA, "a mint that its chain drops is none"],
  [16, "an empty fast pool", ROUTE, "lack the fast one with its reason: an empty pool"],
  [16, "a fast burn that becomes a standard one", ENGINE, "tells why its voucher takes longer"],
  [17, "a fee with decimals", SERVICE, "are numbers or texts with decimals"],
  [18, "the domain 0", KEY, "destinationDomain: 0,"],
  [18, "a recipient in the place of the caller", KEY, "a caller that alone may mint"],
  [19, "version 1", JUDGE, "of version 1"],
])("failure %i, %s, has its test", (_number, _what, file, title) => {
  expect(readFileSync(join(import.meta.dirname, "../../..", file), "utf8")).toContain(title)
})
