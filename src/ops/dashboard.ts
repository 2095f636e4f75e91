/** A page that loads nothing from other hosts: a table of the orders that refreshes itself. */
export function dashboardPage(nonce: string): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Ballast</title>
<style nonce="${nonce}">
  :root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif } body { margin: 2rem auto; max-width: 75rem; padding: 0 1rem }
  table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .35rem .7rem; border-bottom: 1px solid #8884 }
  .completed { color: #2a8f4f } .held, .rejected { color: #c8372d } td.num { font-variant-numeric: tabular-nums } #note { color: #888 } #trust { color: #c8372d; white-space: pre-line }
</style>
<h1>Ballast</h1><p id="note">reading…</p><p id="trust"></p>
<table><thead><tr><th>order</th><th>rule</th><th>sends</th><th>receives</th><th>state</th><th>where is the money?</th><th>since</th></tr></thead><tbody></tbody></table>
<script type="module" nonce="${nonce}">
  const note = document.querySelector("#note"), trust = document.querySelector("#trust"), body = document.querySelector("tbody")
  const cell = (text, className = "") => Object.assign(document.createElement("td"), { textContent: text ?? "", className })
  async function show() {
    try {
      const [orders, status] = await Promise.all(["orders?limit=50", "status"].map(async (path) => {
        const answer = await fetch("/api/v1/" + path)
        if (!answer.ok) throw new Error("HTTP " + answer.status)
        return answer.json()
      }))
      note.textContent = status.inFlight + " in flight" + (status.paused ? " · paused" + (status.pause && status.pause.reason ? " (" + status.pause.reason + ")" : "") : "") + " · mode " + status.mode
      const lines = status.chains.flatMap((chain) => [chain.warning, ...chain.agreementReasons.map((reason) => reason.message)])
      trust.textContent = [status.clockJump?.message, ...lines].filter(Boolean).join("\\n")
      body.replaceChildren(...orders.orders.map((order) => {
        const row = document.createElement("tr")
        const why = order.reasons.map((reason) => reason.message).join("; ")
        row.append(cell(order.id.slice(0, 8)), cell(order.rule), cell(order.amount + " " + order.from, "num"),
          cell((order.destinationAmount ?? "?") + " " + order.to, "num"), cell(order.state, order.state), cell(why || order.money),
          cell(new Date(order.updatedAt).toLocaleTimeString()))
        return row
      }))
    } catch (error) { note.textContent = "The daemon does not answer: " + error.message }
  }
  await show()
  setInterval(show, 2000)
</script>
</html>`
}
