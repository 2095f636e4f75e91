import { YES_OPTION } from "../../confirm.ts"
import { defineCommand } from "../../define-command.ts"
import { DATA_DIR_OPTION } from "../../open/data-dir-option.ts"

export const command = defineCommand({
  name: "resume",
  summary: "lift a pause of everything, one chain or one rule",
  options: {
    chain: {
      type: "text",
      value: "CHAIN",
      summary: "lift the pause of orders whose source is this chain",
    },
    rule: { type: "text", value: "RULE", summary: "lift the pause of this rule" },
    acknowledge: {
      type: "text",
      value: "ALARMS",
      summary:
        "the ids of the alarms that you have dealt with, separated by commas; a pause by an " +
        "alarm needs them",
    },
    ...DATA_DIR_OPTION,
    ...YES_OPTION,
    clock: {
      type: "flag",
      summary: "confirm this machine's clock after an alarm clock.jump; lifts no pause",
    },
  },
  examples: ["", "--chain base_sepolia", "--acknowledge 7", "--clock"],
  run: async (context, { options }) =>
    options.clock
      ? (await import("../../actions/host/set-pause.ts")).confirmClock(context, options.yes)
      : (await import("../../actions/host/set-pause.ts")).setPause(context, "resume", options),
})
