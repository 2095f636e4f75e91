import { freePort } from "./free-port.ts"

/**
 * Node options with which a process opens its inspector on a port of its own when it gets SIGUSR1.
 */
export async function inspectable(): Promise<{
  readonly port: number
  readonly env: Record<string, string>
}> {
  const port = await freePort()
  return { port, env: { NODE_OPTIONS: `--inspect-port=${port}` } }
}

/**
 * Bytes of the main thread's heap that are still in use after a full garbage collection. Resident
 * memory says less about a leak: it also grows while the collector waits, and depends on the load.
 */
export async function collectedHeapBytes(pid: number, port: number): Promise<number> {
  process.kill(pid, "SIGUSR1")
  const socket = new WebSocket(await inspectorUrl(port))
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve)
      socket.addEventListener("error", reject)
    })
    await call(socket, 1, "HeapProfiler.collectGarbage")
    const { usedSize } = await call(socket, 2, "Runtime.getHeapUsage")
    if (usedSize === undefined) throw new Error("The inspector gave no heap size")
    return usedSize
  } finally {
    socket.close()
  }
}

async function inspectorUrl(port: number): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      // CAST: the inspector lists its targets in this shape.
      const [target] = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
        webSocketDebuggerUrl: string
      }[]
      if (target !== undefined) return target.webSocketDebuggerUrl
    } catch (error) {
      if (tries > 50) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

type Answer = { readonly usedSize?: number }

function call(socket: WebSocket, id: number, method: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    socket.addEventListener("close", () =>
      reject(new Error(`The inspector closed before its answer to ${method}`)),
    )
    socket.addEventListener("message", ({ data }) => {
      // CAST: answers of the DevTools protocol.
      const answer = JSON.parse(String(data)) as {
        id: number
        result?: Answer
        error?: { message: string }
      }
      if (answer.id !== id) return
      if (answer.error === undefined) resolve(answer.result ?? {})
      else reject(new Error(`${method}: ${answer.error.message}`))
    })
    socket.send(JSON.stringify({ id, method }))
  })
}
