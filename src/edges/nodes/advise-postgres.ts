/** The next step after an error of PostgreSQL, in its words with its code. Pure. */
export function advisePostgres(why: string): string {
  return ADVICE.find(([pattern]) => pattern.test(why))?.[1] ?? SERVER_ADVICE
}

const SERVER_ADVICE = "check the server and the URL of journal"
/** By the codes of PostgreSQL (its documentation, appendix A). */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [/the file of ssl\w+/, "write the file, or correct its path"],
  [/no encryption|SSL off/i, "add ?sslmode=verify-full to the URL of journal"],
  [/pg_hba/, "admit this user and machine in pg_hba.conf of the server"],
  [/\(28\w{3}\)/, "correct user and password in the URL of journal"],
  [/\(3D000\)/, "create the database, or correct its name in the URL of journal"],
  [/\(53300\)/, "raise max_connections of the server, or end other programs' connections"],
  [/\(57P03\)/, "wait until it is up; a supervisor tries again"],
  [/\(42501\)/, "grant the user the rights on the schema"],
]

/** The key of the URL that names the file: the path itself may be hidden with the URL. */
export function nameFile(told: string, url: string): string {
  if (!/\b(ENOENT|EACCES|EISDIR)\b/.test(told) || !URL.canParse(url)) return told
  const { searchParams } = new URL(url)
  const key = FILE_KEYS.find((one) => told.includes(`'${searchParams.get(one)}'`))
  return key === undefined ? told : `the file of ${key} in the URL of journal: ${told}`
}

const FILE_KEYS = ["sslrootcert", "sslcert", "sslkey"]
