/** A fault that a test plants, and the words that each surface must show within a minute. */
export type PlantedFault = {
  readonly name: string
  readonly planted: string
  /** The chain, service or data directory of the test that carries the fault. */
  readonly at: string
  /** The code of the problem in the overview; `null` where the daemon does not run. */
  readonly code: string | null
  /**
   * Part of the sentence in `ballast status` and on the dashboard; of the message where the daemon
   * does not start.
   */
  readonly says: RegExp
  /** The remedy beside it: its first words, and the command that follows. */
  readonly todo: string
  readonly command: string | null
  /** Part of the finding of `ballast doctor`; `null` where doctor cannot see the fault. */
  readonly doctor: RegExp | null
  /** The code of the alarm in the journal; `null` for a fault without one. */
  readonly alert: string | null
}

/** Faults of endpoints: each on a chain of its own, all at the same time. */
export const ENDPOINT_FAULTS: readonly PlantedFault[] = [
  {
    name: "dead node",
    planted: "the only endpoint refuses connections",
    at: "dead_chain",
    code: "node.silent",
    says: /dead_chain has not answered for/,
    todo: "Repair the node, or give the chain another endpoint in the configuration.",
    command: "ballast doctor",
    doctor: /dead_chain .*no usable answer/,
    alert: "node.silent",
  },
  {
    name: "all endpoints dead",
    planted: "both endpoints refuse connections",
    at: "gone_chain",
    code: "node.silent",
    says: /gone_chain has not answered for/,
    todo: "Repair the node, or give the chain another endpoint in the configuration.",
    command: "ballast doctor",
    doctor: /gone_chain .*no usable answer/,
    alert: "node.silent",
  },
  {
    name: "one of two endpoints dead",
    planted: "one endpoint refuses connections",
    at: "half_chain",
    code: "node.silent",
    says: /of half_chain does not answer.*fewer than the 2 endpoints/,
    todo: "Repair or replace the endpoint.",
    command: "ballast doctor",
    doctor: /half_chain .*no usable answer/,
    alert: "node.silent",
  },
  {
    name: "slow node",
    planted: "the endpoint answers each call after 2.3 s",
    at: "slow_chain",
    code: "node.slow",
    says: /of slow_chain is slow: \d+\.\d s/,
    todo: "Repair or replace the endpoint.",
    command: "ballast doctor",
    doctor: /slow_chain .*slow: \d+\.\d s/,
    alert: "node.slow",
  },
  {
    name: "hung node",
    planted: "the endpoint takes each call and never answers",
    at: "hung_chain",
    code: "node.silent",
    says: /hung_chain has not answered for/,
    todo: "Repair the node, or give the chain another endpoint in the configuration.",
    command: "ballast doctor",
    doctor: /hung_chain .*no usable answer/,
    alert: "node.silent",
  },
  {
    name: "node behind",
    planted: "the newest block is an hour old",
    at: "late_chain",
    code: "node.behind",
    says: /late_chain is behind.*newest block is 1 h/,
    todo: "Repair the node, or give the chain another endpoint in the configuration.",
    command: "ballast doctor",
    doctor: /late_chain .*The node is behind|late_chain .*newest block 3\d\d\d s old/,
    alert: "node.behind",
  },
  {
    name: "wrong clock",
    planted: "the newest block is three hours ahead of this machine",
    at: "clock_chain",
    code: "node.ahead",
    says: /clock_chain is 3 h.* in the future: a clock is wrong/,
    todo: "Repair or replace the endpoint: other chains have the time of this machine.",
    command: "ballast doctor",
    doctor: /clock_chain .*in the future/,
    alert: "node.ahead",
  },
  {
    name: "lying node",
    planted: "one of two endpoints gives another block hash",
    at: "lying_chain",
    code: "chain.disagreement",
    says: /lying_chain: .*(contradict|differ|disagree|other)/i,
    todo:
      "Compare the endpoints with an explorer, " +
      "and remove the wrong one from the configuration.",
    command: "ballast doctor",
    doctor: /lying_chain agreement.*chain\.disagreement/,
    alert: "chain.disagreement",
  },
  {
    name: "wrong chain behind an endpoint",
    planted: "the endpoint answers for another chain",
    at: "other_chain",
    code: "node.wrong_network",
    says: /of other_chain is on network 84532, not 11155111/,
    todo:
      "Correct the URL or the chain's network in the configuration, then let the daemon read " +
      "it.",
    command: "ballast reload",
    doctor: /other_chain .*on network 84532, not 11155111/,
    alert: "node.wrong_network",
  },
  {
    name: "credentials refused",
    planted: "the endpoint answers HTTP 403",
    at: "locked_chain",
    code: "node.silent",
    says: /locked_chain has not answered for .*403/,
    todo: "Renew the key in the endpoint's URL, then let the daemon read it.",
    command: "ballast reload",
    doctor: /locked_chain .*403/,
    alert: "node.silent",
  },
]

/** Faults of services: three services at the same time. */
export const SERVICE_FAULTS: readonly PlantedFault[] = [
  {
    name: "service down",
    planted: "the service refuses connections",
    at: "down",
    code: "service.away",
    says: /The service down has not answered for/,
    todo: "Check the url of the service and the network.",
    command: "ballast doctor",
    doctor: /service .*no answer: .*ECONNREFUSED/,
    alert: "service.away",
  },
  {
    name: "service returns garbage",
    planted: "the service answers 200 with a page of HTML",
    at: "garbage",
    code: "service.away",
    says: /The service garbage has not answered.*is a web page.*not JSON/,
    todo: "Check the url of the service and the network.",
    command: "ballast doctor",
    doctor: /service .*is a web page.*not JSON/,
    alert: "service.away",
  },
  {
    name: "service slow",
    planted: "the service answers after 4.5 s",
    at: "tardy",
    code: "service.slow",
    says: /The service tardy is slow: \d+\.\d s/,
    todo:
      "Nothing, unless it lasts: quotes and orders take longer. Then ask the operator of the " +
      "service.",
    command: "ballast doctor",
    doctor: /service .*slow: \d+\.\d s/,
    alert: "service.slow",
  },
]

/** States of orders and rules, all at one daemon. */
export const STATE_FAULTS: readonly PlantedFault[] = [
  {
    name: "awaiting approval",
    planted: "an order above `approve_above`",
    at: "order",
    code: "order.awaiting_approval",
    says: /Order \w{8} .*waits for your approval; it expires in \d+ min/,
    todo: "Read the order, then approve or reject it.",
    command: "ballast approve ORDER",
    doctor: /waits for your approval/,
    alert: "order.awaiting_approval",
  },
  {
    name: "a rule that cannot be met",
    planted: "a band that is below its minimum and has no source",
    at: "impossible",
    code: "rule.unmet",
    says: /The rule impossible cannot be met: .*\[policy\.\w+\]/,
    todo: "Fund one of its sources, or correct the rule's bounds, sources and limits.",
    command: "ballast why impossible",
    doctor: /The rule impossible cannot be met/,
    alert: "rule.unmet",
  },
  {
    name: "a window used up",
    planted: "orders of the size that `guards.windows` allows",
    at: "window",
    code: "limit.nearly_used",
    says: /base_sepolia:wbtc sold in 24 h: 0\.002 of 0\.002 .*are used, 0 .*are left/,
    todo:
      "New orders above the rest are refused until the window goes on; raise the limit only " +
      "for a reason.",
    command: null,
    doctor: /base_sepolia:wbtc sold in 24 h: 0\.002 of 0\.002/,
    alert: "limit.nearly_used",
  },
  {
    name: "paused chain",
    planted: "`ballast pause --chain`",
    at: "base_sepolia",
    code: "paused",
    says: /Paused: the chain base_sepolia makes no new deposits/,
    todo: "Lift the pause when its cause is gone.",
    command: "ballast resume --chain base_sepolia",
    doctor: /the chain base_sepolia makes no new deposits/,
    alert: "paused",
  },
]

/**
 * Faults of orders under way: each on a chain of the sandbox. ORDER stands for the first letters of
 * the order that has the fault, ALARM for the alarms of the pause.
 */
export const ORDER_FAULTS: readonly PlantedFault[] = [
  {
    name: "refund near",
    planted: "no solver fills a deposit, and an hour of its timelock is left",
    at: "near",
    code: "order.refund_near",
    says: /Order \w{8}: 0\.001 ethereum_sepolia:wbtc can be refunded in \d/,
    todo:
      "Keep coin for the fee on the source chain; Ballast sends the refund, on Bitcoin the " +
      "service may have to.",
    command: "ballast order ORDER",
    doctor: /can be refunded in \d/,
    alert: "order.refund_near",
  },
  {
    name: "expired approval",
    planted: "no approval comes in `approval_ttl`",
    at: "expired",
    code: "approval.expired",
    says: /Order \w{8} .*because nobody approved it in time/,
    todo: "Nothing was signed. Request it again; if people need longer, raise guards.approval_ttl.",
    command: "ballast order ORDER",
    doctor: /nobody approved it in time/,
    alert: "approval.expired",
  },
  {
    name: "theft by a service",
    planted: "the solver redeems a deposit and pays nothing",
    at: "stolen",
    code: "alarm.source_redeemed",
    says: /Order \w{8}: .*redeemed.*, since /,
    todo:
      "Compare both hashes of the order with an explorer, send them to the service, and keep " +
      "the pause until it has paid.",
    command: "ballast order ORDER",
    doctor: /FAIL daemon Order \w{8}: .*redeemed/,
    alert: "alarm.source_redeemed",
  },
  {
    name: "pause by an alarm",
    planted: "the theft above, with `on_alarm: pause`",
    at: "stolen",
    code: "paused",
    says: /paused since .*, by alarm \(alarm\.source_redeemed of order \w{8}\)/,
    todo: "Deal with each alarm, then lift the pause.",
    command: "ballast resume --acknowledge ALARM",
    doctor: /by alarm \(alarm\.source_redeemed of order \w{8}\)/,
    alert: "paused",
  },
  {
    name: "payout without a redemption",
    planted:
      "the service does nothing with our secret, and the payout's chain has no coin for our " +
      "redemption",
    at: "unredeemed",
    code: "alarm.payout_unredeemed",
    says: /Order \w{8}: The secret is told and the payout is not redeemed/,
    todo:
      "Remove the cause that the alarm or the order names: coin for the fee, a fee cap, the " +
      "signer's limit, or a node; Ballast then redeems the payout itself.",
    command: "ballast order ORDER",
    doctor: /payout is not redeemed/,
    alert: "alarm.payout_unredeemed",
  },
  {
    name: "changed contract",
    planted: "`anvil_setCode` on a pinned contract",
    at: "changed",
    code: "verify.contract_changed",
    says: /Order \w{8}: .*base_sepolia.*, since /,
    todo:
      "Read the new code of the contract. Pin it only after a review; keep the pause until " +
      "then, and `ballast rescue` at hand.",
    command: "ballast order ORDER",
    doctor: /verify\.contract_changed/,
    alert: "verify.contract_changed",
  },
  {
    name: "contract changed around a deposit",
    planted: "`anvil_setCode` while a deposit is in it",
    at: "locked",
    code: "alarm.contract_changed",
    says: /Order \w{8}: .*The deposit is already made.*, since /,
    todo:
      "Read the new code of the contract. Pin it only after a review; keep the pause until " +
      "then, and `ballast rescue` at hand.",
    command: "ballast order ORDER",
    doctor: /alarm\.contract_changed/,
    alert: "alarm.contract_changed",
  },
  {
    name: "stuck transaction",
    planted: "the chain makes no block, and the fee is at its cap",
    at: "stuck",
    code: "deposit.stuck",
    says: /Order \w{8}: The deposit waits for a block and its fee cannot be raised/,
    todo:
      "Use up an unused earlier nonce of the wallet, if an explorer shows one; else raise the " +
      "chain's fee cap, then reload.",
    command: "ballast order ORDER",
    doctor: /The deposit waits for a block/,
    alert: "deposit.stuck",
  },
  {
    name: "deposit overdue",
    planted: "the service's deadline passes before a block has the deposit",
    at: "stuck",
    code: "order.deposit_late",
    says: /Order \w{8}: the time for its deposit of 0\.05 ethereum_sepolia:eth ended/,
    todo:
      "Read the order. Ballast makes a deposit that is signed impossible, and then ends the " +
      "order.",
    command: "ballast order ORDER",
    doctor: /the time for its deposit .* ended/,
    alert: "order.deposit_late",
  },
  {
    name: "foreign nonce",
    planted: "another program with our key uses the nonce of a deposit",
    at: "stuck",
    code: "transaction.foreign_rival",
    says: /Order \w{8} is held: .*\[transaction\.foreign_rival\]/,
    todo: "Read the order, then retry, refund or abandon it.",
    command: "ballast order ORDER",
    doctor: /is held: .*transaction\.foreign_rival/,
    alert: "transaction.foreign_rival",
  },
]

const REPAIR_SOURCES = {
  todo: "Repair or replace the asset's sources in prices.sources, then let the daemon read it.",
  command: "ballast reload",
}

/**
 * Faults of money, prices, settings and the disk in front of one daemon. An alert is a message that
 * a receiver got.
 */
export const DAEMON_FAULTS: readonly PlantedFault[] = [
  {
    name: "pause by file",
    planted: "the file PAUSE is in data_dir",
    at: "all",
    code: "paused",
    says: /Everything is paused since .*, by file \(the desk is empty\)/,
    todo: "Remove the file PAUSE from data_dir, then lift the pause.",
    command: "ballast resume",
    doctor: /Everything is paused since .*-> ballast resume/,
    alert: "paused",
  },
  {
    name: "low gas",
    planted: "the wallet holds less than min_native",
    at: "poor_chain",
    code: "gas.low",
    says: /poor_chain has 0\.5\d* ETH for fees, and a deposit with its refund needs 1(\.\d+)? ETH/,
    todo: "Send ETH to the wallet of poor_chain.",
    command: "ballast wallet",
    doctor: /poor_chain has 0\.5\d* ETH for fees.*-> ballast wallet/,
    alert: "gas.low",
  },
  {
    name: "theft",
    planted: "another program signs a transaction with our key",
    at: "robbed_chain",
    code: "books.foreign_transaction",
    says: /on robbed_chain used nonce:0, and this journal has no signature for it/,
    todo:
      "If nobody of you sent it, move the rest to another key at once. Else book it, and " +
      "acknowledge it when you resume.",
    command: "ballast reconcile",
    doctor: /this journal has no signature for it.*-> ballast reconcile/,
    alert: "books.foreign_transaction",
  },
  {
    name: "books difference",
    planted: "the wallet pays out money that no order explains",
    at: "robbed_chain",
    code: "books.difference",
    says: /The wallet holds 2\.\d+ robbed_chain:eth less than the books say/,
    todo: "Find the withdrawal in an explorer, and book it only if it was yours.",
    command: "ballast reconcile",
    doctor: /less than the books say.*-> ballast reconcile/,
    alert: "books.difference",
  },
  {
    name: "price missing",
    planted: "an asset has no price source",
    at: "plain_chain",
    code: "prices.missing",
    says: /plain_chain:eth has had no reference price for .*add a source/,
    todo: "Give the asset a source in prices.sources, then let the daemon read it.",
    command: "ballast reload",
    doctor: /price plain_chain:eth No price of our own/,
    alert: "prices.missing",
  },
  {
    name: "price source dead",
    planted: "the only source refuses connections",
    at: "mute_chain",
    code: "prices.unavailable",
    says: /mute_chain:eth has had no reference price for .*ECONNREFUSED/,
    ...REPAIR_SOURCES,
    doctor: /price mute_chain:eth .*ECONNREFUSED/,
    alert: "prices.unavailable",
  },
  {
    name: "price stale",
    planted: "the only source gives a price of 2023",
    at: "stale_chain",
    code: "prices.unavailable",
    says: /stale_chain:eth has had no reference price for .*the price is \d+ s old/,
    ...REPAIR_SOURCES,
    doctor: /price stale_chain:eth .*the price is \d+ s old/,
    alert: "prices.unavailable",
  },
  {
    name: "prices disagree",
    planted: "one of two sources gives twice the price",
    at: "split_chain",
    code: "prices.disagree",
    says: /split_chain:eth has had no reference price for .*from 3000 to 6000/,
    todo: "Find the wrong source, and replace it in prices.sources, then let the daemon read it.",
    command: "ballast reload",
    doctor: /price split_chain:eth .*contradict each other/,
    alert: "prices.disagree",
  },
  {
    name: "broken peg",
    planted: "two pegged assets have prices of 3000 and 2000",
    at: "peg_chain",
    code: "prices.peg_broken",
    says: /A peg does not hold: peg_chain:eth .*poor_chain:eth .*, since /,
    todo:
      "Find out whether a price is wrong or an asset has lost its value. Then correct the " +
      "source, or remove the peg, and reload.",
    command: "ballast doctor",
    doctor: /pegs A peg does not hold/,
    alert: "prices.peg_broken",
  },
  {
    name: "configuration not read",
    planted: "the file changes without a reload",
    at: "all",
    code: "config.unread",
    says: /The configuration file \S+ changed, and the daemon has not read it since/,
    todo: "Check the file, then let the daemon read it; a mistake in it changes nothing.",
    command: "ballast reload",
    doctor: /the daemon has not read it since.*-> ballast reload/,
    alert: "config.unread",
  },
  {
    name: "full disk",
    planted: "a file fills the disk of data_dir up to 50 MiB",
    at: "all",
    code: "disk.low",
    says: /The disk of data_dir has \d\d MiB left/,
    todo: "Free some space: an order waits while the journal cannot store its next step.",
    command: null,
    doctor: /disk \d\d MiB free/,
    alert: "disk.low",
  },
]

/** Faults of the machine, each in front of a daemon of its own. */
export const MACHINE_FAULTS: readonly PlantedFault[] = [
  {
    name: "machine clock ahead",
    planted: "the daemon's clock is shifted by six hours",
    at: "ahead",
    code: "clock.jump",
    says: /The clock shows .{1,30}, and no chain confirms a time after .{1,30}: new deposits wait/,
    todo: "Set the clock right (NTP). If the nodes are behind and the clock is right, confirm it.",
    command: "ballast resume --clock",
    doctor: /no chain confirms a time after/,
    alert: "clock.jump",
  },
  {
    name: "machine clock behind",
    planted: "the daemon's clock is shifted back by six hours",
    at: "behind",
    code: "node.ahead",
    says: /some_chain is [56] h.* in the future: a clock is wrong/,
    todo: "Set this machine's clock (NTP); else replace the endpoint.",
    command: "ballast doctor",
    doctor: /some_chain .*in the future/,
    alert: "node.ahead",
  },
  {
    name: "dead signer",
    planted: "SIGKILL to the signer behind `signer.socket`",
    at: "signer",
    code: "signer.down",
    says: /The signer has not answered for \d+ s: the signer does not answer on/,
    todo:
      "Read the signer's log, and let its supervisor start it again; the daemon starts only " +
      "its own signer.",
    command: null,
    doctor: /The signer has not answered for/,
    alert: "signer.down",
  },
  {
    name: "stopped signer",
    planted: "SIGSTOP to the signer behind `signer.socket`",
    at: "stopped-signer",
    code: "signer.down",
    says: /The signer has not answered for \d+ s: /,
    todo:
      "Read the signer's log, and let its supervisor start it again; the daemon starts only " +
      "its own signer.",
    command: null,
    doctor: /The signer has not answered for/,
    alert: "signer.down",
  },
]

/**
 * Faults without a daemon that answers. `from` is the command that names the fault with its remedy;
 * no alert can leave, but the heartbeat stops.
 */
export type StartFault = PlantedFault & { readonly from: "run" | "status" }

const WITHOUT_DAEMON = { at: "all", alert: null }

/** Planted beside the faults of orders, because the sandbox has a token. */
export const ASSET_FAULTS: readonly StartFault[] = [
  {
    ...WITHOUT_DAEMON,
    name: "wrong decimals",
    planted: "the configuration gives a token 9 decimals",
    from: "run",
    code: "asset.mismatch",
    says: /base_sepolia:wbtc.*on the chain: 8 decimals/,
    todo: "Correct decimals, token or htlc of the asset in the configuration",
    command: null,
    doctor: /FAIL .*wbtc.*8 decimals/,
  },
]

export const START_FAULTS: readonly StartFault[] = [
  {
    ...WITHOUT_DAEMON,
    name: "data_dir open to others",
    planted: "data_dir has mode 755",
    from: "run",
    code: "daemon.data_dir_open",
    says: /data_dir \S+ is open to other users \(mode 755\)/,
    todo: "run `chmod 700",
    command: null,
    doctor: /data_dir_open .*mode 755.*chmod 700/,
  },
  {
    ...WITHOUT_DAEMON,
    name: "second daemon",
    planted: "a daemon runs on the same data_dir",
    from: "run",
    code: "daemon.locked",
    says: /Another Ballast runs on/,
    todo: "stop it first, or give this one another data_dir",
    command: null,
    doctor: null,
  },
  {
    ...WITHOUT_DAEMON,
    name: "port taken",
    planted: "another program listens on ops.listen",
    from: "run",
    code: "ops.listen",
    says: /Cannot listen on 127\.0\.0\.1:\d+/,
    todo: "choose another ops.listen",
    command: null,
    doctor: null,
  },
  {
    ...WITHOUT_DAEMON,
    name: "frozen daemon",
    planted: "SIGSTOP",
    from: "status",
    code: "daemon.unreachable",
    says: /The daemon \(process \d+\) does not answer; last seen \d+ s ago/,
    todo: "Wait for a minute: it ends itself when it hangs",
    command: "kill -KILL",
    doctor: /does not answer; last seen .*-> kill -KILL/,
  },
  {
    ...WITHOUT_DAEMON,
    name: "dead daemon",
    planted: "SIGKILL",
    from: "status",
    code: "daemon.stopped",
    says: /The daemon is not running; last seen \d+ s ago/,
    todo: "Start it; it goes on from the journal.",
    command: "ballast run",
    doctor: null,
  },
  {
    ...WITHOUT_DAEMON,
    name: "damaged journal",
    planted: "other bytes are in journal.db",
    from: "run",
    code: "journal.damaged_file",
    says: /The journal \S+journal\.db is damaged/,
    todo: "put the newest backup in its place, and run `ballast recover`",
    command: null,
    doctor: /journal\.damaged_file.*is damaged.*newest backup/,
  },
  {
    ...WITHOUT_DAEMON,
    name: "missing journal",
    planted: "journal.db is deleted",
    from: "status",
    code: "journal.missing",
    says: /There is no journal in/,
    todo: "if the daemon has run, this configuration has another data_dir",
    command: null,
    doctor: null,
  },
]
