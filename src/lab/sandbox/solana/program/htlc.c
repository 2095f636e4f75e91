// A hash-time-locked contract for native SOL on the Solana VM: one translation unit, no SDK.
//
// It keeps the public interface of the native-SOL HTLC that live deployments use (field notes, Solana): the same instruction
// data, accounts, state and PDA seeds, so that a client written against the one speaks to the other.
//
//   initiate  disc | amount u64 | slots u64 | redeemer 32 | secret hash 32   [PDA w, initiator w signer, system program]
//   redeem    disc | secret 32                                               [PDA w, initiator w, redeemer w]   anyone
//   refund    disc                                                           [PDA w, initiator w]               anyone, once expired
//   instant_refund  disc                                                     [PDA w, initiator w, redeemer signer]
//
// A discriminator is the first eight bytes of sha256("global:<instruction>"), as Anchor forms it. Numbers are little-endian. Each
// call logs the event that the published interface names.
// The PDA of ["swap_account", initiator, secret hash] is both the record and the vault: it holds rent + amount.
//
// Paying out closes the account, which returns the rent to the initiator and leaves no trace in the state. The same initiator
// could then lock the same hash again; the live program behaves the same, and the service never uses a hash twice.

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

// Where the VM maps 32 KiB of zeroed memory. The accounts live there because the compiler allows a stack of 512 bytes only.
#define HEAP ((Account *)0x300000000ULL)
#define EVENT ((u8 *)(0x300000000ULL + 1024))

// What the PDA stores, 120 bytes.
typedef struct {
  u64 discriminator;
  u64 amount;
  u64 expirySlot;
  u8 initiator[32];
  u8 redeemer[32];
  u8 secretHash[32];
} Swap;

typedef struct { u64 discriminator; u64 amount; u64 slots; u8 redeemer[32]; u8 secretHash[32]; } InitiateData;
typedef struct { u64 discriminator; u8 secret[32]; } RedeemData;

// The system program's instructions, packed to their wire length.
typedef struct { u32 tag; u64 lamports; } __attribute__((packed)) TransferData;
typedef struct { u32 tag; u64 space; } __attribute__((packed)) AllocateData;
typedef struct { u32 tag; u8 owner[32]; } __attribute__((packed)) AssignData;

extern u64 sol_log_(const char *text, u64 length);
extern u64 sol_log_data(const Slice *slices, u64 count);
extern u64 sol_memcpy_(void *to, const void *from, u64 length);
extern u64 sol_memcmp_(const void *a, const void *b, u64 length, int *result);
extern u64 sol_sha256(const Slice *slices, u64 count, u8 *out);
extern u64 sol_get_clock_sysvar(Clock *out);
extern u64 sol_get_rent_sysvar(Rent *out);
extern u64 sol_try_find_program_address(const Slice *seeds, u64 count, const u8 *program, u8 *address, u8 *bump);
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

// The first four are the live program's codes.
#define WRONG_INITIATOR 6000
#define WRONG_REDEEMER 6001
#define WRONG_SECRET 6002
#define TOO_EARLY 6003
#define BAD_CALL 6100
#define BAD_TERMS 6101
#define ALREADY_INITIATED 6102
#define NOT_INITIATED 6103
#define ENVIRONMENT 6104

INLINE int same(const void *a, const void *b) {
  int difference = 1;
  sol_memcmp_(a, b, 32, &difference);
  return difference == 0;
}

INLINE void emit(u64 discriminator, u64 length) {
  *(u64 *)EVENT = discriminator;
  Slice event = {EVENT, length};
  sol_log_data(&event, 1);
}

// Reads one account of the loader's input and returns what follows it, or 0 for a repeated account.
INLINE u8 *readAccount(u8 *at, Account *account) {
  if (*at != 0xff) return 0;
  account->signer = at[1];
  account->writable = at[2];
  account->executable = at[3];
  account->key = at + 8;
  account->owner = at + 40;
  account->lamports = (u64 *)(at + 72);
  account->dataLength = *(u64 *)(at + 80);
  account->data = at + 88;
  at += 88 + ((account->dataLength + 10240 + 7) & ~7ULL); // 10240: the room that the loader leaves for growth
  account->rentEpoch = *(u64 *)at;
  return at + 8;
}

// The lamports that keep an account of this size alive. The threshold is an f64 and the VM has no floating point: it is 2.0,
// or 1.0 where the price already includes it (SIMD-0194); anything else gives 0.
INLINE u64 rentFor(u64 bytes) {
  Rent rent;
  if (sol_get_rent_sysvar(&rent)) return 0;
  u64 perByte = rent.lamportsPerByteYear;
  if (rent.exemptionThresholdBits == 0x4000000000000000ULL) perByte *= 2;
  else if (rent.exemptionThresholdBits != 0x3ff0000000000000ULL) return 0;
  return (bytes + 128) * perByte;
}

// Transfer, allocate, assign instead of the one createAccount: that one fails where somebody has sent the PDA a lamport before.
INLINE u64 createVault(Account *accounts, u8 *program, u64 lamports, const Signer *asVault) {
  AccountMeta metas[2] = {{accounts[1].key, 1, 1}, {accounts[0].key, 1, 0}};
  TransferData transfer = {2, lamports};
  Instruction call = {accounts[2].key, metas, 2, &transfer, sizeof transfer};
  u64 failed = sol_invoke_signed_c(&call, accounts, 3, 0, 0);
  if (failed) return failed;

  AccountMeta vault = {accounts[0].key, 1, 1};
  AllocateData allocate = {8, sizeof(Swap)};
  Instruction grow = {accounts[2].key, &vault, 1, &allocate, sizeof allocate};
  failed = sol_invoke_signed_c(&grow, accounts, 3, asVault, 1);
  if (failed) return failed;

  AssignData assign;
  assign.tag = 1;
  sol_memcpy_(assign.owner, program, 32);
  Instruction own = {accounts[2].key, &vault, 1, &assign, sizeof assign};
  return sol_invoke_signed_c(&own, accounts, 3, asVault, 1);
}

INLINE u64 initiate(Account *accounts, const InitiateData *data, u8 *program) {
  Account *vault = &accounts[0], *initiator = &accounts[1], *system = &accounts[2];
  u8 key[32] = {0}, bump = 0;
  if (!same(system->key, key)) FAIL(BAD_CALL, "htlc: third account is not the system program");
  if (!initiator->signer) FAIL(WRONG_INITIATOR, "htlc: initiator has not signed");

  Slice seeds[4] = {{"swap_account", 12}, {initiator->key, 32}, {data->secretHash, 32}, {&bump, 1}};
  if (sol_try_find_program_address(seeds, 3, program, key, &bump)) FAIL(ENVIRONMENT, "htlc: no program address");
  if (!same(vault->key, key)) FAIL(BAD_CALL, "htlc: first account is not the swap account of this initiator and hash");
  if (same(vault->owner, program)) FAIL(ALREADY_INITIATED, "htlc: already initiated");

  Clock clock;
  u64 rent = rentFor(sizeof(Swap));
  if (rent == 0 || sol_get_clock_sysvar(&clock)) FAIL(ENVIRONMENT, "htlc: no rent or clock");
  u64 expirySlot = clock.slot + data->slots;
  u64 lamports = data->amount + (*vault->lamports < rent ? rent - *vault->lamports : 0);
  if (data->amount == 0 || data->slots == 0 || expirySlot < data->slots || lamports < data->amount) FAIL(BAD_TERMS, "htlc: bad amount or slots");
  if (same(data->redeemer, initiator->key)) FAIL(BAD_TERMS, "htlc: redeemer is the initiator");

  Signer asVault = {seeds, 4};
  u64 failed = createVault(accounts, program, lamports, &asVault);
  if (failed) return failed;

  Swap *swap = (Swap *)vault->data;
  swap->discriminator = SWAP_ACCOUNT;
  swap->amount = data->amount;
  swap->expirySlot = expirySlot;
  sol_memcpy_(swap->initiator, initiator->key, 32);
  sol_memcpy_(swap->redeemer, data->redeemer, 64); // the secret hash follows in both layouts

  sol_memcpy_(EVENT + 8, &data->amount, 16); // the slots follow
  sol_memcpy_(EVENT + 24, initiator->key, 32);
  sol_memcpy_(EVENT + 56, data->redeemer, 64);
  emit(INITIATED, 120);
  return 0;
}

// `proof` is the secret of a redeem, the secret hash of a refund.
INLINE void emitEnd(u64 discriminator, const Swap *swap, const u8 *proof) {
  sol_memcpy_(EVENT + 8, swap->initiator, 32);
  sol_memcpy_(EVENT + 40, proof, 32);
  emit(discriminator, 72);
}

INLINE u64 settle(Account *vault, Account *initiator, Account *payee) {
  Swap *swap = (Swap *)vault->data;
  *payee->lamports += swap->amount;
  *initiator->lamports += *vault->lamports - swap->amount;
  *vault->lamports = 0;
  swap->discriminator = 0; // the account lives on until the transaction ends: nothing may be paid twice from it
  return 0;
}

INLINE u64 redeem(Account *accounts, const RedeemData *data) {
  Swap *swap = (Swap *)accounts[0].data;
  if (!same(accounts[2].key, swap->redeemer)) FAIL(WRONG_REDEEMER, "htlc: wrong redeemer");
  u8 hash[32];
  Slice secret = {data->secret, 32};
  if (sol_sha256(&secret, 1, hash) || !same(hash, swap->secretHash)) FAIL(WRONG_SECRET, "htlc: wrong secret");
  emitEnd(REDEEMED, swap, data->secret);
  return settle(&accounts[0], &accounts[1], &accounts[2]);
}

INLINE u64 refund(Account *accounts) {
  Clock clock;
  if (sol_get_clock_sysvar(&clock)) FAIL(ENVIRONMENT, "htlc: no clock");
  if (clock.slot <= ((Swap *)accounts[0].data)->expirySlot) FAIL(TOO_EARLY, "htlc: refund before expiry");
  emitEnd(REFUNDED, (Swap *)accounts[0].data, ((Swap *)accounts[0].data)->secretHash);
  return settle(&accounts[0], &accounts[1], &accounts[1]);
}

INLINE u64 instantRefund(Account *accounts) {
  Swap *swap = (Swap *)accounts[0].data;
  if (!accounts[2].signer || !same(accounts[2].key, swap->redeemer)) FAIL(WRONG_REDEEMER, "htlc: redeemer has not signed");
  emitEnd(INSTANT_REFUNDED, swap, swap->secretHash);
  return settle(&accounts[0], &accounts[1], &accounts[1]);
}

u64 entrypoint(u8 *input) {
  u64 count = *(u64 *)input;
  Account *accounts = HEAP;
  u8 *at = input + 8;
  if (count < 2 || count > 3) FAIL(BAD_CALL, "htlc: two or three accounts are needed");
  if (!(at = readAccount(at, &accounts[0])) || !(at = readAccount(at, &accounts[1]))) FAIL(BAD_CALL, "htlc: repeated account");
  if (count == 3 && !(at = readAccount(at, &accounts[2]))) FAIL(BAD_CALL, "htlc: repeated account");

  u64 length = *(u64 *)at;
  u8 *data = at + 8, *program = data + length;
  if (length < 8) FAIL(BAD_CALL, "htlc: no instruction");
  u64 instruction = *(u64 *)data;
  if (instruction == INITIATE && length == sizeof(InitiateData) && count == 3) return initiate(accounts, (const InitiateData *)data, program);

  Swap *swap = (Swap *)accounts[0].data;
  if (!same(accounts[0].owner, program) || accounts[0].dataLength != sizeof(Swap) || swap->discriminator != SWAP_ACCOUNT) FAIL(NOT_INITIATED, "htlc: not initiated");
  if (!same(accounts[1].key, swap->initiator)) FAIL(WRONG_INITIATOR, "htlc: wrong initiator");
  if (instruction == REDEEM && length == sizeof(RedeemData) && count == 3) return redeem(accounts, (const RedeemData *)data);
  if (instruction == REFUND && length == 8 && count == 2) return refund(accounts);
  if (instruction == INSTANT_REFUND && length == 8 && count == 3) return instantRefund(accounts);
  FAIL(BAD_CALL, "htlc: unknown instruction");
}
