/**
 * One kind of finding, in the words that every printer shows. `sentence` and `step` are short: with
 * its place, its code and a few names a finding has at most 20 words. `explain` may be long:
 * `ballast check --explain` and docs/CONFIG.md show it.
 */
export type FindingKind = {
  readonly code: string
  /** What is wrong with its subjects, without their names and without a full stop. */
  readonly sentence: string
  /** The next step, in a few words. */
  readonly step: string
  /** Whole sentences: the danger, and why Ballast cannot exclude it. */
  readonly explain: string
  /** The subjects of one finding belong together: `mix+profit`. */
  readonly isJoint?: true
}

/** Every finding that exists. Equal ones make one line, and docs/CONFIG.md lists them all. */
export const FINDING_KINDS = {
  sameAsset: {
    code: "config.same_asset",
    sentence: "one balance would count twice",
    step: "keep one of the two",
    isJoint: true,
    explain:
      "Both ids name one token, or the chain's coin and a token that shows the coin's balance. " +
      "A rule for shares would sell half of it for nothing, so the daemon does not start.",
  },
  sameWallet: {
    code: "config.same_wallet",
    sentence: "two names are one chain with one key",
    step: "keep one, with the endpoints of both",
    isJoint: true,
    explain:
      "Each balance would count twice, and two senders would use the transaction numbers of one " +
      "account. Several endpoints of a chain stand in one list. The daemon does not start.",
  },
  sameAccount: {
    code: "config.same_account",
    sentence: "two names are one wallet",
    step: "watch another address, or keep one name",
    isJoint: true,
    explain:
      "The address of a watched wallet is also that of a wallet with a key, or of another " +
      "watched one, on the same chain. Each balance would count twice. The daemon does not start.",
  },
  publicKey: {
    code: "config.public_key",
    sentence: "its key is published for tests",
    step: "make another with `ballast wallet new`",
    explain:
      "The address is one of the first of the mnemonic that Anvil and Hardhat print. Programs " +
      "empty these wallets within seconds. The daemon does not start.",
  },
  watchOnly: {
    code: "config.watch_only",
    sentence: "its wallet has no key here",
    step: "sell another asset",
    explain:
      "The chain's key is an address to watch, so Ballast reads its balances and may pay it. " +
      "What sells from it could never be signed. The daemon does not start.",
  },
  noCoin: {
    code: "config.no_coin",
    sentence: "the chain has no coin of its own",
    step: "remove it, or name its token",
    explain:
      "Fees are paid in tokens there, and nodes answer a made-up number for the balance of " +
      "the coin. The daemon does not start.",
  },
  noMaxOrder: {
    code: "config.no_max_order",
    sentence: "mode live has no limit for one order",
    step: 'add max_order: "100 usd" under guards',
    explain:
      "Without guards.max_order one wrong price, rule or request may sell a whole balance in " +
      "one order. " +
      "With a main network the daemon does not start.",
  },
  noWindow: {
    code: "config.no_window",
    sentence: "nothing limits the amount sold over time",
    step: "add windows: with per and max under guards",
    explain:
      "Many small orders can sell as much as a large one. A window with max limits all " +
      "orders of its " +
      "time together. With a main network the daemon does not start without one.",
  },
  noServiceSecretLimit: {
    code: "config.no_service_secret_limit",
    sentence: "service and solver together can take one order of max_order",
    step: "add max_service_secret under guards",
    explain:
      "Where the service chooses the secret of an order, the service and the solver together " +
      "can take " +
      "both legs. Without guards.max_service_secret such an order may be as large as max_order. " +
      "With secrets.key Ballast chooses the secrets of the other orders itself.",
  },
  absurdLimit: {
    code: "config.absurd_limit",
    sentence: "the limit is so high that it limits nothing",
    step: "write a limit in fiat",
    explain:
      "The limit is worth more than a million dollars. A limit in units applies to each " +
      "asset in its " +
      'own unit, so that "500" is 500 bitcoins too.',
  },
  windowBelowOrder: {
    code: "config.window_below_order",
    sentence: "the window allows less than max_order",
    step: "raise its max, or lower max_order",
    explain: "An order of the size of max_order is never possible, because the window refuses it.",
  },
  windowShort: {
    code: "config.window_short",
    sentence: "the only window is shorter than an hour",
    step: "write per: 24h",
    explain: "The window begins anew many times a day, so a day may sell many times its amount.",
  },
  scheduleAboveLimit: {
    code: "config.schedule_above_limit",
    sentence: "its amount exceeds a limit, so it never trades",
    step: "lower amount, or raise the limit",
    explain:
      "A scheduled swap is made in full or not at all. Its amount is larger than max_order " +
      "or the max " +
      "of a window, so the guard refuses it at each of its times.",
  },
  neverBegins: {
    code: "config.never_begins",
    sentence: "none of its orders can ever begin",
    step: "correct the key that is named",
    explain:
      "Each of its times is in quiet_hours, its max_cost or a limit of guards is zero, its least " +
      "is above max_order or a window, or an asset of it has no htlc. Also a receiver that is " +
      "told nothing.",
  },
  neverActs: {
    code: "config.never_acts",
    sentence: "each of its orders costs more than max_cost",
    step: "raise its amounts, or max_cost",
    explain:
      "A swap costs about one dollar, 30 basis points and the network fee, so a small order " +
      "costs a large share. `check` judges at the simulator's assumed prices and costs, and " +
      "names the smallest order that could act; `ballast simulate` shows the moves.",
  },
  eitherDay: {
    code: "config.either_day",
    sentence: "it runs on either of its days",
    step: "write * for one, or MON#1",
    explain:
      "In a cron expression a day of the month and a weekday together mean either of the two: " +
      '"0 9 1-7 * MON" runs on ten days of most months. `check` shows the next three times.',
  },
  noApproval: {
    code: "config.no_approval",
    sentence: "no order waits for a person",
    step: 'add approve_above: "50 usd" under guards',
    explain: "With guards.approve_above a larger order waits until a person approves it.",
  },
  approvalAboveOrder: {
    code: "config.approval_above_order",
    sentence: "no order waits for a person, because max_order is lower",
    step: "lower approve_above",
    explain:
      "An order above approve_above waits for a person. Here max_order refuses each such " +
      "order first.",
  },
  highCost: {
    code: "config.high_cost",
    sentence: "each swap may lose more than 5 % of its value",
    step: 'write "100bps"',
    explain:
      "A share above 500 bps passes swaps at a very bad price. A service that knows the limit " +
      "can quote just below it each time.",
  },
  trustService: {
    code: "config.trust_service",
    sentence: "the service may name any price on a main network",
    step: "remove it, and add prices.sources",
    explain:
      "With prices.trust_service the service's own prices decide whether its quotes are good, so " +
      "a false price is not noticed. With a main network the daemon does not start.",
  },
  noPrice: {
    code: "config.no_price",
    sentence: "without a price of our own, each order is refused",
    step: "add it to prices.sources",
    explain:
      "In mode live every order is compared with a price that does not come from the service. " +
      "An asset needs a source in prices.sources, or a peg with a priced asset.",
  },
  onePriceSource: {
    code: "config.one_price_source",
    sentence: "the price rests on one source, which is believed",
    step: "add two sources of other providers",
    explain:
      "A single source that lies or fails decides about the price. With three sources the median " +
      "counts, so that one liar is outvoted.",
  },
  pegUnwatched: {
    code: "config.peg_unwatched",
    sentence: "nothing watches this peg",
    step: "add a source for a second member",
    explain:
      "Fewer than two members of the peg have a source, so nothing notices when their prices " +
      "part. All members then keep the price of the one that has a source.",
  },
  twoServices: {
    code: "config.two_services",
    sentence: "where the two services disagree, no order is made",
    step: "add prices.sources, or a third service",
    explain:
      "Two services that disagree prove nothing against each other. Without reference prices " +
      "nothing " +
      "shows which of them quotes a false price, so the quote is refused (quote.unproven).",
  },
  unusualDecimals: {
    code: "config.unusual_decimals",
    sentence: "the coin usually has other decimals",
    step: "correct decimals, or compare by `ballast doctor`",
    explain:
      "With wrong decimals every amount is wrong by a power of ten. The chain itself decides: " +
      "the daemon compares before it trades, and `ballast doctor` shows the difference.",
  },
  keysInside: {
    code: "config.keys_inside",
    sentence: "the daemon holds the keys, so a defect could cost everything",
    step: "write run: child",
    explain:
      "The daemon reads answers of foreign servers. With signer.run: child another process " +
      "holds the " +
      "keys, and signs only what its own limits allow.",
  },
  signerUnlimited: {
    code: "config.signer_unlimited",
    sentence: "an attacker in the daemon could sell all of it",
    step: "add per_day under signer.limits",
    explain:
      "The signer's limits hold even if an attacker controls the daemon. Without per_day the " +
      "signer " +
      "signs sales of this asset without an end. The amount is in the asset's own unit.",
  },
  highFeeCap: {
    code: "config.high_fee_cap",
    sentence: "a lying node could take very high fees",
    step: "write a usual cap",
    explain:
      "The nodes name the market's fee, and Ballast pays up to the cap. This cap is several " +
      "times higher than the worst known market, so a lie could cost a good part of an order.",
  },
  plainHttp: {
    code: "config.plain_http",
    sentence: "everyone on the way can read and change the answers",
    step: "write https://",
    explain:
      "A connection by http:// to another machine proves nothing about the machine that " +
      "answers. On a main " +
      "network `check` fails; in a local network it warns.",
  },
  secretInUrl: {
    code: "config.secret_in_url",
    sentence: "each reader of the file has the URL's password",
    step: "write a reference to the URL",
    explain:
      "A password belongs into a variable or a file of its own, and not into the configuration.",
  },
  plainJournal: {
    code: "config.plain_journal",
    sentence: "others on the way can read and change the log",
    step: "add ?sslmode=verify-full to the URL",
    explain:
      "The connection to PostgreSQL does not prove the server. A new leader follows the log, so " +
      "a changed log changes what it does. On a main network `check` fails; in a local " +
      "network it warns.",
  },
  oneEndpoint: {
    code: "config.one_endpoint",
    sentence: "one endpoint alone is believed",
    step: "add one of another provider",
    explain:
      "With one endpoint nothing contradicts a lie about an order's HTLC. It could end an " +
      "order by a false payout, refund or empty HTLC while its money is elsewhere. With two " +
      "endpoints of different providers both must agree.",
  },
  agreeOne: {
    code: "config.one_endpoint",
    sentence: "one lying endpoint of several is believed",
    step: "write agree: 2",
    explain:
      "The chain has several endpoints, and agree: 1 believes each of them alone. A lie " +
      "could end an " +
      "order by a false payout, refund or empty HTLC while its money is elsewhere.",
  },
  lowDepth: {
    code: "config.confirmations_below_minimum",
    sentence: "the depth is below the network's minimum",
    step: "raise or remove it",
    explain:
      "A secret that is told because of a block that the chain drops loses the deposit, and " +
      "an order " +
      "that ends by such a block loses its money. Each main network has a least depth for " +
      "both: that " +
      "of a small order among its own depths, or in place of a tag 13 minutes of blocks. " +
      "With a lower " +
      "one the daemon does not start; test networks keep any number, and an unknown chain warns.",
  },
  marginTooLong: {
    code: "config.deadline_margin",
    sentence: "no deposit is ever in time for this margin",
    step: "write deadline_margin: 1m, on Bitcoin 20m",
    explain:
      "Ballast sends no deposit when less than deadline_margin is left before the order's " +
      "deadline. " +
      "This margin is as long as the whole time of an order, so no deposit is sent.",
  },
  marginTooShort: {
    code: "config.deadline_margin",
    sentence: "a deposit may come too late for its order",
    step: "write deadline_margin: 1m, on Bitcoin 20m",
    explain:
      "A deposit must be in a block before the order's deadline. With less than one block left " +
      "it may come too late; then its money waits for the timelock.",
  },
  notPinned: {
    code: "config.not_pinned",
    sentence: "a changed contract would get deposits",
    step: "pin it with `ballast discover`",
    explain:
      "Without a pin Ballast does not notice that a contract was upgraded. Run `ballast " +
      "discover`, review its findings, and copy `pinned`.",
  },
  blockTimeGuessed: {
    code: "config.block_time_guessed",
    sentence: "the block time is unknown, so most orders are refused",
    step: "set block_time, or a preset",
    explain:
      "Timelocks count blocks. Ballast does not know this chain, so it judges its timelocks " +
      "by every " +
      "block time from 100 ms to 15 s, and most fail (verify.timelock_margin). " +
      "`ballast doctor` measures the block time.",
  },
  rulesInCircle: {
    code: "config.rules_in_circle",
    sentence: "these rules undo each other's work",
    step: "change or disable one",
    isJoint: true,
    explain:
      "One rule sells what the other buys, so the same money goes round and pays fees each time. " +
      "`check` finds this in a backtest at assumed prices; the running daemon finds it by " +
      "alarm.churn.",
  },
} as const satisfies Readonly<Record<string, FindingKind>>

export type FindingName = keyof typeof FINDING_KINDS
