//! The hash-time-locked contract that the Starknet devnet simulates, one token per contract.
//!
//! The layout is that of the live contracts: the secret hash as two u128, and ids and signatures that name the contract.
//! `../htlc.ts` has the same entry points, refusals and events in TypeScript, and the older variants. `htlc-cairo.test.ts` runs this source in a real Cairo VM and
//! compares order ids, message hashes and refusals.

#[starknet::interface]
pub trait IERC20<T> {
    fn transfer(ref self: T, recipient: starknet::ContractAddress, amount: u256) -> bool;
    fn transfer_from(
        ref self: T, sender: starknet::ContractAddress, recipient: starknet::ContractAddress, amount: u256,
    ) -> bool;
}

#[starknet::interface]
pub trait ISRC6<T> {
    fn is_valid_signature(self: @T, hash: felt252, signature: Array<felt252>) -> felt252;
}

#[derive(Copy, Drop, Serde, starknet::Store)]
pub struct Order {
    /// The block of the redeem or refund; 0 while the order is open.
    pub fulfilled_at: u128,
    pub initiator: starknet::ContractAddress,
    /// Zero for an unknown order.
    pub redeemer: starknet::ContractAddress,
    pub initiated_at: u128,
    pub timelock: u128,
    pub amount: u256,
}

#[starknet::interface]
pub trait IHtlc<T> {
    fn token(self: @T) -> starknet::ContractAddress;
    fn get_order(self: @T, order_id: felt252) -> Order;
    fn initiate(
        ref self: T, redeemer: starknet::ContractAddress, timelock: u128, amount: u256, secret_hash: [u128; 2],
    );
    fn initiate_with_destination_data(
        ref self: T,
        redeemer: starknet::ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
        destination_data: Array<felt252>,
    );
    fn initiate_on_behalf(
        ref self: T,
        initiator: starknet::ContractAddress,
        redeemer: starknet::ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
    );
    fn initiate_on_behalf_with_destination_data(
        ref self: T,
        initiator: starknet::ContractAddress,
        redeemer: starknet::ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
        destination_data: Array<felt252>,
    );
    fn initiate_with_signature(
        ref self: T,
        initiator: starknet::ContractAddress,
        redeemer: starknet::ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
        signature: Array<felt252>,
    );
    fn redeem(ref self: T, order_id: felt252, secret: [u32; 8]);
    fn instant_refund(ref self: T, order_id: felt252, signature: Array<felt252>);
    fn refund(ref self: T, order_id: felt252);
}

#[starknet::contract]
pub mod Htlc {
    use core::poseidon::poseidon_hash_span;
    use core::sha256::compute_sha256_u32_array;
    use starknet::storage::{
        Map, StorageMapReadAccess, StorageMapWriteAccess, StoragePointerReadAccess, StoragePointerWriteAccess,
    };
    use starknet::{ContractAddress, get_block_number, get_caller_address, get_contract_address, get_tx_info};
    use super::{IERC20Dispatcher, IERC20DispatcherTrait, ISRC6Dispatcher, ISRC6DispatcherTrait, Order};

    const DOMAIN_TYPE: felt252 = selector!(
        "\"StarknetDomain\"(\"name\":\"shortstring\",\"version\":\"shortstring\",\"chainId\":\"shortstring\",\"revision\":\"shortstring\")",
    );
    const INITIATE_TYPE: felt252 = selector!(
        "\"Initiate\"(\"redeemer\":\"ContractAddress\",\"amount\":\"u256\",\"timelock\":\"u128\",\"secretHash\":\"u128*\",\"verifyingContract\":\"ContractAddress\")\"u256\"(\"low\":\"u128\",\"high\":\"u128\")",
    );
    const INSTANT_REFUND_TYPE: felt252 = selector!(
        "\"instantRefund\"(\"orderID\":\"felt\",\"verifyingContract\":\"ContractAddress\")",
    );
    const U256_TYPE: felt252 = selector!("\"u256\"(\"low\":\"u128\",\"high\":\"u128\")");

    #[storage]
    struct Storage {
        token: ContractAddress,
        orders: Map<felt252, Order>,
    }

    #[event]
    #[derive(Drop, starknet::Event)]
    enum Event {
        Initiated: Initiated,
        Redeemed: Redeemed,
        Refunded: Refunded,
        InitiatedWithDestinationData: InitiatedWithDestinationData,
    }

    #[derive(Drop, starknet::Event)]
    struct Initiated {
        #[key]
        order_id: felt252,
        secret_hash: [u128; 2],
        amount: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct InitiatedWithDestinationData {
        #[key]
        order_id: felt252,
        secret_hash: [u128; 2],
        amount: u256,
        destination_data: Array<felt252>,
    }

    #[derive(Drop, starknet::Event)]
    struct Redeemed {
        #[key]
        order_id: felt252,
        secret_hash: [u128; 2],
        secret: [u32; 8],
    }

    #[derive(Drop, starknet::Event)]
    struct Refunded {
        #[key]
        order_id: felt252,
    }

    #[constructor]
    fn constructor(ref self: ContractState, token: ContractAddress) {
        self.token.write(token);
    }

    #[abi(embed_v0)]
    impl Implementation of super::IHtlc<ContractState> {
        fn token(self: @ContractState) -> ContractAddress {
            self.token.read()
        }

        fn get_order(self: @ContractState, order_id: felt252) -> Order {
            self.orders.read(order_id)
        }

        fn initiate(
            ref self: ContractState, redeemer: ContractAddress, timelock: u128, amount: u256, secret_hash: [u128; 2],
        ) {
            let caller = get_caller_address();
            let order_id = lock(ref self, caller, caller, redeemer, timelock, amount, secret_hash);
            self.emit(Initiated { order_id, secret_hash, amount });
        }

        fn initiate_with_destination_data(
            ref self: ContractState,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u128; 2],
            destination_data: Array<felt252>,
        ) {
            let caller = get_caller_address();
            let order_id = lock(ref self, caller, caller, redeemer, timelock, amount, secret_hash);
            self.emit(InitiatedWithDestinationData { order_id, secret_hash, amount, destination_data });
        }

        fn initiate_on_behalf(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u128; 2],
        ) {
            let order_id = lock_on_behalf(ref self, initiator, redeemer, timelock, amount, secret_hash);
            self.emit(Initiated { order_id, secret_hash, amount });
        }

        fn initiate_on_behalf_with_destination_data(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u128; 2],
            destination_data: Array<felt252>,
        ) {
            let order_id = lock_on_behalf(ref self, initiator, redeemer, timelock, amount, secret_hash);
            self.emit(InitiatedWithDestinationData { order_id, secret_hash, amount, destination_data });
        }

        fn initiate_with_signature(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u128; 2],
            signature: Array<felt252>,
        ) {
            require_terms(initiator, redeemer, timelock, amount);
            let message = initiate_hash(redeemer, timelock, amount, secret_hash);
            assert!(is_signed(initiator, message, signature), "HTLC: invalid initiator signature");
            let order_id = lock(ref self, initiator, initiator, redeemer, timelock, amount, secret_hash);
            self.emit(Initiated { order_id, secret_hash, amount });
        }

        fn redeem(ref self: ContractState, order_id: felt252, secret: [u32; 8]) {
            let order = open_order(@self, order_id);
            let secret_hash = halves_of(compute_sha256_u32_array(array_of(secret), 0, 0));
            let derived = order_id_of(order.initiator, order.redeemer, order.timelock, order.amount, secret_hash);
            assert!(derived == order_id, "HTLC: incorrect secret");
            pay(ref self, order_id, order, order.redeemer);
            self.emit(Redeemed { order_id, secret_hash, secret });
        }

        fn refund(ref self: ContractState, order_id: felt252) {
            let order = open_order(@self, order_id);
            let passed: u128 = get_block_number().into() - order.initiated_at;
            assert!(passed > order.timelock, "HTLC: order not expired");
            pay(ref self, order_id, order, order.initiator);
            self.emit(Refunded { order_id });
        }

        fn instant_refund(ref self: ContractState, order_id: felt252, signature: Array<felt252>) {
            let order = open_order(@self, order_id);
            if get_caller_address() != order.redeemer {
                let message = poseidon_hash_span(
                    array![INSTANT_REFUND_TYPE, order_id, get_contract_address().into()].span(),
                );
                assert!(is_signed(order.redeemer, message, signature), "HTLC: invalid redeemer signature");
            }
            pay(ref self, order_id, order, order.initiator);
            self.emit(Refunded { order_id });
        }
    }

    fn require_terms(initiator: ContractAddress, redeemer: ContractAddress, timelock: u128, amount: u256) {
        assert!(!is_zero(redeemer), "HTLC: zero address redeemer");
        assert!(!is_zero(initiator), "HTLC: zero address initiator");
        assert!(timelock > 0, "HTLC: zero timelock");
        assert!(amount > 0, "HTLC: zero amount");
    }

    /// The caller pays for an order of another initiator, who gets the refund.
    fn lock_on_behalf(
        ref self: ContractState,
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
    ) -> felt252 {
        require_terms(initiator, redeemer, timelock, amount);
        let caller = get_caller_address();
        assert!(caller != redeemer, "HTLC: sender == redeemer");
        lock(ref self, caller, initiator, redeemer, timelock, amount, secret_hash)
    }

    fn lock(
        ref self: ContractState,
        funder: ContractAddress,
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
    ) -> felt252 {
        require_terms(initiator, redeemer, timelock, amount);
        assert!(initiator != redeemer, "HTLC: same initiator & redeemer");
        let order_id = order_id_of(initiator, redeemer, timelock, amount, secret_hash);
        assert!(is_zero(self.orders.read(order_id).redeemer), "HTLC: duplicate order");
        let initiated_at = get_block_number().into();
        self.orders.write(order_id, Order { fulfilled_at: 0, initiator, redeemer, initiated_at, timelock, amount });
        let token = IERC20Dispatcher { contract_address: self.token.read() };
        assert!(token.transfer_from(funder, get_contract_address(), amount), "ERC20: Transfer failed");
        order_id
    }

    fn open_order(self: @ContractState, order_id: felt252) -> Order {
        let order = self.orders.read(order_id);
        assert!(!is_zero(order.redeemer), "HTLC: order not initiated");
        assert!(order.fulfilled_at == 0, "HTLC: order fulfilled");
        order
    }

    /// Closes the order before the token is called.
    fn pay(ref self: ContractState, order_id: felt252, order: Order, to: ContractAddress) {
        self.orders.write(order_id, Order { fulfilled_at: get_block_number().into(), ..order });
        let token = IERC20Dispatcher { contract_address: self.token.read() };
        assert!(token.transfer(to, order.amount), "ERC20: Transfer failed");
    }

    fn is_zero(address: ContractAddress) -> bool {
        let felt: felt252 = address.into();
        felt == 0
    }

    pub fn order_id_of(
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u128; 2],
    ) -> felt252 {
        let mut felts = array![get_tx_info().unbox().chain_id];
        (secret_hash, initiator, redeemer, timelock, amount, get_contract_address()).serialize(ref felts);
        poseidon_hash_span(felts.span())
    }

    /// Eight big-endian words as two halves, the high one first.
    fn halves_of(words: [u32; 8]) -> [u128; 2] {
        let [a, b, c, d, e, f, g, h] = words;
        [half_of(a, b, c, d), half_of(e, f, g, h)]
    }

    fn half_of(a: u32, b: u32, c: u32, d: u32) -> u128 {
        let shift: u128 = 0x100000000;
        ((a.into() * shift + b.into()) * shift + c.into()) * shift + d.into()
    }

    fn array_of(words: [u32; 8]) -> Array<u32> {
        let [a, b, c, d, e, f, g, h] = words;
        array![a, b, c, d, e, f, g, h]
    }

    /// SNIP-12, revision 1. The domain's version is the short string '2'.
    pub fn signed_hash(signer: ContractAddress, message: felt252) -> felt252 {
        let chain_id = get_tx_info().unbox().chain_id;
        let domain = poseidon_hash_span(array![DOMAIN_TYPE, 'HTLC', '2', chain_id, 1].span());
        poseidon_hash_span(array!['StarkNet Message', domain, signer.into(), message].span())
    }

    fn is_signed(signer: ContractAddress, message: felt252, signature: Array<felt252>) -> bool {
        let hash = signed_hash(signer, message);
        let valid = ISRC6Dispatcher { contract_address: signer }.is_valid_signature(hash, signature);
        valid == starknet::VALIDATED || valid == 1
    }

    pub fn initiate_hash(redeemer: ContractAddress, timelock: u128, amount: u256, secret_hash: [u128; 2]) -> felt252 {
        let amount_hash = poseidon_hash_span(array![U256_TYPE, amount.low.into(), amount.high.into()].span());
        let mut halves = array![];
        secret_hash.serialize(ref halves);
        let contract = get_contract_address().into();
        let hash = poseidon_hash_span(halves.span());
        let message = array![INITIATE_TYPE, redeemer.into(), amount_hash, timelock.into(), hash, contract];
        poseidon_hash_span(message.span())
    }
}
