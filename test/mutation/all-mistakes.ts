import type { MistakesOfRoom } from "./mistake.ts"
import { evmMistakes } from "./mistakes/evm.ts"
import { guardMistakes } from "./mistakes/guards.ts"
import { orderMistakes } from "./mistakes/order.ts"
import { starknetMistakes } from "./mistakes/starknet.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [guardMistakes, orderMistakes, evmMistakes, starknetMistakes]
