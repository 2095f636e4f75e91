import { defineCommand } from "../define-command.ts"

export const command = defineCommand({
  name: "resume",
  summary: "lift a pause of everything, one chain or one rule",
  options: {
    chain: { type: "text", value: "CHAIN", summary: "lift the pause of orders whose source is this chain" },
    rule: { type: "text", value: "RULE", summary: "lift the pause of this rule" },
    clock: { type: "flag", summary: "confirm this machine's clock after an alarm clock.jump; lifts no pause" },
  },
  examples: ["", "--chain base_sepolia", "--clock"],
  run: async (context, { options }) =>
    options.clock
      ? (await import("../actions/confirm-clock.ts")).confirmClock(context)
      : (await import("../actions/set-pause.ts")).setPause(context, "resume", options),
})
