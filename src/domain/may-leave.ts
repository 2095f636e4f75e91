/**
 * Asked when nothing stands between a call and its leaving any more. A call waits for the disk, and in a cluster for the log, and an alarm may pause
 * everything meanwhile. `false` keeps the call here: it fails with `paused` (transient).
 */
export type MayLeave = () => boolean
