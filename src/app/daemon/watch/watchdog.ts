import { Session } from "node:inspector"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import { createLogger } from "#lib/log.ts"

/** A stall is this many checks without a beat of the main thread. Two beats come between checks. */
const MISSED_CHECKS = 10
/**
 * The time in which the debugger must answer. A main thread inside native code answers only after
 * it.
 */
const STACK_WAIT_MS = 2_000
const STACK_DEPTH = 30

type Task = { readonly watchdog: true; readonly beats: SharedArrayBuffer; readonly stallMs: number }

/**
 * Ends this process by SIGKILL when its event loop stands still for `stallMs`, after a log line
 * with the stack that blocks it, if the log takes one without waiting. A daemon that hangs would
 * neither refund nor raise an alarm; the next start goes on from the journal.
 *
 * A second thread counts its own checks without a beat, so that a suspended machine or a stopped
 * process is no stall. `onError` is told when that thread ends by an error. Returns the function
 * that ends the watch.
 */
export function startWatchdog(
  stallMs: number,
  onError: (error: Error) => void,
): () => Promise<void> {
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
  const counter = new Int32Array(beats)
  const timer = setInterval(() => Atomics.add(counter, 0, 1), stallMs / MISSED_CHECKS / 2)
  timer.unref()
  const task: Task = { watchdog: true, beats, stallMs }
  const thread = new Worker(new URL(import.meta.url), { workerData: task, execArgv: [] })
  thread.on("error", onError)
  thread.unref()
  return async () => {
    clearInterval(timer)
    await thread.terminate()
  }
}

/** The second thread's part. */
function watch({ beats, stallMs }: Task): void {
  const counter = new Int32Array(beats)
  let last = -1
  let missed = 0
  setInterval(() => {
    const now = Atomics.load(counter, 0)
    missed = now === last ? missed + 1 : 0
    last = now
    if (missed === MISSED_CHECKS) readMainStack().then(endProcess, endProcess)
  }, stallMs / MISSED_CHECKS)
}

function endProcess(stack: unknown): void {
  const log = createLogger({ level: "error", pretty: false, destination: 1 })
  log.error(
    { stack },
    "The event loop stands still: the process ends, and the next start goes on from the journal",
  )
  process.kill(process.pid, "SIGKILL")
}

/** Pauses the main thread with the debugger of Node (`node:inspector`) and reads where it is. */
function readMainStack(): Promise<readonly string[]> {
  const session = new Session()
  session.connectToMainThread()
  return new Promise((resolve) => {
    setTimeout(() => resolve(["(native code)"]), STACK_WAIT_MS)
    session.once("Debugger.paused", ({ params }) => {
      const frames = params.callFrames.slice(0, STACK_DEPTH)
      resolve(
        frames.map(
          ({ functionName, url, location }) =>
            `${functionName || "(anonymous)"} ${url}:${location.lineNumber + 1}`,
        ),
      )
    })
    session.post("Debugger.enable", () => session.post("Debugger.pause"))
  })
}

if (!isMainThread && isTask(workerData)) watch(workerData)

function isTask(data: unknown): data is Task {
  return typeof data === "object" && data !== null && "watchdog" in data
}
