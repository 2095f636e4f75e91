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
