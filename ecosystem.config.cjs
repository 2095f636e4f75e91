// PM2: `BALLAST_CONFIG=/etc/ballast.yaml pm2 start ecosystem.config.cjs`. One process, fork mode: two would share a wallet.
const { pickNode } = require("./bin/pick-node.cjs")

const node = pickNode()
if (!node) throw new Error("Ballast found no Node that fits; run `npm ci` first")

module.exports = {
  apps: [
    {
      name: "ballast",
      cwd: __dirname,
      script: "src/cli/main.ts",
      args: "run",
      interpreter: node.path,
      exec_mode: "fork",
      instances: 1,
      wait_ready: true,
      listen_timeout: 30_000,
      // Longer than the drain: what is in hand is finished before PM2 kills.
      kill_timeout: 30_000,
      exp_backoff_restart_delay: 500,
      // 78: the configuration is wrong, and starting again would not mend it.
      stop_exit_codes: [78],
      merge_logs: true,
      env: { NODE_ENV: "production" },
    },
  ],
}
