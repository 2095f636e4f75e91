// A hash-time-locked contract for SPL tokens on the Solana VM: one translation unit, no SDK.
//
// It keeps the interface that live deployments publish (the program's Anchor interface description, version 0.4.0): the same
// discriminators, instruction data, accounts, PDA seeds, state, events and error codes.
//
//   initiate        disc | slots u64 | redeemer 32 | secret hash 32 | amount u64 | destination data Option<bytes>
//                   [identity w, swap data w, vault w, initiator signer, initiator's token account w, mint, sponsor w signer,
//                    token program, system program]
//   redeem          disc | secret 32   [identity, swap data w, vault w, redeemer's token account w, sponsor w, token program]
//   refund          disc               [identity, swap data w, vault w, initiator's token account w, sponsor w, token program]
//   instant_refund  disc               [identity, swap data w, vault w, initiator's token account w, redeemer w signer, sponsor w,
//                                       token program]
//
// PDA seeds: identity [], swap data [initiator, secret hash], vault [mint]. Numbers are little-endian. The vault is one token
// account per mint; the identity is its authority. Both are created by the first initiate and stay. Paying out closes the swap
// data, and its rent returns to the sponsor.

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
#define MAX_ACCOUNTS 9
#define HEAP 0x300000000ULL
#define ACCOUNTS ((Account *)HEAP)
#define SCRATCH ((Scratch *)(HEAP + 1024))

typedef struct {
  AccountMeta metas[3];
  Signer signer;
  Slice seeds[4];
  Slice log;
  u8 bump, identityBump;
  u8 key[32];
  u8 data[64];
  u8 event[2048];
} Scratch;

// The state of one swap, 153 bytes. The last field is not aligned.
typedef struct {
  u64 discriminator;
  u64 expirySlot;
  u8 initiator[32];
  u8 redeemer[32];
  u8 secretHash[32];
  u64 amount;
  u8 identityBump;
  u8 sponsor[32];
} __attribute__((packed)) Swap;

typedef struct { u64 discriminator; u64 slots; u8 redeemer[32]; u8 secretHash[32]; u64 amount; u8 hasData; } __attribute__((packed)) InitiateData;
typedef struct { u64 discriminator; u8 secret[32]; } RedeemData;

extern u64 sol_log_(const char *text, u64 length);
extern u64 sol_log_data(const Slice *slices, u64 count);
extern u64 sol_memcpy_(void *to, const void *from, u64 length);
extern u64 sol_memcmp_(const void *a, const void *b, u64 length, int *result);
extern u64 sol_sha256(const Slice *slices, u64 count, u8 *out);
extern u64 sol_get_clock_sysvar(Clock *out);
extern u64 sol_get_rent_sysvar(Rent *out);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 count, const u8 *program, u8 *address, u8 *bump);
extern u64 sol_create_program_address(const Slice *seeds, u64 count, const u8 *program, u8 *address);
extern u64 sol_invoke_signed_c(const Instruction *, const Account *, u64 accountCount, const Signer *, u64 signerCount);

// First eight bytes of sha256("global:<instruction>"), sha256("account:SwapAccount") and sha256("event:<event>").
#define INITIATE 0x0e944b99717b3f05ULL
#define REDEEM 0xe161c44695560cb8ULL
#define REFUND 0x2e2ed03ffbb76002ULL
#define INSTANT_REFUND 0xfb3b93b72967cad3ULL
#define SWAP_ACCOUNT 0xb669c50e0e097e35ULL
#define INITIATED 0xddcf3c435bd46c06ULL
#define REDEEMED 0x266ba51f47b71d0eULL
#define REFUNDED 0x63dd7bc4f6956723ULL
#define INSTANT_REFUNDED 0x19dae8b7cf1232dcULL

// The program's own codes, then Anchor's codes for the same checks.
#define WRONG_REDEEMER 6000
#define WRONG_SECRET 6001
#define WRONG_SPONSOR 6002
#define TOO_EARLY 6003
#define NO_INSTRUCTION 101
#define BAD_DATA 102
#define WRONG_SEEDS 2006
#define WRONG_MINT 2014
#define WRONG_OWNER 2015
#define NOT_ENOUGH_ACCOUNTS 3005
#define WRONG_PROGRAM 3008
#define NOT_SIGNED 3010
#define NOT_INITIATED 3012
#define ENVIRONMENT 6104
// Custom error 0, the system program's answer for an account that exists.
#define ALREADY_INITIATED (1ULL << 32)

#define VAULT_BYTES 165
#define ROOM 10240

INLINE int same(const void *a, const void *b) {
  int difference = 1;
  sol_memcmp_(a, b, 32, &difference);
  return difference == 0;
}

INLINE int isSystem(const u8 *key) {
  u8 zero[32] = {0};
  return same(key, zero);
}

// The address of the SPL Token program, as eight-byte words.
INLINE int isTokenProgram(const u8 *key) {
  const u64 *word = (const u64 *)key;
  return word[0] == 0x93a165d7e1f6dd06ULL && word[1] == 0xac79ebce46e1cbd9ULL && word[2] == 0x91375b5fed85b41cULL && word[3] == 0xa900ff7e85f58c3aULL;
}

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

// The lamports that keep an account of this size alive. The threshold is an f64: 2.0, or 1.0 where the price already includes it.
INLINE u64 rentFor(u64 bytes) {
  Rent rent;
  if (sol_get_rent_sysvar(&rent)) return 0;
  u64 perByte = rent.lamportsPerByteYear;
  if (rent.exemptionThresholdBits == 0x4000000000000000ULL) perByte *= 2;
  else if (rent.exemptionThresholdBits != 0x3ff0000000000000ULL) return 0;
  return (bytes + 128) * perByte;
}

INLINE u64 call(const u8 *program, u64 metaCount, u64 dataLength, const Account *accounts, u64 accountCount, u64 signerCount) {
  Instruction instruction = {program, SCRATCH->metas, metaCount, SCRATCH->data, dataLength};
  return sol_invoke_signed_c(&instruction, accounts, accountCount, &SCRATCH->signer, signerCount);
}

INLINE void setMeta(u64 index, u8 *key, u8 writable, u8 signer) {
  AccountMeta meta = {key, writable, signer};
  SCRATCH->metas[index] = meta;
}

// Creates `account` for `owner`; the signer in the scratch must be its own PDA. Transfer, allocate and assign, because one
// createAccount fails where somebody has sent the PDA a lamport before.
static __attribute__((always_inline)) u64 createAccount(Account *accounts, Account *account, Account *payer, const u8 *system, u64 bytes, const u8 *owner) {
  u64 rent = rentFor(bytes);
  if (rent == 0) FAIL(ENVIRONMENT, "spl htlc: no rent");
  u64 failed = 0;
  if (*account->lamports < rent) {
    *(u32 *)SCRATCH->data = 2;
    u64 lamports = rent - *account->lamports;
    sol_memcpy_(SCRATCH->data + 4, &lamports, 8);
    setMeta(0, payer->key, 1, 1);
    setMeta(1, account->key, 1, 0);
    failed = call(system, 2, 12, accounts, MAX_ACCOUNTS, 0);
    if (failed) return failed;
  }
  setMeta(0, account->key, 1, 1);
  *(u32 *)SCRATCH->data = 8;
  sol_memcpy_(SCRATCH->data + 4, &bytes, 8);
  failed = call(system, 1, 12, accounts, MAX_ACCOUNTS, 1);
  if (failed) return failed;
  *(u32 *)SCRATCH->data = 1;
  sol_memcpy_(SCRATCH->data + 4, owner, 32);
  return call(system, 1, 36, accounts, MAX_ACCOUNTS, 1);
}

INLINE void setSeeds(u64 count) {
  SCRATCH->signer.seeds = SCRATCH->seeds;
  SCRATCH->signer.count = count;
}

INLINE void setSeed(u64 index, const void *at, u64 length) {
  Slice seed = {at, length};
  SCRATCH->seeds[index] = seed;
}

// The token program's transfer of `amount` between two accounts.
INLINE u64 transfer(Account *accounts, u64 count, u8 *from, u8 *to, u8 *authority, const u8 *program, u64 amount, u64 signerCount) {
  SCRATCH->data[0] = 3;
  sol_memcpy_(SCRATCH->data + 1, &amount, 8);
  setMeta(0, from, 1, 0);
  setMeta(1, to, 1, 0);
  setMeta(2, authority, 0, 1);
  return call(program, 3, 9, accounts, count, signerCount);
}

INLINE void emit(u64 length) {
  SCRATCH->log.at = SCRATCH->event;
  SCRATCH->log.length = length;
  sol_log_data(&SCRATCH->log, 1);
}

INLINE u64 initiate(Account *accounts, const u8 *raw, u64 length, u8 *program) {
  const InitiateData *data = (const InitiateData *)raw;
  Account *identity = &accounts[0], *swapData = &accounts[1], *vault = &accounts[2], *initiator = &accounts[3], *from = &accounts[4];
  Account *mint = &accounts[5], *sponsor = &accounts[6], *token = &accounts[7], *system = &accounts[8];
  u64 extra = 0;
  if (data->hasData > 1) FAIL(BAD_DATA, "spl htlc: bad destination data");
  if (data->hasData == 1) {
    u32 bytes = 0;
    if (length < sizeof(InitiateData) + 4) FAIL(BAD_DATA, "spl htlc: bad destination data");
    sol_memcpy_(&bytes, raw + sizeof(InitiateData), 4);
    extra = 4 + (u64)bytes;
    if (extra > 1024 || length < sizeof(InitiateData) + extra) FAIL(BAD_DATA, "spl htlc: bad destination data");
  }
  if (!isTokenProgram(token->key)) FAIL(WRONG_PROGRAM, "spl htlc: not the token program");
  if (!isSystem(system->key)) FAIL(WRONG_PROGRAM, "spl htlc: not the system program");
  if (!initiator->signer || !sponsor->signer) FAIL(NOT_SIGNED, "spl htlc: initiator or sponsor has not signed");
  if (!same(mint->owner, token->key) || mint->dataLength != 82) FAIL(WRONG_MINT, "spl htlc: not a mint");
  if (!same(from->owner, token->key) || from->dataLength != VAULT_BYTES) FAIL(WRONG_OWNER, "spl htlc: not a token account");
  if (!same(from->data, mint->key)) FAIL(WRONG_MINT, "spl htlc: token account of another mint");
  if (!same(from->data + 32, initiator->key)) FAIL(WRONG_OWNER, "spl htlc: token account of another owner");

  // The identity, which signs for the vault.
  setSeed(0, &SCRATCH->identityBump, 1);
  if (sol_try_find_program_address(SCRATCH->seeds, 0, program, SCRATCH->key, &SCRATCH->identityBump)) FAIL(ENVIRONMENT, "spl htlc: no identity");
  if (!same(identity->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "spl htlc: wrong identity");
  setSeeds(1);
  u64 failed = 0;
  if (!same(identity->owner, program)) failed = createAccount(accounts, identity, sponsor, system->key, 0, program);
  if (failed) return failed;

  // The vault of this mint.
  setSeed(0, mint->key, 32);
  if (sol_try_find_program_address(SCRATCH->seeds, 1, program, SCRATCH->key, &SCRATCH->bump)) FAIL(ENVIRONMENT, "spl htlc: no vault");
  if (!same(vault->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "spl htlc: wrong vault");
  setSeed(1, &SCRATCH->bump, 1);
  setSeeds(2);
  if (!same(vault->owner, token->key)) {
    failed = createAccount(accounts, vault, sponsor, system->key, VAULT_BYTES, token->key);
    if (failed) return failed;
    SCRATCH->data[0] = 18; // InitializeAccount3
    sol_memcpy_(SCRATCH->data + 1, identity->key, 32);
    setMeta(0, vault->key, 1, 0);
    setMeta(1, mint->key, 0, 0);
    failed = call(token->key, 2, 33, accounts, MAX_ACCOUNTS, 0);
    if (failed) return failed;
  }

  // The state of this swap.
  setSeed(0, initiator->key, 32);
  setSeed(1, data->secretHash, 32);
  if (sol_try_find_program_address(SCRATCH->seeds, 2, program, SCRATCH->key, &SCRATCH->bump)) FAIL(ENVIRONMENT, "spl htlc: no swap data");
  if (!same(swapData->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "spl htlc: wrong swap data");
  if (same(swapData->owner, program)) FAIL(ALREADY_INITIATED, "spl htlc: already initiated");
  setSeed(2, &SCRATCH->bump, 1);
  setSeeds(3);
  failed = createAccount(accounts, swapData, sponsor, system->key, sizeof(Swap), program);
  if (failed) return failed;

  failed = transfer(accounts, MAX_ACCOUNTS, from->key, vault->key, initiator->key, token->key, data->amount, 0);
  if (failed) return failed;

  Clock clock;
  if (sol_get_clock_sysvar(&clock)) FAIL(ENVIRONMENT, "spl htlc: no clock");
  u64 expirySlot = clock.slot + data->slots;
  if (expirySlot < data->slots) FAIL(BAD_DATA, "spl htlc: the timelock overflows");
  Swap *swap = (Swap *)swapData->data;
  swap->discriminator = SWAP_ACCOUNT;
  swap->expirySlot = expirySlot;
  sol_memcpy_(swap->initiator, initiator->key, 32);
  sol_memcpy_(swap->redeemer, data->redeemer, 72); // the secret hash and the amount follow in both layouts
  swap->identityBump = SCRATCH->identityBump;
  sol_memcpy_(swap->sponsor, sponsor->key, 32);

  u8 *event = SCRATCH->event;
  *(u64 *)event = INITIATED;
  sol_memcpy_(event + 8, &data->amount, 8);
  sol_memcpy_(event + 16, &data->slots, 8);
  sol_memcpy_(event + 24, initiator->key, 32);
  sol_memcpy_(event + 56, mint->key, 32);
  sol_memcpy_(event + 88, data->redeemer, 64);
  event[152] = data->hasData;
  sol_memcpy_(event + 153, raw + sizeof(InitiateData), extra);
  emit(153 + extra);
  return 0;
}

// Pays the vault's tokens to `to` and closes the swap data for the sponsor.
INLINE u64 settle(Account *accounts, u64 count, Account *sponsor, u8 *program) {
  Account *identity = &accounts[0], *vault = &accounts[2], *to = &accounts[3];
  Swap *swap = (Swap *)accounts[1].data;
  const u8 *token = accounts[count - 1].key;
  if (!isTokenProgram(token)) FAIL(WRONG_PROGRAM, "spl htlc: not the token program");
  if (!same(sponsor->key, swap->sponsor)) FAIL(WRONG_SPONSOR, "spl htlc: wrong sponsor");
  SCRATCH->identityBump = swap->identityBump;
  setSeed(0, &SCRATCH->identityBump, 1);
  setSeeds(1);
  if (sol_create_program_address(SCRATCH->seeds, 1, program, SCRATCH->key) || !same(identity->key, SCRATCH->key)) FAIL(WRONG_SEEDS, "spl htlc: wrong identity");
  u64 failed = transfer(accounts, count, vault->key, to->key, identity->key, token, swap->amount, 1);
  if (failed) return failed;
  *sponsor->lamports += *accounts[1].lamports;
  *accounts[1].lamports = 0;
  swap->discriminator = 0; // the account lives on until the transaction ends: nothing may be paid twice from it
  return 0;
}

// The owner of a token account, or 0 if the account is none.
INLINE u8 *ownerOf(Account *account) {
  return isTokenProgram(account->owner) && account->dataLength == VAULT_BYTES ? account->data + 32 : 0;
}

INLINE u64 redeem(Account *accounts, u64 count, const RedeemData *data, u8 *program) {
  Swap *swap = (Swap *)accounts[1].data;
  u8 *owner = ownerOf(&accounts[3]);
  if (!owner || !same(owner, swap->redeemer)) FAIL(WRONG_REDEEMER, "spl htlc: wrong redeemer");
  Slice secret = {data->secret, 32};
  if (sol_sha256(&secret, 1, SCRATCH->key) || !same(SCRATCH->key, swap->secretHash)) FAIL(WRONG_SECRET, "spl htlc: wrong secret");
  u64 failed = settle(accounts, count, &accounts[4], program);
  if (failed) return failed;
  u8 *event = SCRATCH->event;
  *(u64 *)event = REDEEMED;
  sol_memcpy_(event + 8, swap->initiator, 32);
  sol_memcpy_(event + 40, data->secret, 32);
  emit(72);
  return 0;
}

INLINE u64 giveBack(Account *accounts, u64 count, Account *sponsor, u64 discriminator, u8 *program) {
  Swap *swap = (Swap *)accounts[1].data;
  u8 *owner = ownerOf(&accounts[3]);
  if (!owner || !same(owner, swap->initiator)) FAIL(WRONG_OWNER, "spl htlc: wrong initiator");
  u64 failed = settle(accounts, count, sponsor, program);
  if (failed) return failed;
  u8 *event = SCRATCH->event;
  *(u64 *)event = discriminator;
  sol_memcpy_(event + 8, swap->initiator, 32);
  sol_memcpy_(event + 40, swap->secretHash, 32);
  emit(72);
  return 0;
}

u64 entrypoint(u8 *input) {
  u64 count = *(u64 *)input;
  Account *accounts = ACCOUNTS;
  u8 *at = input + 8;
  if (count < 6 || count > MAX_ACCOUNTS) FAIL(NOT_ENOUGH_ACCOUNTS, "spl htlc: six to nine accounts are needed");
  for (u64 index = 0; index < count; index++) at = readAccount(at, accounts, index);

  u64 length = *(u64 *)at;
  u8 *data = at + 8, *program = data + length;
  if (length < 8) FAIL(NO_INSTRUCTION, "spl htlc: no instruction");
  u64 instruction = *(u64 *)data;
  if (instruction == INITIATE) {
    if (count != MAX_ACCOUNTS) FAIL(NOT_ENOUGH_ACCOUNTS, "spl htlc: initiate needs nine accounts");
    if (length < sizeof(InitiateData)) FAIL(BAD_DATA, "spl htlc: initiate needs more data");
    return initiate(accounts, data, length, program);
  }

  // The program id follows the data and may be unaligned, so the comparison goes through a system call.
  Swap *swap = (Swap *)accounts[1].data;
  if (!same(accounts[1].owner, program) || accounts[1].dataLength != sizeof(Swap) || swap->discriminator != SWAP_ACCOUNT) FAIL(NOT_INITIATED, "spl htlc: not initiated");
  if (instruction == REDEEM && length == sizeof(RedeemData) && count == 6) return redeem(accounts, count, (const RedeemData *)data, program);
  if (instruction == REFUND && count == 6) {
    Clock clock;
    if (sol_get_clock_sysvar(&clock)) FAIL(ENVIRONMENT, "spl htlc: no clock");
    if (clock.slot <= swap->expirySlot) FAIL(TOO_EARLY, "spl htlc: refund before expiry");
    return giveBack(accounts, count, &accounts[4], REFUNDED, program);
  }
  if (instruction == INSTANT_REFUND && count == 7) {
    if (!accounts[4].signer) FAIL(NOT_SIGNED, "spl htlc: redeemer has not signed");
    if (!same(accounts[4].key, swap->redeemer)) FAIL(WRONG_REDEEMER, "spl htlc: wrong redeemer");
    return giveBack(accounts, count, &accounts[5], INSTANT_REFUNDED, program);
  }
  FAIL(NO_INSTRUCTION, "spl htlc: unknown instruction");
}
