import type { MistakesOfRoom } from "./mistake.ts"
import { agreementMistakes } from "./mistakes/agreement.ts"
import { clusterMistakes } from "./mistakes/cluster.ts"
import { depositsMistakes } from "./mistakes/deposits.ts"
import { fieldsMistakes } from "./mistakes/fields.ts"
import { limitsMistakes } from "./mistakes/limits.ts"
import { moneyMistakes } from "./mistakes/money.ts"
import { ordersMistakes } from "./mistakes/orders.ts"
import { restartMistakes } from "./mistakes/restart.ts"
import { secretsMistakes } from "./mistakes/secrets.ts"

/** Every kind of mistake that a person wrote. */
export const ALL_MISTAKES: readonly MistakesOfRoom[] = [
  moneyMistakes,
  depositsMistakes,
  ordersMistakes,
  fieldsMistakes,
  limitsMistakes,
  restartMistakes,
  secretsMistakes,
  agreementMistakes,
  clusterMistakes,
]
