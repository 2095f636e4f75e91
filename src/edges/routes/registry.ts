import { cctpKind } from "./cctp/kind.ts"
import type { RouteDefinition } from "./route-definition.ts"

/** Every kind of route beside the swap services. */
export const ROUTES: readonly RouteDefinition[] = [cctpKind]
