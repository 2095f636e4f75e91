import { appendFileSync } from "node:fs"
import { object, serve } from "@restatedev/restate-sdk"

/* One process of the measurement: an exclusive handler with one step, which takes a while and then acts. Both moments go into a file. */

const [name, port, record, stepMs] = process.argv.slice(2)

function note(key, what) {
  appendFileSync(record, `${JSON.stringify({ key, name, what, atMs: Date.now() })}\n`)
}

const treasury = object({
  name: "treasury",
  handlers: {
    send: (context) =>
      context.run("broadcast", async () => {
        note(context.key, "begins")
        await new Promise((resolve) => setTimeout(resolve, Number(stepMs)))
        note(context.key, "acts")
      }),
  },
})

await serve({ services: [treasury], port: Number(port) })
