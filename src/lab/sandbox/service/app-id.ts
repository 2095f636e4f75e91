import { createHash } from "node:crypto"
import type { MiddlewareHandler } from "hono"
import type { ServiceEnv } from "./fault-gate.ts"
import type { Dialect } from "./order-wire.ts"
import { rejectRequest } from "./reject-request.ts"

/** The header that carries the app id, and the ids that the service knows there. */
type AppIdRule = { readonly header: string; readonly accepts: (id: string) => boolean }

type AppIdOptions = {
  readonly appId?: string
  readonly appIdHeader?: string
  readonly dialect: Dialect
}

/** The app ids of a service; clients send `appId` in `appIdHeader`. */
export type AppIds = {
  readonly appId: string
  readonly appIdHeader: string
  /**
   * The app id of the published client of live deployments: its header, and an id of the form that
   * it demands. `null` where it is refused.
   */
  readonly publishedClient: { readonly header: string; readonly id: string } | null
  readonly rules: readonly AppIdRule[]
}

/**
 * Dialect 2026 knows a second header: the published client of live deployments has a fixed one, and
 * sends no id that is not 64 characters long. With an id or a header of its own choice, the service
 * knows exactly that one.
 */
export function decideAppIds(options: AppIdOptions): AppIds {
  const { appId = "ballast-sandbox", appIdHeader = "service-app-id" } = options
  const own = { header: appIdHeader, accepts: (id: string) => id === appId }
  const chosen = options.appId !== undefined || options.appIdHeader !== undefined
  if (options.dialect === "contract" || chosen)
    return { appId, appIdHeader, publishedClient: null, rules: [own] }
  const published = {
    header: PUBLISHED_HEADER,
    accepts: (id: string) => /^[0-9a-fA-F]{64}$/.test(id),
  }
  const publishedClient = { header: PUBLISHED_HEADER, id: PUBLISHED_ID }
  return { appId, appIdHeader, publishedClient, rules: [own, published] }
}

/** Answers 401 to a wrong app id, and to a missing one unless `when` is "optional". */
export function demandAppId(
  { rules, appIdHeader }: AppIds,
  when: "always" | "optional" = "always",
): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const given = rules.flatMap(({ header, accepts }) => {
      const id = context.req.header(header)
      return id === undefined ? [] : [accepts(id)]
    })
    if (given.length === 0 && when === "always")
      rejectRequest(401, `header ${appIdHeader} is missing`)
    if (given.includes(false)) rejectRequest(401, "unknown app id")
    await next()
  }
}

const PUBLISHED_HEADER = "garden-app-id"
/** One id in the form of the published client, for people to copy. */
const PUBLISHED_ID = createHash("sha256").update("ballast sandbox app id").digest("hex")
