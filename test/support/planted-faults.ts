/** A fault that a test plants, and the words that each surface must show within a minute. */
export type PlantedFault = {
  readonly name: string
  readonly planted: string
  /** The chain, service or data directory of the test that carries the fault. */
  readonly at: string
  /** The code of the problem in the overview; `null` where the daemon does not run. */
  readonly code: string | null
  /** Part of the sentence in `ballast status` and on the dashboard; of the message where the daemon does not start. */
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
    ...{ name: "dead node", planted: "the only endpoint refuses connections", at: "dead_chain" },
    ...{
      code: "node.silent",
      says: /dead_chain has not answered for/,
      todo: "Repair the node, or give the chain another endpoint in the configuration.",
      command: "ballast doctor",
    },
    ...{ doctor: /dead_chain .*no usable answer/, alert: "node.silent" },
  },
  {
    ...{ name: "all endpoints dead", planted: "both endpoints refuse connections", at: "gone_chain" },
    ...{
      code: "node.silent",
      says: /gone_chain has not answered for/,
      todo: "Repair the node, or give the chain another endpoint in the configuration.",
      command: "ballast doctor",
    },
    ...{ doctor: /gone_chain .*no usable answer/, alert: "node.silent" },
  },
  {
    ...{ name: "one of two endpoints dead", planted: "one endpoint refuses connections", at: "half_chain" },
    ...{ code: "node.silent", says: /of half_chain does not answer.*fewer than the 2 endpoints/ },
    ...{ todo: "Repair or replace the endpoint.", command: "ballast doctor" },
    ...{ doctor: /half_chain .*no usable answer/, alert: "node.silent" },
  },
  {
    ...{ name: "slow node", planted: "the endpoint answers each call after 2.3 s", at: "slow_chain" },
    ...{
      code: "node.slow",
      says: /of slow_chain is slow: \d+\.\d s/,
      todo: "Repair or replace the endpoint.",
      command: "ballast doctor",
    },
    ...{ doctor: /slow_chain .*slow: \d+\.\d s/, alert: "node.slow" },
  },
  {
    ...{ name: "node behind", planted: "the newest block is an hour old", at: "late_chain" },
    ...{
      code: "node.behind",
      says: /late_chain is behind.*newest block is 1 h/,
      todo: "Repair the node, or give the chain another endpoint in the configuration.",
      command: "ballast doctor",
    },
    ...{ doctor: /late_chain .*The node is behind|late_chain .*newest block 3\d\d\d s old/, alert: "node.behind" },
  },
  {
    ...{ name: "wrong clock", planted: "the newest block is three hours ahead of this machine", at: "clock_chain" },
    ...{ code: "node.ahead", says: /clock_chain is 3 h.* in the future: a clock is wrong/ },
    ...{
      todo: "Set this machine's clock (NTP); else replace the endpoint.",
      command: "ballast doctor",
      doctor: /clock_chain .*in the future/,
      alert: "node.ahead",
    },
  },
  {
    ...{ name: "lying node", planted: "one of two endpoints gives another block hash", at: "lying_chain" },
    ...{ code: "chain.disagreement", says: /lying_chain: .*(contradict|differ|disagree|other)/i },
    ...{
      todo: "Compare the endpoints with an explorer, and remove the wrong one from the configuration.",
      command: "ballast doctor",
      doctor: /lying_chain agreement.*chain\.disagreement/,
    },
    ...{ alert: "chain.disagreement" },
  },
  {
    ...{ name: "wrong chain behind an endpoint", planted: "the endpoint answers for another chain", at: "other_chain" },
    ...{ code: "node.wrong_network", says: /of other_chain is on network 84532, not 11155111/ },
    ...{
      todo: "Correct the URL or the chain's network in the configuration, then let the daemon read it.",
      command: "ballast reload",
      doctor: /other_chain .*on network 84532, not 11155111/,
    },
    ...{ alert: "node.wrong_network" },
  },
  {
    ...{ name: "credentials refused", planted: "the endpoint answers HTTP 403", at: "locked_chain" },
    ...{
      code: "node.silent",
      says: /locked_chain has not answered for .*403/,
      todo: "Renew the key in the endpoint's URL, then let the daemon read it.",
      command: "ballast reload",
    },
    ...{ doctor: /locked_chain .*403/, alert: "node.silent" },
  },
]

/** Faults of services: three services at the same time. */
export const SERVICE_FAULTS: readonly PlantedFault[] = [
  {
    ...{ name: "service down", planted: "the service refuses connections", at: "down" },
    ...{
      code: "service.away",
      says: /The service down has not answered for/,
      todo: "Check the url of the service and the network.",
      command: "ballast doctor",
    },
    ...{ doctor: /service .*no answer: .*ECONNREFUSED/, alert: "service.away" },
  },
  {
    ...{ name: "service returns garbage", planted: "the service answers 200 with a page of HTML", at: "garbage" },
    ...{
      code: "service.away",
      says: /The service garbage has not answered.*is not JSON/,
      todo: "Check the url of the service and the network.",
      command: "ballast doctor",
    },
    ...{ doctor: /service .*is not JSON/, alert: "service.away" },
  },
  {
    ...{ name: "service slow", planted: "the service answers after 4.5 s", at: "tardy" },
    ...{
      code: "service.slow",
      says: /The service tardy is slow: \d+\.\d s/,
      todo: "Nothing, unless it lasts: quotes and orders take longer. Then ask the operator of the service.",
      command: "ballast doctor",
    },
    ...{ doctor: /service .*slow: \d+\.\d s/, alert: "service.slow" },
  },
]
