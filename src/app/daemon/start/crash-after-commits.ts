/**
 * Test-only switch: `BALLAST_CRASH_AFTER_COMMITS=N` kills the process, without any clean-up, right
 * after its Nth journal commit.
 */
export function crashAfterCommits(env: NodeJS.ProcessEnv): (() => void) | null {
  const limit = Number(env["BALLAST_CRASH_AFTER_COMMITS"] ?? 0)
  if (!Number.isInteger(limit) || limit <= 0) return null
  let commits = 0
  return () => {
    commits += 1
    if (commits >= limit) process.kill(process.pid, "SIGKILL")
  }
}
