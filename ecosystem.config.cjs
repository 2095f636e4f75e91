// PM2: `BALLAST_CONFIG=/etc/ballast.yaml pm2 start ecosystem.config.cjs`. One process in fork mode, because two would share a wallet.
const { mainFile } = require("./bin/main-file.cjs")
const { pickNode } = require("./bin/pick-node.cjs")

const node = pickNode()
if (!node) throw new Error("Ballast found no suitable Node; run `npm ci` first")

module.exports = {
  apps: [
    {
      name: "ballast",
      cwd: __dirname,
      script: mainFile(),
      args: "run",
      interpreter: node.path,
      exec_mode: "fork",
      instances: 1,
      wait_ready: true,
      listen_timeout: 30_000,
      // Longer than the drain, so that Ballast finishes the work in progress before PM2 kills it.
      kill_timeout: 30_000,
      exp_backoff_restart_delay: 500,
      // 78: the configuration is wrong, and a restart would not correct it.
      stop_exit_codes: [78],
      merge_logs: true,
      env: { NODE_ENV: "production" },
    },
  ],
}
