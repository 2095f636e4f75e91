// PM2: `BALLAST_CONFIG=/etc/ballast/ballast.yaml pm2 start ecosystem.config.cjs`. One process in fork mode, because two would share a wallet.
//
// `pm2 save` writes the environment of each application in plain text into a file that every user can read. So Ballast gets only the variables
// that this file names, and reads its secrets from files (`file:`, `keystore:`, or `.env` beside the configuration).
const { compileCacheFolder } = require("./bin/compile-cache.cjs")
const { mainFile } = require("./bin/main-file.cjs")
const { pickNode } = require("./bin/pick-node.cjs")

const node = pickNode()
if (!node) throw new Error("Ballast found no suitable Node; run `npm ci` first")

/** These variables reach Ballast. None of them may hold a secret. */
const PASSED = ["BALLAST_CONFIG", "HOME", "LANG", "NODE_EXTRA_CA_CERTS", "PATH", "TZ"]
const passed = Object.fromEntries(
  PASSED.filter((name) => process.env[name]).map((name) => [name, process.env[name]]),
)
const cache = compileCacheFolder(passed)

module.exports = {
  apps: [
    {
      name: "ballast",
      cwd: __dirname,
      script: mainFile(),
      args: "run",
      interpreter: node.path,
      // A daemon waits most of the time; the space for new objects would grow to 48 MiB while it loads.
      interpreter_args: "--max-semi-space-size=4",
      exec_mode: "fork",
      instances: 1,
      wait_ready: true,
      listen_timeout: 30_000,
      // Longer than the drain, so that Ballast finishes the work in progress before PM2 kills it.
      kill_timeout: 30_000,
      exp_backoff_restart_delay: 500,
      // 64 and 78: the command line or the configuration is wrong, and a restart would not correct it.
      // 76: a command may have acted, and must not repeat unseen; the daemon itself never ends with it.
      // 75 (a full disk, another daemon on this data_dir) is not here: PM2 tries again.
      stop_exit_codes: [64, 76, 78],
      merge_logs: true,
      // PM2 drops each variable whose name contains one of these texts, and every name contains the empty one. (PM2 7 ignores `true` here.)
      filter_env: [""],
      env: {
        NODE_ENV: "production",
        ...passed,
        ...(cache === null ? {} : { NODE_COMPILE_CACHE: cache }),
      },
    },
  ],
}
