type Question = {
  readonly asked: string
  /** The names of links and buttons, one after the other. */
  readonly clicks: readonly { role: "link" | "button"; name: string }[]
  readonly answer: RegExp
}

/** Questions to the desk of test/e2e/dashboard.test.ts; `order` is a completed one. */
export function listQuestions(order: string): readonly Question[] {
  return [
    { asked: "How is it?", clicks: [], answer: /Needs attention · live mode[\s\S]*approv/i },
    {
      asked: "What needs me, and until when?",
      clicks: [],
      answer: /Needs you[\s\S]*Time left: \d/,
    },
    {
      asked: "Do nodes and service answer?",
      clicks: [],
      answer: /Base Sepolia[\s\S]*ago good[\s\S]*Service main/i,
    },
    {
      asked: "Did the service answer all night?",
      clicks: [],
      answer: /Service main[\s\S]*\d+ calls?, (all answered|\d+ failed)/,
    },
    {
      asked: "Where is the money of that order?",
      clicks: [link("Orders"), link(order)],
      answer:
        /the money\? on the destination chain[\s\S]*To the payout: [\d.]+ s, usually [\d.]+ s/,
    },
    {
      asked: "Do the chain and the service say the same about its payout?",
      clicks: [link("Orders"), link(order)],
      answer: /The payout to us[\s\S]*\d\d:\d\d:\d\d, (not )?final[\s\S]*agree/,
    },
    {
      asked: "What does a rule say, and why did it do nothing?",
      clicks: [link("Rules")],
      answer:
        /too-much.*\d+ runs?: .*\d+ missed.*because:.*larger than one order may be \(0\.1 WBTC/s,
    },
    {
      asked: "And last night?",
      clicks: [link("Rules"), link("too-much")],
      answer: /Decisions of too-much.*\d\d:\d\d:\d\d.*did nothing.*larger than one order may be/s,
    },
    {
      asked: "What may Ballast still sell?",
      clicks: [link("Rules"), link("Limits")],
      answer: /WBTC on Base Sepolia sold in 24 h[\s\S]*0\.\d+ WBTC left/,
    },
    {
      asked: "Is each asset in its band, and was it last month?",
      clicks: [link("Treasury")],
      answer: /in band[\s\S]*Since [\d:]+: 0\.\d+.* WBTC · band 0\.2 to 1\.5, target 0\.9/,
    },
    {
      asked: "How long does the coin for fees last?",
      clicks: [link("Treasury")],
      answer: /Coin for fees[\s\S]*[\d.]+ ETH\s+[\d.]+\s+(no use yet|over a year|about \d+ days)/,
    },
    {
      asked: "What would the rules do now?",
      clicks: [link("Rules"), link("Plan")],
      answer: /keep-base/,
    },
    {
      asked: "What did the swaps cost, week by week?",
      clicks: [link("Treasury"), link("Books")],
      answer: /Volume\s+\$\d[\s\S]*Cost of swaps\s+\$\d/,
    },
    {
      asked: "Between which chains did money move, and for how much?",
      clicks: [link("Treasury")],
      answer: /Flows, 7 d[\s\S]*Base Sepolia[\s\S]*Ethereum Sepolia[\s\S]*\$\d/,
    },
    {
      asked: "Did money come in or go out beside the swaps?",
      clicks: [link("Treasury")],
      answer: /Money from outside, 7 d/,
    },
    {
      asked: "Which rule cost how much, and how long did its swaps take?",
      clicks: [link("Treasury")],
      answer: /Volume, cost and time, 7 d[\s\S]*refill\s+\d+\s+\$\d/,
    },
    {
      asked: "Which alarms are open?",
      clicks: [link("All alarms")],
      answer: /No alarm is open|\d+ open/,
    },
    {
      asked: "Which settings are in force, and which token may do what?",
      clicks: [link("Settings")],
      answer: /(?=[\s\S]*approve_above[\s\S]*0\.0015 of each asset)[\s\S]*token reader\s+read/,
    },
    {
      asked: "Which orders did this rule, pair or service make since then, and at what cost?",
      clicks: [link("Orders"), { role: "button", name: "completed" }],
      answer:
        /Every rule[\s\S]*Every pair[\s\S]*\d+ completed\s+\$\d.* moved\s+\$\d.* cost, \d+ bps/,
    },
    {
      asked: "What would another band, size or cost limit of a rule have done?",
      clicks: [link("Rules"), link("Try a change")],
      answer: /Simulate refill[\s\S]*Amount now 0\.001[\s\S]*Simulate/,
    },
    {
      asked: "When does a rule run next, and when does the time of its orders end?",
      clicks: [link("Rules")],
      answer: /refill[\s\S]*Next: (in|now|\d)/,
    },
  ]
}

function link(name: string): Question["clicks"][number] {
  return { role: "link", name }
}
