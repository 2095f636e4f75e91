import type { MistakesOfRoom } from "./mistake.ts"
import { guardMistakes } from "./mistakes/guards.ts"

/** Every room with mistakes. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [guardMistakes]
