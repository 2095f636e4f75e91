/** Generic mutants that no test can notice, or need not, by name; each with the reason. */
export const SURVIVORS: Readonly<Record<string, string>> = {}
