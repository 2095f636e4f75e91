/** Generated mutants that no test can notice, by name; each with the reason. */
export const SURVIVORS: Readonly<Record<string, string>> = {}
