import type { OrderData } from "./data.ts"

export function migrateOrder(_version: number, data: object): OrderData {
  // CAST: temporary
  return data as OrderData
}
