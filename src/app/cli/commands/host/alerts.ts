import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "alerts",
  summary: "list the alarms whose cause lasts, acknowledge an alert, or try the receivers",
  details:
    "Without an operand, and with test, it needs no daemon. test sends one message to every " +
    "receiver of the configuration, or to the named one. ack tells the daemon that a person " +
    "knows the alert: it is neither repeated nor escalated.",
  operands: {
    action: { summary: "test or ack", values: ["test", "ack"], optional: true },
    name: { summary: "with test a receiver, with ack the id of an alert, or all", optional: true },
  },
  options: {
    all: { type: "flag", summary: "also alarms whose cause is gone" },
    limit: {
      type: "number",
      min: 1,
      max: 200,
      default: 50,
      summary: "the highest number of alarms",
    },
    ...DATA_DIR_OPTION,
  },
  examples: ["", "--all --limit 200", "test", "ack 5f3a0011"],
  exitCodes: { 1: "a receiver did not take the test message, or no such alert is open" },
  run: async (context, { operands, options }) => {
    if (operands.action === "test")
      return (await import("../../actions/host/test-receivers.ts")).testReceivers(
        context,
        operands.name,
      )
    if (operands.action === "ack")
      return (await import("../../actions/host/list-alerts.ts")).acknowledgeAlert(
        context,
        operands.name,
        options,
      )
    return (await import("../../actions/host/list-alerts.ts")).listAlerts(context, options)
  },
})
