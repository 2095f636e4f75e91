import { transient } from "#lib/app-error.ts"

/**
 * Whether an endpoint is on the configured network: asked before its first use, with each head
 * where its word alone decides, and after a doubt.
 * An endpoint that has failed the check is asked again before each further use.
 *
 * `ask` throws where the network is another one; it is given the way in which to ask.
 */
export function createNetworkCheck<Way = void>(
  ask: (way: Way) => Promise<void>,
): NetworkCheck<Way> {
  let isKnown = false
  const again = async (way: Way): Promise<void> => {
    try {
      await ask(way)
      isKnown = true
    } catch (error) {
      isKnown = false
      throw error
    }
  }
  return { again, first: async (way) => (isKnown ? undefined : again(way)) }
}

type NetworkCheck<Way> = {
  readonly first: (way: Way) => Promise<void>
  readonly again: (way: Way) => Promise<void>
}

/**
 * Throws where an endpoint is on another network: transient, because a proxy may serve a wrong one
 * for a moment, so other endpoints and later tries go on.
 */
export function requireNetwork(
  isOurs: boolean,
  { code, setting, ...details }: WrongNetwork & { readonly code: string; readonly setting: string },
): void {
  const { host, expected, found } = details
  const why = `is on another network (${found}) than ${expected}; correct ${setting}`
  if (!isOurs) throw transient(code, `The endpoint ${host} ${why}`, details)
}

type WrongNetwork = Readonly<Record<"host" | "expected" | "found", string | number>>
