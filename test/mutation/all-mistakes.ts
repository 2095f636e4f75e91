import type { MistakesOfRoom } from "./mistake.ts"
import { engineMistakes } from "./mistakes/engine.ts"
import { evmMistakes } from "./mistakes/evm.ts"
import { guardMistakes } from "./mistakes/guards.ts"
import { starknetMistakes } from "./mistakes/starknet.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [guardMistakes, engineMistakes, evmMistakes, starknetMistakes]
