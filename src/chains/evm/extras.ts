import { z } from "zod"
import type { DecodedDeposit } from "#domain/deposit.ts"

/** The facts that `decodeEvmDeposit` keeps beside the deposit's own fields. */
export type EvmExtras = {
  readonly functionName: "initiate" | null
  readonly to: string | null
  readonly data: string
  /** Decimal, as all amounts here. */
  readonly value: string
  readonly gasLimitClaim: string
  /** `InitiateTypedData`, verified; `null` where there is no gasless way. */
  readonly typedData: unknown
  /** The excess of the service's approval, which is never signed, over the deposit's need. */
  readonly approvalNote: "foreign" | "unlimited" | null
}

/** The two parts that later steps need. A stored order may lack either. */
export function readEvmExtras({ extras }: DecodedDeposit): z.output<typeof evmExtras> {
  return evmExtras.parse(extras)
}

const evmExtras = z.object({
  typedData: z
    .unknown()
    .optional()
    .transform((typedData) => typedData ?? null),
  /** The gas limit in the service's transaction. */
  gasLimitClaim: z
    .string()
    .regex(/^\d{1,20}$/)
    .transform(BigInt)
    .nullable()
    .catch(null),
})
