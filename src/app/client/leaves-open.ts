/**
 * Whether an answer leaves open what happened: a failure inside of the daemon or of a proxy does,
 * and so does a key whose first request is still judged. A standby did nothing. `status`: of HTTP;
 * 0 where no answer came. Pure.
 */
export function leavesOpen(status: number, code: string | undefined): boolean {
  if (code === "request.key_in_flight") return true
  return status === 0 || (status >= 500 && code !== "cluster.standby")
}
