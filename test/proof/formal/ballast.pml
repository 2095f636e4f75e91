/*
 * Two daemons, one PostgreSQL pair, and a chain. README.md describes the bounds and everything that is left out.
 *
 * The guards come from rules.pml, which is generated from rules.ts. Each MUTANT_… plants one mistake; run-spin.ts sets it.
 */
#include "rules.pml"

#define D 2
#ifndef ORDERS
#define ORDERS 1
#endif
#ifndef FAULTS
#define FAULTS 3
#endif

/* Text of a promise that is broken: `(3==0)` names it. */
#define PROMISE(n, c) assert((c) || n == 0)
#define ONE_DEPOSIT 1
#define SECRET_OR_REFUND 2
#define DURABLE_CLAIM 3
#define SAME_BYTES 4
#define NOTHING_LOST 5
#define RELEASED_IS_OVER 6
#define FENCED 7
#define CALLS_NEED_THE_LEASE 8
#define EVERY_ORDER_ENDS 9

/* The nonce of the deposit's claim is part of the journal: the first or the second one of the account. */
#define F_second 16384
#define NONCE(j) ((j & F_second) -> 1 : 0)
#define NONCE_BITS(j) ((j & F_second) -> 2 : 1)
#define HAS(j, f) ((j & f) != 0)

/* Roles of a process. */
#define DEAD 0
#define STANDBY 1
#define TOOK_LEASE 2
#define LEADER 3
/* An append as PostgreSQL sees it. From LOCKED to its end it holds a share lock on the lease's row. */
#define NONE 0
#define SENT 1
#define LOCKED 2
#define LOCAL 3
/* The side of the client. */
#define IDLE 0
#define WAITS 1
#define SETTLES 2
#define FOUND 3
#define MISSING 4

/* The calls that leave a process. */
#define SIGN_DEPOSIT 1
#define SEND_DEPOSIT 2
#define SEND_VOID 3
#define TELL 4
#define SEND_REFUND 5
#define SEND_REDEEM 6
#define TELLS_SECRET(k) (k == TELL || k == SEND_REDEEM)

/* PostgreSQL: the primary and its standby. `live`: the lease has not ended by the database's clock. */
short primary[ORDERS], standby[ORDERS];
byte epoch = 1, holder = 0, standbyEpoch = 1, standbyHolder = 0;
bool live = true;

/* The daemons. `journal` holds a group that is written here and not yet in the log. */
byte role[D], mine[D], stage[D], waiting[D], call[D], callOf[D], written[D];
short journal[D * ORDERS], added[D], sentEpoch[D];
bool frozen[D], thawed[D];
/* The lease as the append under way has proven it, and as an acknowledged append has. It ends with the lease. */
#define PROVEN 1
#define ACKNOWLEDGED 2
byte proof[D];
#define J(d, o) journal[(d) * ORDERS + (o)]

/* The chains. `used`: 0, the deposit 1 + 2 * order, or the void 2 + 2 * order. */
#define OPEN 0
#define FUNDED 1
#define TAKEN 2
#define BACK 3
byte used[2], source[ORDERS], payout[ORDERS];
byte sentDeposit[ORDERS], signedDeposit[ORDERS], sentVoid[ORDERS];
bool sentRefund[ORDERS], sentRedeem[ORDERS];
/* 0: all locks are open. 1: the payout's lock has ended. 2: the deposit's lock has ended. */
byte locksEnded;
byte called[ORDERS];

/* Notes of the checker alone. */
short acknowledged[ORDERS];
byte faults;
bool isOver;
/* The orders and the two nonces are alike, so the first claim is the one of the first order, with the first nonce. */
bool wasClaimed;

#define W_excludesEarlier(j, o) (!HAS(j, F_depositClaimed))
#define W_excludesDeposit(j, o) true
#define W_isSameContent(j, o) true
/* Weaker than the engine, which also wants half of the payout's lock to be left: the promises do not depend on it. */
#define W_payoutOpen(j, o) (payout[o] == FUNDED)
#define W_payoutLost(j, o) (payout[o] == BACK)
#define W_payoutPaid(j, o) (payout[o] == TAKEN)
#define W_depositBack(j, o) (source[o] == BACK)
#define W_hasTimeToRedeem(j, o) (locksEnded == 0)
#ifdef MUTANT_RELEASED_WITH_ITS_VOID
#define W_mayLand(j, o) (HAS(j, F_depositStored) && !HAS(j, F_voidClaimed))
#else
#define W_mayLand(j, o) (HAS(j, F_depositStored) && (used[NONCE(j)] == 0 || used[NONCE(j)] == 1 + 2 * (o)))
#endif

#define MAY_FAIL (faults < FAULTS)
#define IS_HOLDER(d) (holder == d && epoch == mine[d])
#define IS_IDLE(d) (role[d] == LEADER && waiting[d] == IDLE && call[d] == 0 && stage[d] == NONE)
#define IS_LOCKED (stage[0] == LOCKED || stage[0] == LOCAL || stage[1] == LOCKED || stage[1] == LOCAL)
#define HAS_ENDED(o) HAS(primary[o], F_ended)

inline copyLog(d) {
  J(d, 0) = primary[0];
#if ORDERS > 1
  J(d, 1) = primary[1];
#endif
}
inline replicate() {
  standby[0] = primary[0];
#if ORDERS > 1
  standby[1] = primary[1];
#endif
  standbyEpoch = epoch;
  standbyHolder = holder;
}
#if ORDERS > 1
#define EQUALS_LOG(d, less) (J(d, 0) - (written[d] == 0 -> less : 0) == primary[0] && J(d, 1) - (written[d] == 1 -> less : 0) == primary[1])
#else
#define EQUALS_LOG(d, less) (J(d, 0) - less == primary[0])
#endif
#define IS_REPLICATED (standby[0] == primary[0] && standby[ORDERS - 1] == primary[ORDERS - 1] && standbyEpoch == epoch)

inline clearJournal(d) {
  J(d, 0) = 0;
#if ORDERS > 1
  J(d, 1) = 0;
#endif
  added[d] = 0;
  written[d] = 0;
  sentEpoch[d] = 0;
}
/* A process that loses its lease, or is killed. Its statement may still be on its way to PostgreSQL. */
inline endProcess(d) {
  role[d] = DEAD;
  waiting[d] = IDLE;
  call[d] = 0;
  callOf[d] = 0;
  frozen[d] = false;
  thawed[d] = false;
  mine[d] = 0;
  proof[d] = NONE;
  if
  :: stage[d] == NONE -> clearJournal(d)
  :: else
  fi
}
inline endProof(d, most) {
  if
  :: proof[d] <= most -> proof[d] = NONE
  :: else
  fi
}
inline endStatement(d) {
  stage[d] = NONE;
  endProof(d, PROVEN);
  if
  :: role[d] == DEAD -> clearJournal(d)
  :: waiting[d] == WAITS -> waiting[d] = SETTLES
  :: else
  fi
}
inline acknowledge(d) {
  if
  :: proof[d] == PROVEN -> proof[d] = ACKNOWLEDGED
  :: else
  fi;
  waiting[d] = IDLE;
  stage[d] = NONE;
  acknowledged[0] = acknowledged[0] | J(d, 0);
#if ORDERS > 1
  acknowledged[1] = acknowledged[1] | J(d, 1);
#endif
  added[d] = 0;
  written[d] = 0;
  sentEpoch[d] = 0;
}

/* An append that was settled by reading proves nothing. */
inline settleAs(d, isThere) {
  endProof(d, PROVEN);
  if
  :: isThere -> acknowledge(d)
  :: else ->
    waiting[d] = WAITS;
    if
    :: stage[d] == NONE -> stage[d] = SENT
    :: else
    fi
  fi
}

/* The journal's group is written here, and its append leaves for PostgreSQL. */
inline write(d, o, facts) {
  added[d] = (facts) & ~J(d, o);
  written[d] = o;
  J(d, o) = J(d, o) | facts;
  stage[d] = SENT;
  sentEpoch[d] = mine[d];
  proof[d] = NONE;
  waiting[d] = WAITS;
}
#ifdef MUTANT_SIGNED_BEFORE_DURABLE
#define MAY_CALL(d) (role[d] == LEADER && call[d] == 0)
#else
#define MAY_CALL(d) IS_IDLE(d)
#endif
/*
 * An acknowledged append proves the lease, as long as the lease that it showed has not ended by the clock of the process, which is never behind. Else the process asks
 * PostgreSQL for the lease. Without it the process ends.
 */
inline prove(d, o, kind) {
#ifdef MUTANT_CACHED_LEASE
  call[d] = kind;
  callOf[d] = o;
#else
  if
  :: proof[d] == ACKNOWLEDGED || (IS_HOLDER(d) && live) -> call[d] = kind; callOf[d] = o
  :: else -> endProcess(d)
  fi
#endif
}

#define TAKES_NONCE(d, o, n) (used[n] == 0 && !IS_RESERVED(d, o, n))
#if ORDERS > 1
#define IS_RESERVED(d, o, n) (HAS(J(d, 1 - (o)), F_depositClaimed) && !HAS(J(d, 1 - (o)), F_ended) && NONCE(J(d, 1 - (o))) == n)
#else
#define IS_RESERVED(d, o, n) false
#endif

#define WRITES(d, o) \
  :: d_step { IS_IDLE(d) && MAY_claimDeposit(J(d, o), o) && !HAS(J(d, o), F_depositClaimed) && TAKES_NONCE(d, o, 0) && locksEnded == 0 && (o == 0 || wasClaimed) -> wasClaimed = true; write(d, o, ADD_claimDeposit) } \
  :: d_step { IS_IDLE(d) && MAY_claimDeposit(J(d, o), o) && !HAS(J(d, o), (F_second | F_depositStored)) && TAKES_NONCE(d, o, 1) && locksEnded == 0 && wasClaimed -> write(d, o, ADD_claimDeposit | F_second) } \
  :: d_step { IS_IDLE(d) && MAY_storeDeposit(J(d, o), o) && !HAS(J(d, o), F_depositStored) -> write(d, o, ADD_storeDeposit) } \
  :: d_step { IS_IDLE(d) && MAY_claimVoid(J(d, o), o) && HAS(J(d, o), F_depositStored) && !HAS(J(d, o), F_voidClaimed) && source[o] == OPEN -> write(d, o, ADD_claimVoid) } \
  :: d_step { IS_IDLE(d) && MAY_endUnfunded(J(d, o), o) && !HAS(J(d, o), F_ended) -> write(d, o, ADD_endUnfunded) }
#ifdef NO_SECRET
#define SECRET_WRITES(d, o)
#else
#define SECRET_WRITES(d, o) \
  :: d_step { IS_IDLE(d) && MAY_decideReveal(J(d, o), o) && !HAS(J(d, o), F_revealDecided) -> write(d, o, ADD_decideReveal) } \
  :: d_step { IS_IDLE(d) && MAY_decideWithhold(J(d, o), o) && !HAS(J(d, o), (F_withheld | F_ended)) && source[o] == FUNDED -> write(d, o, ADD_decideWithhold) } \
  :: d_step { IS_IDLE(d) && MAY_decideLost(J(d, o), o) && !HAS(J(d, o), F_lostDecided) -> write(d, o, ADD_decideLost) } \
  :: d_step { IS_IDLE(d) && MAY_claimRefund(J(d, o), o) && !HAS(J(d, o), F_refundClaimed) && source[o] == FUNDED && locksEnded == 2 -> write(d, o, ADD_claimRefund) } \
  :: d_step { IS_IDLE(d) && MAY_claimRedeem(J(d, o), o) && !HAS(J(d, o), F_redeemClaimed) && payout[o] == FUNDED -> write(d, o, ADD_claimRedeem) } \
  :: d_step { IS_IDLE(d) && MAY_endPaid(J(d, o), o) && !HAS(J(d, o), F_ended) -> write(d, o, ADD_endPaid) } \
  :: d_step { IS_IDLE(d) && MAY_endRefunded(J(d, o), o) && !HAS(J(d, o), F_ended) -> write(d, o, ADD_endRefunded) }
#endif

/* A call that already happened is not repeated, unless the process does not know of it. Repeats change nothing outside. */
#define CALLS(d, o) \
  :: d_step { MAY_CALL(d) && MAY_signDeposit(J(d, o), o) && !HAS(J(d, o), (F_depositStored | F_ended)) && !HAS(signedDeposit[o], NONCE_BITS(J(d, o))) -> prove(d, o, SIGN_DEPOSIT) } \
  :: d_step { MAY_CALL(d) && MAY_sendDeposit(J(d, o), o) && !HAS(J(d, o), F_ended) && locksEnded == 0 && !HAS(sentDeposit[o], NONCE_BITS(J(d, o))) -> prove(d, o, SEND_DEPOSIT) } \
  :: d_step { MAY_CALL(d) && MAY_signVoid(J(d, o), o) && MAY_sendVoid((J(d, o) | F_voidStored), o) && sentVoid[o] == 0 -> prove(d, o, SEND_VOID) }
#ifdef NO_SECRET
#define SECRET_CALLS(d, o)
#else
#define SECRET_CALLS(d, o) \
  :: d_step { MAY_CALL(d) && MAY_tellSecret(J(d, o), o) && !HAS(called[o], C_secretTold) -> prove(d, o, TELL) } \
  :: d_step { MAY_CALL(d) && MAY_signRefund(J(d, o), o) && MAY_sendRefund((J(d, o) | F_refundStored), o) && !sentRefund[o] -> prove(d, o, SEND_REFUND) } \
  :: d_step { MAY_CALL(d) && MAY_signRedeem(J(d, o), o) && MAY_sendRedeem((J(d, o) | F_redeemStored), o) && payout[o] == FUNDED && !sentRedeem[o] -> prove(d, o, SEND_REDEEM) }
#endif

inline endCall(d) {
  call[d] = 0;
  callOf[d] = 0;
  thawed[d] = false
}
/* The effect of a call, outside. `n`: the nonce that the process has in its journal. */
inline act(d, o) {
  PROMISE(CALLS_NEED_THE_LEASE, IS_HOLDER(d) || thawed[d]);
  if
  :: call[d] == SIGN_DEPOSIT ->
    PROMISE(DURABLE_CLAIM, HAS(standby[o], F_depositClaimed));
    PROMISE(SAME_BYTES, signedDeposit[o] == 0 || signedDeposit[o] == NONCE_BITS(J(d, o)));
    signedDeposit[o] = signedDeposit[o] | NONCE_BITS(J(d, o));
    called[o] = called[o] | CALLED_signDeposit
  :: call[d] == SEND_DEPOSIT -> sentDeposit[o] = sentDeposit[o] | NONCE_BITS(J(d, o))
  :: call[d] == SEND_VOID ->
    PROMISE(DURABLE_CLAIM, HAS(standby[o], F_voidClaimed));
#ifdef MUTANT_VOID_WITH_ANOTHER_NONCE
    sentVoid[o] = 3 - NONCE_BITS(J(d, o))
#else
    sentVoid[o] = NONCE_BITS(J(d, o))
#endif
  :: call[d] == TELL ->
    PROMISE(DURABLE_CLAIM, HAS(standby[o], F_revealDecided));
    PROMISE(SECRET_OR_REFUND, !sentRefund[o] || HAS(called[o], C_secretTold));
    called[o] = called[o] | CALLED_tellSecret
  :: call[d] == SEND_REFUND ->
    PROMISE(DURABLE_CLAIM, HAS(standby[o], F_refundClaimed));
    PROMISE(SECRET_OR_REFUND, !HAS(called[o], C_secretTold) || (payout[o] == BACK && HAS(standby[o], F_lostDecided)));
    called[o] = called[o] | CALLED_signRefund;
    sentRefund[o] = true
  :: call[d] == SEND_REDEEM ->
    PROMISE(DURABLE_CLAIM, HAS(standby[o], F_redeemClaimed));
    PROMISE(SECRET_OR_REFUND, !sentRefund[o] || HAS(called[o], C_secretTold));
    called[o] = called[o] | CALLED_signRedeem | CALLED_sendRedeem;
    sentRedeem[o] = true
  fi;
  endCall(d)
}

proctype daemon(byte d) {
  end:
  do
  WRITES(d, 0)
  SECRET_WRITES(d, 0)
  CALLS(d, 0)
  SECRET_CALLS(d, 0)
#if ORDERS > 1
  WRITES(d, 1)
  SECRET_WRITES(d, 1)
  CALLS(d, 1)
  SECRET_CALLS(d, 1)
#endif
  :: d_step { call[d] != 0 && !frozen[d] -> act(d, callOf[d]) }

  /* The answer to an append takes too long, or is lost. The statement may run all the same, now or later. */
  :: d_step { waiting[d] == WAITS && MAY_FAIL -> faults++; waiting[d] = SETTLES }
  /* Settles an append with an unknown outcome. An entry that waits for the standby is not visible. */
#ifdef MUTANT_SETTLED_IN_TWO_QUESTIONS
  :: d_step { waiting[d] == SETTLES ->
      if
      :: EQUALS_LOG(d, 0) && stage[d] != LOCAL -> waiting[d] = FOUND
      :: EQUALS_LOG(d, added[d]) || stage[d] == LOCAL -> waiting[d] = MISSING
      :: else -> endProcess(d)
      fi }
  :: d_step { waiting[d] >= FOUND ->
      if
      :: !(IS_HOLDER(d) && live) -> endProcess(d)
      :: else -> replicate(); settleAs(d, waiting[d] == FOUND)
      fi }
#else
  :: d_step { waiting[d] == SETTLES ->
      if
      :: !(IS_HOLDER(d) && live) -> endProcess(d)
      :: else ->
#ifndef MUTANT_SETTLED_WITHOUT_THE_STANDBY
        replicate();
#endif
        if
        :: EQUALS_LOG(d, 0) && stage[d] != LOCAL -> settleAs(d, true)
        :: EQUALS_LOG(d, added[d]) || stage[d] == LOCAL -> settleAs(d, false)
        :: else -> endProcess(d)
        fi
      fi }
#endif

  /* Take-over: an update of the lease's row, which waits for the locks of appends and for the standby. Then the log is read to its end. */
  :: d_step { role[d] == STANDBY &&
#ifndef MUTANT_LOCAL_CLOCK
      !live &&
#else
      MAY_FAIL &&
#endif
#ifndef MUTANT_FOR_KEY_SHARE
      !IS_LOCKED &&
#endif
      holder < D ->
#ifdef MUTANT_LOCAL_CLOCK
      faults++;
#endif
      epoch++;
      holder = d;
      live = true;
#ifndef MUTANT_ASYNCHRONOUS_STANDBY
      replicate();
#endif
      mine[d] = epoch;
      role[d] = TOOK_LEASE }
  :: d_step { role[d] == TOOK_LEASE -> copyLog(d); role[d] = LEADER }
  :: d_step { role[d] == DEAD && stage[d] == NONE && !isOver -> role[d] = STANDBY }

  /* SIGKILL; SIGSTOP and SIGCONT between a proof and its call. At other places a frozen process is one that is slow. */
  :: d_step { role[d] >= TOOK_LEASE && MAY_FAIL -> faults++; endProcess(d) }
  :: d_step { call[d] != 0 && !frozen[d] && !thawed[d] && MAY_FAIL -> faults++; frozen[d] = true }
  :: d_step { frozen[d] -> frozen[d] = false; thawed[d] = true }
  od
}

#ifdef MUTANT_APPEND_PROVES_ANY_EPOCH
#define PROVES_LEASE(d) live
#else
#define PROVES_LEASE(d) (epoch == sentEpoch[d] && holder == d && live)
#endif
#define STATEMENTS(d) \
  /* The proof and the lock on the lease's row. Without the proof a process that waits for the answer ends. */ \
  :: d_step { stage[d] == SENT -> \
      if \
      :: PROVES_LEASE(d) -> stage[d] = LOCKED; proof[d] = PROVEN \
      :: else -> \
        stage[d] = NONE; \
        if \
        :: waiting[d] == WAITS || role[d] == DEAD -> endProcess(d) \
        :: else \
        fi \
      fi } \
  /* The commit on the primary. The same place in the log is taken only once. */ \
  :: d_step { stage[d] == LOCKED -> \
      if \
      :: EQUALS_LOG(d, added[d]) -> \
        PROMISE(FENCED, epoch == sentEpoch[d]); \
        primary[written[d]] = primary[written[d]] | added[d]; \
        stage[d] = LOCAL \
      :: else -> endStatement(d) \
      fi } \
  /* The standby has it, and the answer arrives, if a process still waits for it. */ \
  :: d_step { stage[d] == LOCAL -> \
      REPLICATE_COMMIT; \
      if \
      :: waiting[d] == WAITS -> acknowledge(d) \
      :: else -> endStatement(d) \
      fi }
#ifdef MUTANT_ASYNCHRONOUS_STANDBY
#define REPLICATE_COMMIT skip
#else
#define REPLICATE_COMMIT replicate()
#endif

inline endLease() {
#ifndef MUTANT_ACKNOWLEDGEMENT_READ_LATE
  proof[0] = NONE;
  proof[1] = NONE;
#endif
  live = false
}

proctype postgres() {
  end:
  do
  STATEMENTS(0)
  STATEMENTS(1)
#ifdef MUTANT_ASYNCHRONOUS_STANDBY
  :: d_step { !IS_REPLICATED -> replicate() }
#endif
  /* The lease ends by the database's clock. A process that is not frozen makes its call within the time that its proof left. */
  :: d_step { live && (role[holder] == DEAD || mine[holder] != epoch || frozen[holder]) && !isOver -> endLease() }
  :: d_step { live && role[holder] >= TOOK_LEASE && mine[holder] == epoch && call[holder] == 0 && MAY_FAIL -> faults++; endLease() }
  /* The primary crashes and starts again: its commits are visible, and those of the last moment are not on the standby. */
  :: d_step { MAY_FAIL && IS_LOCKED -> faults++; endStatement(0); endStatement(1) }
  /* The standby becomes the primary. */
  :: d_step { MAY_FAIL && (IS_LOCKED || !IS_REPLICATED) ->
      faults++;
      primary[0] = standby[0];
#if ORDERS > 1
      primary[1] = standby[1];
#endif
      epoch = standbyEpoch;
      holder = standbyHolder;
      endStatement(0);
      endStatement(1);
      PROMISE(NOTHING_LOST, (acknowledged[0] & primary[0]) == acknowledged[0] && (acknowledged[ORDERS - 1] & primary[ORDERS - 1]) == acknowledged[ORDERS - 1]) }
  od
}

inline fund(o) {
  PROMISE(ONE_DEPOSIT, source[o] == OPEN);
  PROMISE(RELEASED_IS_OVER, !HAS(standby[o], F_ended));
  source[o] = FUNDED
}

#define MINED(o) \
  :: d_step { HAS(sentDeposit[o], 1) && used[0] == 0 -> used[0] = 1 + 2 * o; fund(o) } \
  :: d_step { HAS(sentDeposit[o], 2) && used[1] == 0 -> used[1] = 1 + 2 * o; fund(o) } \
  :: d_step { HAS(sentVoid[o], 1) && used[0] == 0 -> used[0] = 2 + 2 * o } \
  :: d_step { HAS(sentVoid[o], 2) && used[1] == 0 -> used[1] = 2 + 2 * o }
/* Assumption: no process stands still between its proof and a call that tells the secret until the solver has its payout back. */
#ifdef MUTANT_FROZEN_FOR_THE_WHOLE_LOCK
#define TELLING false
#else
#define TELLING (TELLS_SECRET(call[0]) || TELLS_SECRET(call[1]))
#endif
#ifdef NO_SECRET
#define SWAPPED(o)
#else
#define SWAPPED(o) \
  :: d_step { source[o] == FUNDED && payout[o] == OPEN && locksEnded == 0 -> payout[o] = FUNDED } \
  :: d_step { payout[o] == FUNDED && locksEnded > 0 && !TELLING -> payout[o] = BACK } \
  :: d_step { payout[o] == FUNDED && HAS(called[o], C_secretTold) -> payout[o] = TAKEN } \
  :: d_step { source[o] == FUNDED && HAS(called[o], C_secretTold) && locksEnded < 2 -> source[o] = TAKEN } \
  :: d_step { source[o] == FUNDED && sentRefund[o] && locksEnded == 2 -> source[o] = BACK }
#endif

proctype chains() {
  end:
  do
  MINED(0)
  SWAPPED(0)
#if ORDERS > 1
  MINED(1)
  SWAPPED(1)
#endif
#ifndef NO_SECRET
  :: d_step { locksEnded < 2 -> locksEnded++ }
#else
  :: d_step { locksEnded == 0 -> locksEnded++ }
#endif
#ifdef MUTANT_CLAIMS_CLEANED_BY_AGE
  :: d_step { HAS(primary[0], F_depositClaimed) && !HAS(primary[0], F_depositStored) && stage[0] == NONE && stage[1] == NONE && waiting[0] == IDLE && waiting[1] == IDLE && call[0] == 0 && call[1] == 0 && signedDeposit[0] != 0 ->
      primary[0] = primary[0] & ~(F_depositClaimed | F_second);
      standby[0] = primary[0];
      acknowledged[0] = primary[0];
      J(0, 0) = J(0, 0) & ~(F_depositClaimed | F_second);
      J(1, 0) = J(1, 0) & ~(F_depositClaimed | F_second) }
#endif
  od
}

/* Nothing more can happen: then each order has ended. An order whose deposit was taken without a payout waits for a person. */
#ifdef NO_SECRET
#define IS_SETTLED(o) (HAS_ENDED(o) || source[o] == FUNDED)
#else
#define IS_SETTLED(o) (HAS_ENDED(o) || source[o] == TAKEN)
#endif
proctype observer() {
  end:
  do
  :: d_step { (timeout && !isOver) ->
#ifndef WITHOUT_ENDS
      PROMISE(EVERY_ORDER_ENDS, IS_SETTLED(0) && IS_SETTLED(ORDERS - 1));
#endif
      isOver = true }
  od
}

init {
  d_step {
    role[0] = LEADER;
    mine[0] = 1;
    role[1] = STANDBY
  };
  atomic {
    run daemon(0);
    run daemon(1);
    run postgres();
    run chains();
    run observer()
  }
}
