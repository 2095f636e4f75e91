/**
 * A test file that has to pass beside a process on each core that computes without a pause
 * (`npm run stress -- --listed`).
 */
export type StressedFile = {
  readonly file: string
  /** Why it is here: it once failed without a defect behind it, or it is one of the slowest. */
  readonly why: string
  /** What took the place of the wait for a time. */
  readonly cure: string
}

const SLOW = "one of the slowest"
const EVENTS = "each wait names the event that ends it"

export const STRESSED: readonly StressedFile[] = [
  {
    file: "test/chains/cluster/proven-server.test.ts",
    why: "PostgreSQL is told to reload a certificate, and a connection met the former one",
    cure: "asks the server until it shows the new certificate",
  },
  {
    file: "test/chains/bitcoin/proof/inclusion.test.ts",
    why: "a read of headers passed its time beside other runs",
    cure: "the reader waits for its headers, and not for two seconds",
  },
  {
    file: "test/e2e/crash.test.ts",
    why: "it counted more commits than a group of commits leaves",
    cure: "the bound follows from the number of steps that wait for the disk",
  },
  {
    file: "test/e2e/own-secret.test.ts",
    why: "it read the solver's deposit at the moment of the payout",
    cure: "waits until the solver has taken the deposit",
  },
  {
    file: "test/e2e/own-secret-crash.test.ts",
    why: "its kills changed each day",
    cure: "the kills are fixed; `npm run campaign -- kills` makes each of them",
  },
  {
    file: "test/e2e/refund.test.ts",
    why: "the daemon was killed before its last step was on disk",
    cure: "waits for the row of the journal, not for the answer that shows it",
  },
  {
    file: "test/e2e/token-swap.test.ts",
    why: "a blockhash of Solana expired before it was used",
    cure: "longer slots; it passed three times beside a load of 15 to 18",
  },
  { file: "test/e2e/planted-order-faults.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/planted-daemon-faults.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/planted-machine-faults.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/planted-states.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/dashboard.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/watchtower.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/watchtower-families.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/recover.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/cluster.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/hostile.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/rules.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/e2e/go-live.test.ts", why: SLOW, cure: EVENTS },
  { file: "test/chains/contract/chain-port.test.ts", why: SLOW, cure: EVENTS },
  {
    file: "test/smoke/smoke.test.ts",
    why: "the one test of the real thing in `npm test`",
    cure: EVENTS,
  },
]
