/**
 * The choice of a swap's secret. `own`: Ballast, or the order ends. `prefer-own`: Ballast, unless
 * chain or service cannot. `service`: the service.
 */
export type SecretMode = "own" | "prefer-own" | "service"
