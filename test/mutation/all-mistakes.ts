import type { MistakesOfRoom } from "./mistake.ts"
import { agreementMistakes } from "./mistakes/agreement.ts"
import { batchMistakes } from "./mistakes/batches.ts"
import { bitcoinMistakes } from "./mistakes/bitcoin.ts"
import { bookMistakes } from "./mistakes/books.ts"
import { clusterMistakes } from "./mistakes/cluster.ts"
import { configMistakes } from "./mistakes/config.ts"
import { engineMistakes } from "./mistakes/engine.ts"
import { evmMistakes } from "./mistakes/evm.ts"
import { guardMistakes } from "./mistakes/guards.ts"
import { journalMistakes } from "./mistakes/journal.ts"
import { orderMistakes } from "./mistakes/order.ts"
import { policyMistakes } from "./mistakes/policy.ts"
import { solanaMistakes } from "./mistakes/solana.ts"
import { starknetMistakes } from "./mistakes/starknet.ts"
import { surroundingsMistakes } from "./mistakes/surroundings.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [
  guardMistakes,
  journalMistakes,
  orderMistakes,
  bookMistakes,
  policyMistakes,
  configMistakes,
  engineMistakes,
  agreementMistakes,
  bitcoinMistakes,
  evmMistakes,
  solanaMistakes,
  starknetMistakes,
  batchMistakes,
  clusterMistakes,
  surroundingsMistakes,
]
