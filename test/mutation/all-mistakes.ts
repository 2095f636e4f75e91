import type { MistakesOfRoom } from "./mistake.ts"
import { bookMistakes } from "./mistakes/books.ts"
import { configMistakes } from "./mistakes/config.ts"
import { evmMistakes } from "./mistakes/evm.ts"
import { guardMistakes } from "./mistakes/guards.ts"
import { journalMistakes } from "./mistakes/journal.ts"
import { orderMistakes } from "./mistakes/order.ts"
import { policyMistakes } from "./mistakes/policy.ts"
import { starknetMistakes } from "./mistakes/starknet.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [
  guardMistakes,
  journalMistakes,
  orderMistakes,
  bookMistakes,
  policyMistakes,
  configMistakes,
  evmMistakes,
  starknetMistakes,
]
