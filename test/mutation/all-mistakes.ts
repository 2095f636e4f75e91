import type { MistakesOfRoom } from "./mistake.ts"
import { agreementMistakes } from "./mistakes/agreement.ts"
import { bitcoinMistakes } from "./mistakes/bitcoin.ts"
import { engineMistakes } from "./mistakes/engine.ts"
import { evmMistakes } from "./mistakes/evm.ts"
import { guardMistakes } from "./mistakes/guards.ts"
import { orderMistakes } from "./mistakes/order.ts"
import { solanaMistakes } from "./mistakes/solana.ts"
import { starknetMistakes } from "./mistakes/starknet.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [
  guardMistakes,
  orderMistakes,
  engineMistakes,
  agreementMistakes,
  bitcoinMistakes,
  evmMistakes,
  solanaMistakes,
  starknetMistakes,
]
