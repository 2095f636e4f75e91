// A stand-in for both programs of CCTP v2 on the Solana VM: one translation unit, no SDK. The same code runs at the address of
// the MessageTransmitter and at that of the TokenMessengerMinter; the discriminator of a call says whose call it is.
//
// It keeps the interface that Circle publishes (circlefin/solana-cctp-contracts, programs/v2): the same discriminators,
// instruction data, accounts, PDA seeds, state, events by calls of itself, and error codes. Left out: hooks, the return of an
// event account's rent, and all calls of owners. In their place stand two calls for the sandbox, which any account may make:
//
//   stand_in_invoke  disc | count u8 | (length u8, seed)* | data   [program, accounts...]: that call, signed by the PDA of the seeds
//   stand_in_write   disc | bytes                                  [account w]: the new state of an account of this program

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#define INLINE static inline __attribute__((always_inline))
#define FAIL(code, text) do { sol_log_(text, sizeof(text) - 1); return (code); } while (0)

typedef struct { const void *at; u64 length; } Slice;
typedef struct { const Slice *seeds; u64 count; } Signer;
typedef struct { u8 *key; u8 writable, signer; } AccountMeta;
typedef struct { const u8 *program; const AccountMeta *metas; u64 metaCount; const void *data; u64 dataLength; } Instruction;
typedef struct { u64 slot; u64 epochStart, epoch, leaderEpoch, unixTimestamp; } Clock;
typedef struct { u64 lamportsPerByteYear; u64 exemptionThresholdBits; u8 burnPercent; } Rent;
typedef struct { u32 value; } __attribute__((packed)) Packed32;
typedef struct { u64 value; } __attribute__((packed)) Packed64;

// The layout that sol_invoke_signed_c expects for an account.
typedef struct {
  u8 *key;
  u64 *lamports;
  u64 dataLength;
  u8 *data;
  u8 *owner;
  u64 rentEpoch;
  u8 signer, writable, executable;
} Account;

// The VM maps 32 KiB of zeroed memory here. The accounts and buffers live there because the compiler allows a stack of 512 bytes.
#define MAX_ACCOUNTS 24
#define HEAP 0x300000000ULL
#define ACCOUNTS ((Account *)HEAP)
#define SCRATCH ((Scratch *)(HEAP + 2048))

typedef struct {
  AccountMeta metas[MAX_ACCOUNTS];
  Instruction instruction;
  Signer signer;
  Slice seeds[8];
  Slice hashed;
  Clock clock;
  Rent rent;
  u64 number;
  u8 bump[8];
  u8 text[16];
  u8 key[32];
  u8 hash[32];
  u8 last[32];
  u8 attester[32];
  u8 point[64];
  u8 signature[72];
  u8 zero[32];
  u8 data[2048];
} Scratch;

extern u64 sol_log_(const char *text, u64 length);
extern u64 sol_memcpy_(void *to, const void *from, u64 length);
extern u64 sol_memcmp_(const void *a, const void *b, u64 length, int *result);
extern u64 sol_keccak256(const Slice *slices, u64 count, u8 *out);
extern u64 sol_secp256k1_recover(const u8 *hash, u64 recovery, const u8 *signature, u8 *out);
extern u64 sol_get_clock_sysvar(Clock *out);
extern u64 sol_get_rent_sysvar(Rent *out);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 count, const u8 *program, u8 *address, u8 *bump);
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64 accountCount, const Signer *, u64 signerCount);

// First eight bytes of sha256("global:<instruction>"), sha256("account:<account>") and sha256("event:<event>").
#define STAND_IN_INVOKE 0xf080c91531230299ULL
#define STAND_IN_WRITE 0x16595679fca84414ULL
#define DEPOSIT_FOR_BURN 0xb08037722e3d3cd7ULL
#define SEND_MESSAGE 0x1a410abdb2222839ULL
#define RECEIVE_MESSAGE 0x19eee11fe17f9026ULL
#define HANDLE_FINALIZED 0x5f6eb45646effcbaULL
#define HANDLE_UNFINALIZED 0x3db63ac814afa9c8ULL
#define EVENT_CALL 0x1d9acb512ea545e4ULL
#define MESSAGE_SENT 0x3c97e1a638856483ULL
#define USED_NONCE 0xeeb34782fc9dded4ULL
#define MESSAGE_TRANSMITTER 0xfc23cb138eb42847ULL
#define TOKEN_MESSENGER 0x60ddf39334f204a2ULL
#define REMOTE_TOKEN_MESSENGER 0xfc8ae95f22ae7369ULL
#define LOCAL_TOKEN 0xb68054c1aa3a839fULL
#define TOKEN_PAIR 0x47c595e5b02dd611ULL
#define DEPOSITED 0xeba74a069291fc90ULL
#define MINTED 0x47007ea246e5434bULL
#define RECEIVED 0xa69df1ad4d2f44e7ULL

// The programs' own codes, then Anchor's codes for the same checks.
#define PAUSED 6001
#define WRONG_CALLER 6014
#define WRONG_DESTINATION 6018
#define WRONG_VERSION 6019
#define WRONG_RECEIVER 6021
#define TOO_SHORT 6024
#define WRONG_ORDER 6026
#define WRONG_ATTESTER 6027
#define WRONG_ATTESTATION_LENGTH 6028
#define WRONG_RECOVERY_ID 6029
#define LOCAL_DESTINATION 6034
#define WRONG_TOKEN_MESSENGER 6002
#define WRONG_BODY 6004
#define WRONG_BODY_VERSION 6005
#define NO_AMOUNT 6006
#define WRONG_DOMAIN 6007
#define WRONG_RECIPIENT 6009
#define WRONG_PAIR 6011
#define FEE_ABOVE_AMOUNT 6014
#define FEE_ABOVE_MAX 6015
#define EXPIRED 6016
#define WRONG_FINALITY 6017
#define DENYLISTED 6021
#define FEE_BELOW_MIN 6026
#define MAX_FEE_ABOVE_AMOUNT 6027
#define ABOVE_BURN_LIMIT 6030
#define MINTER_PAUSED 6031
#define NO_INSTRUCTION 101
#define BAD_DATA 102
#define WRONG_SEEDS 2006
#define WRONG_MINT 2014
#define WRONG_OWNER 2015
#define NOT_ENOUGH_ACCOUNTS 3005
#define NOT_SIGNED 3010
#define NOT_INITIALIZED 3012
#define ENVIRONMENT 6104

#define TOKEN_ACCOUNT_BYTES 165
#define HEADER_BYTES 148
#define BODY_BYTES 228
#define MESSAGE_BYTES (HEADER_BYTES + BODY_BYTES)
#define ROOM 10240

INLINE u32 read32(const u8 *at) { return ((const Packed32 *)at)->value; }
INLINE u64 read64(const u8 *at) { return ((const Packed64 *)at)->value; }
INLINE void write32(u8 *at, u32 value) { ((Packed32 *)at)->value = value; }
INLINE void write64(u8 *at, u64 value) { ((Packed64 *)at)->value = value; }

INLINE u32 readBig32(const u8 *at) { return ((u32)at[0] << 24) | ((u32)at[1] << 16) | ((u32)at[2] << 8) | at[3]; }

INLINE void writeBig32(u8 *at, u32 value) {
  at[0] = value >> 24;
  at[1] = value >> 16;
  at[2] = value >> 8;
  at[3] = value;
}

// An amount of 32 bytes. Each that a burn can have fits the last eight of them.
INLINE u64 readWord(const u8 *at) { return ((u64)readBig32(at + 24) << 32) | readBig32(at + 28); }

INLINE void writeWord(u8 *at, u64 value) {
  writeBig32(at + 24, value >> 32);
  writeBig32(at + 28, value);
}

INLINE int same(const void *a, const void *b) {
  int difference = 1;
  sol_memcmp_(a, b, 32, &difference);
  return difference == 0;
}

INLINE int isAbove(const void *a, const void *b) {
  int difference = 0;
  sol_memcmp_(a, b, 32, &difference);
  return difference > 0;
}

INLINE int isNothing(const void *at) { return same(at, SCRATCH->zero); }

// Reads one account of the loader's input, which may repeat an earlier one, and returns the address after it.
INLINE u8 *readAccount(u8 *at, Account *accounts, u64 index) {
  Account *account = &accounts[index];
  if (*at != 0xff) {
    *account = accounts[*at];
    return at + 8;
  }
  account->signer = at[1];
  account->writable = at[2];
  account->executable = at[3];
  account->key = at + 8;
  account->owner = at + 40;
  account->lamports = (u64 *)(at + 72);
  account->dataLength = *(u64 *)(at + 80);
  account->data = at + 88;
  at += 88 + ((account->dataLength + ROOM + 7) & ~7ULL);
  account->rentEpoch = *(u64 *)at;
  return at + 8;
}

INLINE int isState(const Account *account, const u8 *program, u64 discriminator, u64 bytes) {
  return same(account->owner, program) && account->dataLength >= bytes && read64(account->data) == discriminator;
}

INLINE int isTokenAccount(const Account *account, const u8 *token) {
  return same(account->owner, token) && account->dataLength == TOKEN_ACCOUNT_BYTES;
}

// The lamports that keep an account of this size alive. The threshold is an f64: 2.0, or 1.0 where the price already includes it.
INLINE u64 rentFor(u64 bytes) {
  if (sol_get_rent_sysvar(&SCRATCH->rent)) return 0;
  u64 perByte = SCRATCH->rent.lamportsPerByteYear;
  if (SCRATCH->rent.exemptionThresholdBits == 0x4000000000000000ULL) perByte *= 2;
  return (bytes + 128) * perByte;
}

INLINE void setMeta(u64 index, u8 *key, u8 writable, u8 signer) {
  SCRATCH->metas[index].key = key;
  SCRATCH->metas[index].writable = writable;
  SCRATCH->metas[index].signer = signer;
}

INLINE void setSeed(u64 index, const void *at, u64 length) {
  SCRATCH->seeds[index].at = at;
  SCRATCH->seeds[index].length = length;
}

// The PDA of the first `count` seeds, into the scratch's key; it signs the next call.
INLINE u64 findAddress(u64 count, const u8 *program) {
  u64 failed = sol_try_find_program_address(SCRATCH->seeds, count, program, SCRATCH->key, SCRATCH->bump);
  setSeed(count, SCRATCH->bump, 1);
  SCRATCH->signer.seeds = SCRATCH->seeds;
  SCRATCH->signer.count = count + 1;
  return failed;
}

INLINE u64 call(const u8 *program, u64 metaCount, u64 dataLength, u64 count, u64 signerCount) {
  Instruction *instruction = &SCRATCH->instruction;
  instruction->program = program;
  instruction->metas = SCRATCH->metas;
  instruction->metaCount = metaCount;
  instruction->data = SCRATCH->data;
  instruction->dataLength = dataLength;
  return sol_invoke_signed_c(instruction, ACCOUNTS, count, &SCRATCH->signer, signerCount);
}

// The event in the scratch's data behind its eight bytes of a call, as Anchor's `emit_cpi!`.
INLINE u64 emit(const Account *authority, u8 *program, u64 length, u64 count) {
  write64(SCRATCH->data, EVENT_CALL);
  setSeed(0, "__event_authority", 17);
  if (findAddress(1, program) || !same(authority->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong event authority");
  setMeta(0, authority->key, 0, 1);
  return call(program, 1, length, count, 1);
}

// The decimal text of a domain, into the scratch. Returns its length.
INLINE u64 writeDomain(u32 domain) {
  u64 length = 0;
  u32 power = 1;
  while (domain / power >= 10) power *= 10;
  for (; power > 0; power /= 10) SCRATCH->text[length++] = '0' + (domain / power) % 10;
  return length;
}

INLINE u64 depositForBurn(Account *accounts, const u8 *data, u64 length, u8 *program, u64 count) {
  Account *owner = &accounts[0], *payer = &accounts[1], *from = &accounts[3], *state = &accounts[5], *messenger = &accounts[6];
  Account *remote = &accounts[7], *minter = &accounts[8], *local = &accounts[9], *mint = &accounts[10], *sent = &accounts[11];
  const u8 *token = accounts[14].key;
  if (count != 18) FAIL(NOT_ENOUGH_ACCOUNTS, "cctp: a burn needs eighteen accounts");
  if (length != 96) FAIL(BAD_DATA, "cctp: bad data of a burn");
  u64 amount = read64(data + 8), maxFee = read64(data + 84);
  u32 domain = read32(data + 16);
  if (!owner->signer || !payer->signer || !sent->signer) FAIL(NOT_SIGNED, "cctp: owner, payer or event account has not signed");
  if (!isState(messenger, program, TOKEN_MESSENGER, 177) || !isState(local, program, LOCAL_TOKEN, 130)) FAIL(NOT_INITIALIZED, "cctp: no messenger or token");
  if (!isState(remote, program, REMOTE_TOKEN_MESSENGER, 44)) FAIL(NOT_INITIALIZED, "cctp: no remote messenger");
  if (amount == 0) FAIL(NO_AMOUNT, "cctp: no amount");
  setSeed(0, "denylist_account", 16);
  setSeed(1, owner->key, 32);
  if (findAddress(2, program) || !same(accounts[4].key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong denylist account");
  if (accounts[4].dataLength > 0) FAIL(DENYLISTED, "cctp: the owner is on the denylist");
  if (isNothing(data + 20)) FAIL(WRONG_RECIPIENT, "cctp: no recipient");
  if (amount <= maxFee) FAIL(MAX_FEE_ABOVE_AMOUNT, "cctp: the highest fee is not below the amount");
  u64 least = amount / 10000000 * read32(messenger->data + 173) + amount % 10000000 * read32(messenger->data + 173) / 10000000;
  if (read32(messenger->data + 173) > 0 && maxFee < (least == 0 ? 1 : least)) FAIL(FEE_BELOW_MIN, "cctp: the highest fee is below the least one");
  if (read32(remote->data + 8) != domain) FAIL(WRONG_DOMAIN, "cctp: remote messenger of another domain");
  if (minter->data[72]) FAIL(MINTER_PAUSED, "cctp: the minter is paused");
  if (!same(local->data + 40, mint->key)) FAIL(WRONG_MINT, "cctp: token of another mint");
  if (read64(local->data + 72) < amount) FAIL(ABOVE_BURN_LIMIT, "cctp: above the limit of one burn");
  if (!isTokenAccount(from, token) || !same(from->data, mint->key)) FAIL(WRONG_MINT, "cctp: token account of another mint");
  if (!same(from->data + 32, owner->key)) FAIL(WRONG_OWNER, "cctp: token account of another owner");

  // The token program's burn.
  SCRATCH->data[0] = 8;
  write64(SCRATCH->data + 1, amount);
  setMeta(0, from->key, 1, 0);
  setMeta(1, mint->key, 1, 0);
  setMeta(2, owner->key, 0, 1);
  u64 failed = call(token, 3, 9, count, 0);
  if (failed) return failed;

  u8 *out = SCRATCH->data;
  write64(out, SEND_MESSAGE);
  write32(out + 8, domain);
  sol_memcpy_(out + 12, remote->data + 12, 32);
  sol_memcpy_(out + 44, data + 52, 32);
  write32(out + 76, read32(data + 92));
  write32(out + 80, BODY_BYTES);
  u8 *body = out + 84;
  writeBig32(body, read32(messenger->data + 104));
  sol_memcpy_(body + 4, mint->key, 32);
  sol_memcpy_(body + 36, data + 20, 32);
  sol_memcpy_(body + 68, SCRATCH->zero, 32);
  writeWord(body + 68, amount);
  sol_memcpy_(body + 100, owner->key, 32);
  sol_memcpy_(body + 132, SCRATCH->zero, 32);
  writeWord(body + 132, maxFee);
  sol_memcpy_(body + 164, SCRATCH->zero, 32);
  sol_memcpy_(body + 196, SCRATCH->zero, 32);
  setSeed(0, "sender_authority", 16);
  if (findAddress(1, program) || !same(accounts[2].key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong sender authority");
  setMeta(0, payer->key, 1, 1);
  setMeta(1, accounts[2].key, 0, 1);
  setMeta(2, state->key, 1, 0);
  setMeta(3, sent->key, 1, 1);
  setMeta(4, accounts[13].key, 0, 0);
  setMeta(5, accounts[15].key, 0, 0);
  failed = call(accounts[12].key, 6, 84 + BODY_BYTES, count, 1);
  if (failed) return failed;

  write64(out + 8, DEPOSITED);
  sol_memcpy_(out + 16, mint->key, 32);
  write64(out + 48, amount);
  sol_memcpy_(out + 56, owner->key, 32);
  sol_memcpy_(out + 88, data + 20, 32);
  write32(out + 120, domain);
  sol_memcpy_(out + 124, remote->data + 12, 32);
  sol_memcpy_(out + 156, data + 52, 32);
  write64(out + 188, maxFee);
  write32(out + 196, read32(data + 92));
  write32(out + 200, 0);
  return emit(&accounts[16], program, 204, count);
}

// As Anchor opens an account: the system program creates one without lamports, and makes room in one that has some.
INLINE u64 openMessage(Account *payer, Account *sent, const u8 *system, u8 *program, u64 bytes, u64 count) {
  u64 least = rentFor(bytes), failed = 0;
  setMeta(0, payer->key, 1, 1);
  setMeta(1, sent->key, 1, 1);
  if (*sent->lamports == 0) {
    write32(SCRATCH->data, 0);
    write64(SCRATCH->data + 4, least);
    write64(SCRATCH->data + 12, bytes);
    sol_memcpy_(SCRATCH->data + 20, program, 32);
    return call(system, 2, 52, count, 0);
  }
  if (*sent->lamports < least) {
    write32(SCRATCH->data, 2);
    write64(SCRATCH->data + 4, least - *sent->lamports);
    failed = call(system, 2, 12, count, 0);
    if (failed) return failed;
  }
  setMeta(0, sent->key, 1, 1);
  write32(SCRATCH->data, 8);
  write64(SCRATCH->data + 4, bytes);
  failed = call(system, 1, 12, count, 0);
  if (failed) return failed;
  write32(SCRATCH->data, 1);
  sol_memcpy_(SCRATCH->data + 4, program, 32);
  return call(system, 1, 36, count, 0);
}

INLINE u64 sendMessage(Account *accounts, const u8 *data, u64 length, u8 *program, u64 count) {
  Account *payer = &accounts[0], *state = &accounts[2], *sent = &accounts[3], *sender = &accounts[4];
  if (count != 6) FAIL(NOT_ENOUGH_ACCOUNTS, "cctp: a message needs six accounts");
  if (length != 84 + BODY_BYTES || read32(data + 80) != BODY_BYTES) FAIL(BAD_DATA, "cctp: bad data of a message");
  if (!payer->signer || !accounts[1].signer || !sent->signer) FAIL(NOT_SIGNED, "cctp: a signature of the message is missing");
  setSeed(0, "sender_authority", 16);
  if (findAddress(1, sender->key) || !same(accounts[1].key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong sender authority");
  if (!isState(state, program, MESSAGE_TRANSMITTER, 153)) FAIL(NOT_INITIALIZED, "cctp: no transmitter");
  if (state->data[136]) FAIL(PAUSED, "cctp: the transmitter is paused");
  if (read32(state->data + 137) == read32(data + 8)) FAIL(LOCAL_DESTINATION, "cctp: the destination is here");
  u64 bytes = 52 + MESSAGE_BYTES, failed = openMessage(payer, sent, accounts[5].key, program, bytes, count);
  if (failed) return failed;
  if (sol_get_clock_sysvar(&SCRATCH->clock)) FAIL(ENVIRONMENT, "cctp: no clock");
  u8 *out = sent->data, *message = out + 52;
  write64(out, MESSAGE_SENT);
  sol_memcpy_(out + 8, payer->key, 32);
  write64(out + 40, SCRATCH->clock.unixTimestamp);
  write32(out + 48, MESSAGE_BYTES);
  writeBig32(message, read32(state->data + 141));
  writeBig32(message + 4, read32(state->data + 137));
  writeBig32(message + 8, read32(data + 8));
  sol_memcpy_(message + 44, sender->key, 32);
  sol_memcpy_(message + 76, data + 12, 64); // the recipient and the only caller follow each other in both layouts
  writeBig32(message + 140, read32(data + 76));
  sol_memcpy_(message + HEADER_BYTES, data + 84, BODY_BYTES);
  return 0;
}

// Signatures of 65 bytes over the hash, in the order of their signers, all of enabled attesters.
INLINE u64 verify(const u8 *state, const u8 *message, u64 bytes, const u8 *attestation, u64 length) {
  u32 threshold = read32(state + 145), enabled = read32(state + 149);
  if (length != 65 * (u64)threshold) FAIL(WRONG_ATTESTATION_LENGTH, "cctp: wrong length of the attestation");
  SCRATCH->hashed.at = message;
  SCRATCH->hashed.length = bytes;
  if (sol_keccak256(&SCRATCH->hashed, 1, SCRATCH->hash)) FAIL(ENVIRONMENT, "cctp: no hash");
  for (u32 index = 0; index < threshold; index++) {
    const u8 *one = attestation + 65 * index;
    sol_memcpy_(SCRATCH->signature, one, 65);
    u8 recovery = SCRATCH->signature[64];
    if (recovery < 27 || recovery > 30) FAIL(WRONG_RECOVERY_ID, "cctp: wrong recovery id");
    if (sol_secp256k1_recover(SCRATCH->hash, recovery - 27, SCRATCH->signature, SCRATCH->point)) FAIL(WRONG_ATTESTER, "cctp: no attester has signed");
    SCRATCH->hashed.at = SCRATCH->point;
    SCRATCH->hashed.length = 64;
    if (sol_keccak256(&SCRATCH->hashed, 1, SCRATCH->attester)) FAIL(ENVIRONMENT, "cctp: no hash");
    sol_memcpy_(SCRATCH->attester, SCRATCH->zero, 12);
    if (!isAbove(SCRATCH->attester, SCRATCH->last)) FAIL(WRONG_ORDER, "cctp: wrong order of the signatures");
    int isEnabled = 0;
    for (u32 at = 0; at < enabled; at++) isEnabled |= same(state + 153 + 32 * (u64)at, SCRATCH->attester);
    if (!isEnabled) FAIL(WRONG_ATTESTER, "cctp: the signer is not an attester");
    sol_memcpy_(SCRATCH->last, SCRATCH->attester, 32);
  }
  return 0;
}

INLINE u64 openNonce(Account *accounts, const u8 *nonce, u8 *program, u64 count) {
  Account *payer = &accounts[0], *used = &accounts[4];
  setSeed(0, "used_nonce", 10);
  setSeed(1, nonce, 32);
  if (findAddress(2, program) || !same(used->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong account of the nonce");
  write32(SCRATCH->data, 0);
  write64(SCRATCH->data + 4, rentFor(9));
  write64(SCRATCH->data + 12, 9);
  sol_memcpy_(SCRATCH->data + 20, program, 32);
  setMeta(0, payer->key, 1, 1);
  setMeta(1, used->key, 1, 1);
  return call(accounts[6].key, 2, 52, count, 1);
}

INLINE u64 receiveMessage(Account *accounts, const u8 *data, u64 length, u8 *program, u64 count) {
  Account *state = &accounts[3], *receiver = &accounts[5];
  if (count < 10) FAIL(NOT_ENOUGH_ACCOUNTS, "cctp: a mint needs more accounts");
  if (length < 16) FAIL(BAD_DATA, "cctp: bad data of a mint");
  u64 bytes = read32(data + 8);
  const u8 *message = data + 12;
  if (bytes != MESSAGE_BYTES || length < 16 + bytes) FAIL(TOO_SHORT, "cctp: not a message of a burn");
  u64 signed_ = read32(message + bytes);
  if (length != 16 + bytes + signed_) FAIL(BAD_DATA, "cctp: bad attestation");
  if (!accounts[0].signer || !accounts[1].signer) FAIL(NOT_SIGNED, "cctp: payer or caller has not signed");
  u64 failed = openNonce(accounts, message + 12, program, count);
  if (failed) return failed;
  if (!isState(state, program, MESSAGE_TRANSMITTER, 153)) FAIL(NOT_INITIALIZED, "cctp: no transmitter");
  if (state->data[136]) FAIL(PAUSED, "cctp: the transmitter is paused");
  if (readBig32(message) != read32(state->data + 141)) FAIL(WRONG_VERSION, "cctp: wrong version of the message");
  failed = verify(state->data, message, bytes, message + bytes + 4, signed_);
  if (failed) return failed;
  if (readBig32(message + 8) != read32(state->data + 137)) FAIL(WRONG_DESTINATION, "cctp: another destination");
  if (!isNothing(message + 108) && !same(message + 108, accounts[1].key)) FAIL(WRONG_CALLER, "cctp: another caller");
  if (!same(message + 76, receiver->key)) FAIL(WRONG_RECEIVER, "cctp: another receiver");
  write64(accounts[4].data, USED_NONCE);
  accounts[4].data[8] = 1;

  u8 *out = SCRATCH->data;
  u32 finality = readBig32(message + 144);
  write64(out, finality < 2000 ? HANDLE_UNFINALIZED : HANDLE_FINALIZED);
  write32(out + 8, readBig32(message + 4));
  sol_memcpy_(out + 12, message + 44, 32);
  write32(out + 44, finality);
  write32(out + 48, BODY_BYTES);
  sol_memcpy_(out + 52, message + HEADER_BYTES, BODY_BYTES);
  setSeed(0, "message_transmitter_authority", 29);
  setSeed(1, receiver->key, 32);
  if (findAddress(2, program) || !same(accounts[2].key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong authority of the receiver");
  out[52 + BODY_BYTES] = SCRATCH->bump[0];
  setMeta(0, accounts[2].key, 0, 1);
  for (u64 index = 9; index < count; index++) setMeta(index - 8, accounts[index].key, accounts[index].writable, accounts[index].signer);
  failed = call(receiver->key, count - 8, 53 + BODY_BYTES, count, 1);
  if (failed) return failed;

  write64(out + 8, RECEIVED);
  sol_memcpy_(out + 16, accounts[1].key, 32);
  write32(out + 48, readBig32(message + 4));
  sol_memcpy_(out + 52, message + 12, 64); // the nonce and the sender follow each other in both layouts
  write32(out + 116, finality);
  write32(out + 120, BODY_BYTES);
  sol_memcpy_(out + 124, message + HEADER_BYTES, BODY_BYTES);
  return emit(&accounts[7], program, 124 + BODY_BYTES, count);
}

// The token program's transfer from the custody, which the minter signs.
INLINE u64 payOut(Account *accounts, Account *to, u64 amount, u8 *program, u64 count) {
  SCRATCH->data[0] = 3;
  write64(SCRATCH->data + 1, amount);
  setSeed(0, "token_minter", 12);
  if (findAddress(1, program) || !same(accounts[3].key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong minter");
  setMeta(0, accounts[8].key, 1, 0);
  setMeta(1, to->key, 1, 0);
  setMeta(2, accounts[3].key, 0, 1);
  return call(accounts[9].key, 3, 9, count, 1);
}

INLINE u64 handleMessage(Account *accounts, const u8 *data, u64 length, u8 *program, u64 count) {
  Account *messenger = &accounts[1], *remote = &accounts[2], *minter = &accounts[3], *local = &accounts[4], *pair = &accounts[5];
  Account *feeAccount = &accounts[6], *to = &accounts[7], *custody = &accounts[8];
  const u8 *token = accounts[9].key, *body = data + 52;
  if (count != 12) FAIL(NOT_ENOUGH_ACCOUNTS, "cctp: a receiver needs twelve accounts");
  if (length != 53 + BODY_BYTES || read32(data + 48) != BODY_BYTES) FAIL(WRONG_BODY, "cctp: not a body of a burn");
  if (!accounts[0].signer) FAIL(NOT_SIGNED, "cctp: the transmitter has not signed");
  if (!isState(messenger, program, TOKEN_MESSENGER, 177) || !isState(local, program, LOCAL_TOKEN, 130)) FAIL(NOT_INITIALIZED, "cctp: no messenger or token");
  if (!isState(remote, program, REMOTE_TOKEN_MESSENGER, 44) || !isState(pair, program, TOKEN_PAIR, 77)) FAIL(NOT_INITIALIZED, "cctp: no remote messenger or pair");
  if (read32(remote->data + 8) != read32(data + 8)) FAIL(WRONG_DOMAIN, "cctp: remote messenger of another domain");
  if (read32(data + 44) < 500) FAIL(WRONG_FINALITY, "cctp: finality below the least one");
  if (!same(data + 12, remote->data + 12)) FAIL(WRONG_TOKEN_MESSENGER, "cctp: another messenger");
  if (readBig32(body) != read32(messenger->data + 104)) FAIL(WRONG_BODY_VERSION, "cctp: wrong version of the body");
  setSeed(0, "token_pair", 10);
  setSeed(1, SCRATCH->text, writeDomain(read32(data + 8)));
  setSeed(2, body + 4, 32);
  if (findAddress(3, program) || !same(pair->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "cctp: wrong pair");
  if (!same(pair->data + 44, local->key)) FAIL(WRONG_PAIR, "cctp: pair of another token");
  if (!isTokenAccount(to, token)) FAIL(NOT_INITIALIZED, "cctp: the recipient is no token account");
  if (!same(to->data, local->data + 40) || !same(custody->key, local->data + 8)) FAIL(WRONG_MINT, "cctp: account of another mint");
  if (!isTokenAccount(feeAccount, token) || !same(feeAccount->data + 32, messenger->data + 109)) FAIL(WRONG_OWNER, "cctp: wrong account of fees");
  u64 amount = readWord(body + 68), maxFee = readWord(body + 132), fee = readWord(body + 164), expiry = readWord(body + 196);
  if (sol_get_clock_sysvar(&SCRATCH->clock)) FAIL(ENVIRONMENT, "cctp: no clock");
  if (expiry != 0 && expiry <= SCRATCH->clock.slot) FAIL(EXPIRED, "cctp: the message has expired");
  if (fee >= amount) FAIL(FEE_ABOVE_AMOUNT, "cctp: the fee exceeds the amount");
  if (fee > maxFee) FAIL(FEE_ABOVE_MAX, "cctp: the fee exceeds the highest one");
  if (!same(to->key, body + 36)) FAIL(WRONG_RECIPIENT, "cctp: another recipient");
  if (minter->data[72]) FAIL(MINTER_PAUSED, "cctp: the minter is paused");
  u64 failed = 0;
  if (fee > 0) failed = payOut(accounts, feeAccount, fee, program, count);
  if (failed) return failed;
  failed = payOut(accounts, to, amount - fee, program, count);
  if (failed) return failed;
  u8 *out = SCRATCH->data;
  write64(out + 8, MINTED);
  sol_memcpy_(out + 16, to->key, 32);
  write64(out + 48, amount - fee);
  sol_memcpy_(out + 56, local->data + 40, 32);
  write64(out + 88, fee);
  return emit(&accounts[10], program, 96, count);
}

INLINE u64 invoke(Account *accounts, const u8 *data, u64 length, u8 *program, u64 count) {
  u64 seeds = data[8], at = 9;
  if (seeds > 4) FAIL(BAD_DATA, "cctp: too many seeds");
  for (u64 index = 0; index < seeds; index++) {
    setSeed(index, data + at + 1, data[at]);
    at += 1 + data[at];
  }
  if (findAddress(seeds, program)) FAIL(WRONG_SEEDS, "cctp: no address");
  for (u64 index = 1; index < count; index++) {
    Account *account = &accounts[index];
    setMeta(index - 1, account->key, account->writable, account->signer || same(account->key, SCRATCH->key));
  }
  sol_memcpy_(SCRATCH->data, data + at, length - at);
  return call(accounts[0].key, count - 1, length - at, count, 1);
}

u64 entrypoint(u8 *input) {
  u64 count = *(u64 *)input;
  Account *accounts = ACCOUNTS;
  u8 *at = input + 8;
  if (count < 1 || count > MAX_ACCOUNTS) FAIL(NOT_ENOUGH_ACCOUNTS, "cctp: one to twenty-four accounts are needed");
  for (u64 index = 0; index < count; index++) at = readAccount(at, accounts, index);

  u64 length = *(u64 *)at;
  u8 *data = at + 8, *program = data + length;
  if (length < 9) FAIL(NO_INSTRUCTION, "cctp: no instruction");
  u64 instruction = read64(data);
  if (instruction == EVENT_CALL) return accounts[0].signer ? 0 : NOT_SIGNED;
  if (instruction == DEPOSIT_FOR_BURN) return depositForBurn(accounts, data, length, program, count);
  if (instruction == SEND_MESSAGE) return sendMessage(accounts, data, length, program, count);
  if (instruction == RECEIVE_MESSAGE) return receiveMessage(accounts, data, length, program, count);
  if (instruction == HANDLE_FINALIZED || instruction == HANDLE_UNFINALIZED) return handleMessage(accounts, data, length, program, count);
  if (instruction == STAND_IN_INVOKE) return invoke(accounts, data, length, program, count);
  if (instruction == STAND_IN_WRITE && same(accounts[0].owner, program) && length - 8 <= accounts[0].dataLength) {
    sol_memcpy_(accounts[0].data, data + 8, length - 8);
    return 0;
  }
  FAIL(NO_INSTRUCTION, "cctp: unknown instruction");
}
