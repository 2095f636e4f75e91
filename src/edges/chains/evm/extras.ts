import type { Hex } from "viem"
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
  /**
   * Data for the solver that the contract logs with the deposit, as hex; `null` for a call without
   * it.
   */
  readonly destinationData: string | null
  /** `InitiateTypedData`, verified; `null` where there is no gasless way. */
  readonly typedData: unknown
  /** The excess of the service's approval, which is never signed, over the deposit's need. */
  readonly approvalNote: "foreign" | "unlimited" | null
}

/** The parts that later steps need. A stored order may lack each of them. */
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
  destinationData: z
    .string()
    .regex(/^0x([0-9a-f]{2})*$/)
    .transform((data): Hex => `0x${data.slice(2)}`)
    .nullable()
    .default(null),
})
