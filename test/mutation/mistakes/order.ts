import { type MistakesOfRoom, mistakesIn } from "../mistake.ts"

/** Without the tests that only compare the machine with its generated files: they notice each change of the table, and judge none. */
const BESIDE = ["test/unit/order", "src/order/states.test.ts"]

export const orderMistakes: MistakesOfRoom = {
  room: "order",
  tests: [
    "test/proof/model/order-machine.test.ts",
    "test/proof/engine/endings.test.ts",
    "test/proof/engine/failed-orders.test.ts",
  ],
  mistakes: [
    ...mistakesIn(
      "src/order/route-wait.ts",
      ["src/order/route-wait.test.ts"],
      [
        ["a learnt wait passes the longest poll", "Math.min(pollMaxMs, leftMs)", "leftMs"],
        ["a learnt wait is shorter than the shortest poll", "Math.min(backoffMs, pollMinMs)", "leftMs"],
        ["a quick payout waits for a poll", "Math.min(backoffMs, pollMinMs)", "pollMinMs"],
        ["one paid order is a usual wait", "sorted.length < LEAST_ORDERS", "sorted.length < 1"],
        ["old orders count beside the new ones", "    .slice(0, MOST_ORDERS)\n", ""],
        ["an incident counts as a usual wait", " && waitMs <= LONGEST_MS", ""],
        ["the slowest orders set the expected time", "earlyMs: at(0.25)", "earlyMs: at(1)"],
        ["an order waits for an expected time that is over", "|| waitedMs >= wait.earlyMs", ""],
      ],
    ),
    ...mistakesIn("src/order/guards.ts", BESIDE, [
      ["a deposit is replaced thirty times", "const MAX_REPLANS = 3", "const MAX_REPLANS = 30"],
      [
        "a transaction that failed in its block counts as done",
        'event.type === "transaction.mined" && event.ok && (event.seen ?? event.final)',
        'event.type === "transaction.mined" && (event.seen ?? event.final)',
      ],
      [
        "a void counts before its block is final",
        'event.type === "transaction.mined" && event.final && event.ok',
        'event.type === "transaction.mined" && event.ok',
      ],
      ["a failed transaction counts before its block is final", "event.final && !event.ok", "!event.ok"],
      [
        "a relayed deposit counts at its first block",
        'event.type === "gasless.initiated" && (event.seen ?? event.final)',
        'event.type === "gasless.initiated"',
      ],
      [
        "a transaction in a young block may no longer land",
        "settled !== true && mined?.final !== true",
        "settled !== true && mined === null",
      ],
      [
        "the void of an earlier deposit serves a later one",
        "resources.includes(resource)",
        "resource !== resources[0]",
      ],
      [
        "a deposit is voided although the relay has a signature",
        "context.transactions.deposit.mined === null && context.gasless === null",
        "context.transactions.deposit.mined === null",
      ],
      ["a deposit is planned again after any exclusion", 'event.by === "expired"', 'event.by !== ""'],
      ["an abandoned order deposits again", 'context.ending !== "abandoned" && context.replans', "context.replans"],
      [
        "a deposit is planned again when its time is over",
        "isExpired && wanted && event.at < (context.sendUntilMs ?? 0)",
        "isExpired && wanted",
      ],
      ["a retry deposits for an order whose time is over", "|| event.at < sendUntilMs)", "|| event.at > sendUntilMs)"],
      [
        "a stale approval needs no other one",
        "context.approvedBy === null || isStaleApproval(context, event)",
        "context.approvedBy === null",
      ],
      [
        "an approval of another intent counts while it is young",
        "data.approvedIntent !== event.intent.hash || ageMs > data.policy.approvalTtlMs",
        "data.approvedIntent !== event.intent.hash && ageMs > data.policy.approvalTtlMs",
      ],
      ["an approval of our own lives for ever", "|| ageMs > data.policy.approvalTtlMs", ""],
      [
        "an approval that landed is not revoked after its deposit was never sent",
        "return wasApprovalSigned(context) && context.transactions.deposit.mined === null && !context.allowanceCleared",
        "return wasApprovalSigned(context) && context.transactions.approve.mined === null && !context.allowanceCleared",
      ],
      [
        "an approval that a second one was to replace is forgotten",
        "return transactions.approve.signed.length > 0 || earlierSigned?.some(",
        "return transactions.approve.signed.length > 0 || [].some(",
      ],
      [
        "a payout completes an order whose deposit is not final",
        "return event.seen.sourceInitiated?.final === true && isBooked(context, event)",
        "return event.seen.sourceInitiated !== null && isBooked(context, event)",
      ],
      [
        "a payout completes an order whose fees are not known",
        "return event.seen.sourceInitiated?.final === true && isBooked(context, event)",
        "return event.seen.sourceInitiated?.final === true",
      ],
      [
        "a refund ends an order whose fees are not known",
        "event.refunded && isBooked(context, event)",
        "event.refunded",
      ],
      ["one final transaction is enough to end an order", "return LASTING.every(", "return LASTING.some("],
      [
        "an order ends on a look at a young block",
        "(landed?.purpose === purpose && landed.final)",
        "landed?.purpose === purpose",
      ],
      [
        "one vanished ending takes back the other",
        "event.seen.destinationRedeemed === null && event.seen.sourceRefunded === null",
        "event.seen.destinationRedeemed === null || event.seen.sourceRefunded === null",
      ],
      [
        "a payout that is too small raises no alarm state",
        '["alarm.payout_short", "alarm.refund_short", ',
        '["alarm.refund_short", ',
      ],
      [
        "one endpoint alone holds an order for a theft",
        'if (event.type !== "order.observed" || event.agreed === false) return false',
        'if (event.type !== "order.observed") return false',
      ],
      [
        "each look at a funded HTLC counts as a new deposit",
        "context.seen.sourceInitiated === null && event.seen.sourceInitiated !== null",
        "event.seen.sourceInitiated !== null",
      ],
      [
        "a payout proves no deposit",
        "return event.seen.sourceInitiated !== null || event.paid",
        "return event.seen.sourceInitiated !== null",
      ],
      [
        "another account's refund counts as ours",
        "[...earlier, ...refund.signed].some(({ txid }) => txid === event.seen.sourceRefunded?.txid)",
        "[...earlier, ...refund.signed].length > 0",
      ],
      [
        "a paid order ends while its refund may land",
        "(isPaid(question) || isRefunded(question)) && mayLand(refund)",
        "isRefunded(question) && mayLand(refund)",
      ],
      [
        "an order goes on while its revocation may land",
        "goesOn && mayLand(context.transactions.revoke) && isSignatureSubmitted(question)",
        "goesOn && isSignatureSubmitted(question) && !mayLand(context.transactions.revoke)",
      ],
      [
        "the patience with a report is sixty times as long",
        "event.at - context.reportedAt > context.policy.reportPatienceMs",
        "event.at - context.reportedAt > 60 * context.policy.reportPatienceMs",
      ],
      [
        "the patience with a report counts from the order's creation",
        "event.at - context.reportedAt >",
        "event.at - context.createdAt >",
      ],
      [
        "a report is held against the service on one endpoint's word",
        "event.paid || event.settling === true || event.agreed === false",
        "event.paid || event.settling === true",
      ],
      [
        "a refund is planned while one is in a block",
        "event.refundable && context.transactions.refund.mined === null",
        "event.refundable",
      ],
    ]),
    ...mistakesIn("src/order/data.ts", BESIDE, [
      [
        "an approval may come after the time for the deposit",
        "Math.min(untilMs, sendUntilMs)",
        "Math.max(untilMs, sendUntilMs)",
      ],
      [
        "a payout may bring ten times less than agreed",
        "return payoutFeeUnits ?? policy.payoutToleranceUnits",
        "return 10n * (payoutFeeUnits ?? policy.payoutToleranceUnits)",
      ],
      [
        "an old order's tolerance counts beside the fee bound",
        "return payoutFeeUnits ?? policy.payoutToleranceUnits",
        "return (payoutFeeUnits ?? 0n) + policy.payoutToleranceUnits",
      ],
      ["the proof at the end forgets replaced deposits", "return [...earlier, ...Object", "return [...Object"],
    ]),
    ...mistakesIn("src/order/mined.ts", BESIDE, [
      [
        "a transaction and its replacement both count as mined",
        "return !isReplaced && !resourcesOf(txid).some((resource) => used.includes(resource))",
        "return !isReplaced",
      ],
      [
        "an excluded transaction may still land",
        "{ ...gone.transactions[purpose], settled: true }",
        "{ ...gone.transactions[purpose], settled: false }",
      ],
      ["the fee of a vanished block counts twice", "sum - feeUnits, data", "sum + feeUnits, data"],
      ["a fee that never counted is taken off", "record.final && record.purpose", "record.purpose"],
      ["a deposit whose block vanished still funds the HTLC", 'return purpose === "deposit" && isGone', "return false"],
      ["a relay's deposit counts as gone when ours is", " && isGone ? {", " ? {"],
      [
        "an order ends without the fee of an approval whose block vanished",
        "return signed.length > 0 && (sentAt",
        "return false && (sentAt",
      ],
      ["a settled approval is observed for ever", "mined === null && settled !== true", "mined === null"],
      ["a look at a young block settles the transaction", "mined, settled: final }", "mined, settled: true }"],
      ["a later look adds no fee", "networkFeeUnits: data.networkFeeUnits + feeOf(data, landed),", ""],
      ["a fee counts with each look", "mined.some(({ txid, final }) => txid === landed.txid && final)\n", "false\n"],
      ["a fee counts before its block is final", "landed?.final !== true ||", "landed === undefined ||"],
    ]),
    ...mistakesIn("src/order/order-updates.ts", BESIDE, [
      ["create requests without an end do not slow down", "creations: data.creations + 1", "creations: data.creations"],
      [
        "a stale approval stays in the order",
        "isStaleApproval(data, event) ? dropApproval(verified) : verified",
        "verified",
      ],
      [
        "an approval counts from the order's creation",
        "approvedAt: at, patienceSince: at",
        "approvedAt: data.createdAt, patienceSince: at",
      ],
      [
        "a submission is not counted",
        "submissions: gasless.submissions + 1, refused",
        "submissions: gasless.submissions, refused",
      ],
      [
        "a needless revocation is asked for again and again",
        "{ ...decline(data, event), allowanceCleared: true }",
        "decline(data, event)",
      ],
      [
        "a refusal books no fee of the transaction that landed",
        "const networkFeeUnits = data.networkFeeUnits + feeOf(data, landed)",
        "const networkFeeUnits = data.networkFeeUnits",
      ],
      [
        "each report restarts the patience",
        "data.reportedAt ?? (isReported ? event.at : null)",
        "isReported ? event.at : data.reportedAt",
      ],
      ["an alarm is raised with each look", "alerted: withCodes(data.alerted, event.alerts),", ""],
      ["a signature in doubt counts as never submitted", "Math.max(1, gasless.submissions)", "gasless.submissions"],
      [
        "a relayed deposit that vanished still counts",
        "submissions }, seen: { ...data.seen, sourceInitiated: null } }",
        "submissions } }",
      ],
      ["a new create request has the old nonce", "...none, nonce: event.nonce, creations: 0", "...none, creations: 0"],
      ["a new create request keeps the old deposit", "serviceOrder: null, deposit: null }", "serviceOrder: null }"],
      [
        "an approval covers the next order of the service too",
        "sendUntilMs: null, approvedBy: null }",
        "sendUntilMs: null }",
      ],
      ["the bound of the payout fee is lost", "payoutFeeUnits: payoutFeeUnits ?? 0n }", "payoutFeeUnits: 0n }"],
    ]),
    ...mistakesIn("src/order/update.ts", BESIDE, [
      [
        "a retried order stays abandoned",
        '{ ...data, ending: "rejected", patienceSince: at }',
        "{ ...data, patienceSince: at }",
      ],
      [
        "a retry leaves the order no patience",
        '{ ...data, ending: "rejected", patienceSince: at }',
        '{ ...data, ending: "rejected" }',
      ],
      [
        "only the first of several alarms is remembered",
        "...reasons.map(({ code }) => code)",
        "...reasons.slice(0, 1).map(({ code }) => code)",
      ],
    ]),
    ...mistakesIn("src/order/pace.ts", BESIDE, [
      ["work waits for half an hour between tries", "const MAX_WAIT_MS = 30_000", "const MAX_WAIT_MS = 1_800_000"],
      ["repeated work never slows down", "tries: tries + 1,", "tries,"],
      ["repeated work waits for its longest time at once", "return Math.min(maxMs,", "return Math.max(maxMs,"],
      ["a new create request follows at once", "MIN_WAIT_MS * creations", "0 * creations"],
      [
        "an awaited payout is looked for as rarely as any other",
        "lacksPayout(data) ? AWAITED_WAIT_MS : policy.pollMaxMs",
        "policy.pollMaxMs",
      ],
      [
        "a disarmed order is looked at sixty times a minute",
        "const DISARMED_WAIT_MS = 5 * 60_000",
        "const DISARMED_WAIT_MS = 1_000",
      ],
      ["the wait that an event asks for is ignored", "waitMs: askedMs ?? backoffMs(", "waitMs: backoffMs("],
    ]),
    ...mistakesIn("src/order/transaction-updates.ts", BESIDE, [
      ["a fresh plan counts as a fee bump", "plan.attempt > 0", "plan.attempt >= 0"],
      [
        "a fresh plan forgets the bytes that it replaces",
        "[...(data.earlierSigned ?? []), ...kept]",
        "[...(data.earlierSigned ?? [])]",
      ],
      [
        "a signed approval counts as cleared",
        'purpose === "approve" ? { ...signed, allowanceCleared: false } : signed',
        "signed",
      ],
      [
        "a fee bump forgets the first attempt",
        "signed: [...track.signed, transaction], settled: false",
        "signed: [transaction], settled: false",
      ],
      [
        "a pending transaction is never stuck",
        "{ ...track, sentAt: track.sentAt ?? at })",
        "{ ...track, sentAt: at })",
      ],
      [
        "a late approval that was sent counts as cleared",
        'unsent === true && purpose === "approve"',
        'purpose === "approve"',
      ],
      [
        "a fee bump that is not possible is asked for again at once",
        "const waiting = withTrack(data, purpose, { ...track, sentAt: track.sentAt === null ? null : at })",
        "const waiting = withTrack(data, purpose, { ...track })",
      ],
      [
        "only the newest deposit is observed again",
        "const signed = [...earlier, ...track.signed]",
        "const signed = track.signed",
      ],
      ["a transaction in a young block is settled", "mined, settled: final })", "mined, settled: true })"],
      [
        "the fee of another transaction of the order is lost",
        "feeOf(data, { ...event, purpose }) + feeOf(data, landed),",
        "feeOf(data, { ...event, purpose }),",
      ],
      [
        "a revocation in a young block clears the allowance",
        "(final && clearsAllowance(data, event, purpose))",
        "clearsAllowance(data, event, purpose)",
      ],
      ["an approval that reverted is revoked", "return !ok && !hasEarlierApproval(data)", "return false"],
      [
        "a void of a later approval ends the allowance of an earlier one",
        'revocation?.plan.action !== "void" || !hasEarlierApproval(data)',
        "true",
      ],
      ["a deposit is replaced without an end", 'data.replans + (purpose === "deposit" ? 1 : 0)', "data.replans"],
      [
        "an approval that never landed is revoked",
        'data.allowanceCleared || (purpose === "approve" && !hasEarlierApproval(data))',
        "data.allowanceCleared",
      ],
    ]),
    ...mistakesIn("src/order/states/ends.ts", BESIDE, [
      ["an approval outlives its order", '{ target: "#revoke-planning", guard: "leavesApproval" },', ""],
      [
        "an order ends without a proof that its HTLC is empty",
        '{ target: "#proving-unfunded", guard: "wasDepositSigned" },',
        "",
      ],
      [
        "an order ends while the relay has its signature",
        '{ target: "#gasless-confirming", guard: "isSignatureSubmitted" },',
        "",
      ],
      ["the proof ignores a deposit that an observation shows", 'go("funded", "isNewlyFunded"),', ""],
      ["an abandoned order is rejected", 'go("abandoned", "isAbandoned"), go("rejected")', 'go("rejected")'],
    ]),
    ...mistakesIn("src/order/states/watching.ts", BESIDE, [
      ["a theft does not hold the order", 'go("held", "isSourceTakenWithoutPayout"),', ""],
      ["the fee of our own refund is not booked", 'go("refund-confirming", "isOwnRefundNew"),', ""],
      ["a report without a payout is believed for ever", 'go("held", "isReportUnproven"),', ""],
      [
        "a second refund is planned while one may land",
        '[go("refund-confirming", "mayRefundLand"), go("refund-planning")]',
        '[go("refund-planning")]',
      ],
      ["a refund ends the watch of the order", 'done: [go("refund-watch")],', 'done: [go("refunded")],'],
      [
        "a final deposit that is gone holds no order",
        'take("alarm", goLater("poll", "held", "isFinalGone")), ',
        'take("alarm", goLater("poll", "held", "isExcluded")), ',
      ],
      [
        "a refund waits for a lapsed order only",
        '...onlyIf("isRefundable", refunding),',
        '...onlyIf("isLapsed", onlyIf("isRefundable", refunding)),',
      ],
    ]),
    ...mistakesIn("src/order/states/deposit.ts", BESIDE, [
      [
        "a second void is planned while one may land",
        '[go("void-confirming", "mayVoidLand"), go("void-planning")]',
        '[go("void-planning")]',
      ],
      [
        "an order ends while the relay may deposit with its signature",
        'failed: [go("gasless-confirming", "isSignatureOut"), go("deposit-planning"',
        'failed: [go("deposit-planning"',
      ],
      ["an abandoned deposit is not voided", '...onlyIf("isVoidable", voiding)', 'go("closing")'],
      ["an operator ends an order with a signed deposit", 'go("closing", "isNothingSigned")', 'go("closing")'],
      [
        "a void excludes the relay's deposit too",
        'done: [go("gasless-confirming", "isSignatureOut"), go("closing")]',
        'done: [go("closing")]',
      ],
      ["a void that was excluded ends the order", 'failed: [go("deposit-confirming")]', 'failed: [go("closing")]'],
    ]),
    ...mistakesIn("src/order/states/held.ts", BESIDE, [
      ["a held order misses its own deposit", 'go("deposit-confirming", "isOwnDepositNew"),', ""],
      ["a held order never refunds", '...onlyIf("isRefundable", refunding),', ""],
      ["a held order is abandoned with a signature out", 'go("closing", "isNothingSigned")', 'go("closing")'],
      ["a retried order with a replaced deposit starts over", 'go("proving-unfunded", "wasOwnDepositSigned"),', ""],
      [
        "a retry plans a second deposit while one may land",
        'go("deposit-confirming", "mayDepositLand"),\n      go("revoke-confirming", "leavesRevoke"),\n      go("revealed"',
        'go("revoke-confirming", "leavesRevoke"),\n      go("revealed"',
      ],
    ]),
    ...mistakesIn("src/order/states/transaction-life.ts", BESIDE, [
      [
        "a void or a revocation counts at the depth of a deposit",
        '"isMinedSeen" : "isMinedFinally"',
        '"isMinedSeen" : "isMinedSeen"',
      ],
      ["a deposit that reverted is confirmed for ever", '...onlyIf("isRevertedFinally", exits.failed),', ""],
    ]),
    ...mistakesIn("src/order/states/gasless.ts", BESIDE, [
      [
        "a submission in doubt is repeated before the chain is read",
        '"work.deferred": take("storeReasons", go("gasless-confirming"))',
        '"work.deferred": take("storeReasons", again("gasless-submitting"))',
      ],
      [
        "a late signature that was submitted is forgotten",
        'go("closing", "isSignatureUnsubmitted"), go("gasless-confirming")',
        'go("closing")',
      ],
      [
        "a relayed deposit in a young block counts",
        'go("funded", "isInitiationSeen"), again("gasless-confirming")',
        'go("funded")',
      ],
      [
        "a second revocation is planned while one is signed",
        'go("revoke-confirming", "isRevokeSigned"), go("revoke-planning")',
        'go("revoke-planning")',
      ],
    ]),
    ...mistakesIn("src/order/states/allowance.ts", BESIDE, [
      [
        "a revocation that lost the race ends the order",
        '[go("revoke-planning", "isExcluded"), go("closing")]',
        '[go("closing")]',
      ],
      [
        "a signature that is out gets no other approval",
        '[go("allowing", { type: "all", params: { of: ["isExcluded", "isSignatureOut"] } }), go("closing")]',
        '[go("closing")]',
      ],
    ]),
    ...mistakesIn("src/order/states/before-deposit.ts", BESIDE, [
      ["no order waits for an approval", 'go("awaiting-approval", "needsApproval"), go("allowing")', 'go("allowing")'],
      [
        "an approved order is not verified again",
        '"operator.approved": take("recordApproval", go("verifying"))',
        '"operator.approved": take("recordApproval", go("allowing"))',
      ],
    ]),
  ],
}
