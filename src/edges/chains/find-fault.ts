/**
 * Why a question has no answer, in one line; `null` where it has one. For doctor.
 */
export async function findFault(ask: () => Promise<unknown>): Promise<string | null> {
  try {
    await ask()
    return null
  } catch (error) {
    return (error instanceof Error ? error.message : String(error))
      .replace(/\s+/g, " ")
      .slice(0, 100)
  }
}
