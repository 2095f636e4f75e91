/** The next step after an error of PostgreSQL, in its words with its code. Pure. */
export function advisePostgres(why: string): string {
  return ADVICE.find(([pattern]) => pattern.test(why))?.[1] ?? SERVER_ADVICE
}

const SERVER_ADVICE = "check the server and the URL of journal"
/** By the codes of PostgreSQL (its documentation, appendix A). */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/no encryption|SSL off/i, "add ?sslmode=verify-full to the URL of journal"],
  [/pg_hba/, "admit this user and machine in pg_hba.conf of the server"],
  [/\(28\w{3}\)/, "correct user and password in the URL of journal"],
  [/\(3D000\)/, "create the database, or correct its name in the URL of journal"],
  [/\(53300\)/, "raise max_connections of the server, or end other programs' connections"],
  [/\(57P03\)/, "wait until it is up; a supervisor tries again"],
  [/\(42501\)/, "grant the user the rights on the schema"],
]
