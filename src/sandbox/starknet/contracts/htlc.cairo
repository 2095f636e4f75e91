//! The hash-time-locked contract that the Starknet devnet simulates, one token per contract.
//!
//! `../htlc.ts` has the same entry points, refusals and events in TypeScript. `htlc-cairo.test.ts` runs this source in a real Cairo VM and
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
        ref self: T, redeemer: starknet::ContractAddress, timelock: u128, amount: u256, secret_hash: [u32; 8],
    );
    fn initiate_with_signature(
        ref self: T,
        initiator: starknet::ContractAddress,
        redeemer: starknet::ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
        signature: Array<felt252>,
    );
    fn redeem(ref self: T, order_id: felt252, secret: Array<u32>);
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
        "\"Initiate\"(\"redeemer\":\"ContractAddress\",\"amount\":\"u256\",\"timelock\":\"u128\",\"secretHash\":\"u128*\")\"u256\"(\"low\":\"u128\",\"high\":\"u128\")",
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
    }

    #[derive(Drop, starknet::Event)]
    struct Initiated {
        #[key]
        order_id: felt252,
        secret_hash: [u32; 8],
        amount: u256,
    }

    #[derive(Drop, starknet::Event)]
    struct Redeemed {
        #[key]
        order_id: felt252,
        secret_hash: [u32; 8],
        secret: Array<u32>,
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
            ref self: ContractState, redeemer: ContractAddress, timelock: u128, amount: u256, secret_hash: [u32; 8],
        ) {
            lock(ref self, get_caller_address(), redeemer, timelock, amount, secret_hash);
        }

        fn initiate_with_signature(
            ref self: ContractState,
            initiator: ContractAddress,
            redeemer: ContractAddress,
            timelock: u128,
            amount: u256,
            secret_hash: [u32; 8],
            signature: Array<felt252>,
        ) {
            let hash = message_hash(initiator, redeemer, timelock, amount, secret_hash);
            let account = ISRC6Dispatcher { contract_address: initiator };
            let valid = account.is_valid_signature(hash, signature) == starknet::VALIDATED;
            assert!(valid, "HTLC: invalid signature of the initiator");
            lock(ref self, initiator, redeemer, timelock, amount, secret_hash);
        }

        fn redeem(ref self: ContractState, order_id: felt252, secret: Array<u32>) {
            let order = open_order(@self, order_id);
            let secret_hash = compute_sha256_u32_array(secret.clone(), 0, 0);
            let derived = order_id_of(order.initiator, order.redeemer, order.timelock, order.amount, secret_hash);
            assert!(derived == order_id, "HTLC: wrong secret");
            pay(ref self, order_id, order, order.redeemer);
            self.emit(Redeemed { order_id, secret_hash, secret });
        }

        fn refund(ref self: ContractState, order_id: felt252) {
            let order = open_order(@self, order_id);
            let expired = order.initiated_at + order.timelock < get_block_number().into();
            assert!(expired, "HTLC: order not expired");
            pay(ref self, order_id, order, order.initiator);
            self.emit(Refunded { order_id });
        }
    }

    fn lock(
        ref self: ContractState,
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
    ) {
        assert!(!is_zero(redeemer), "HTLC: zero redeemer");
        assert!(timelock > 0, "HTLC: zero timelock");
        assert!(amount > 0, "HTLC: zero amount");
        assert!(initiator != redeemer, "HTLC: initiator is the redeemer");
        let order_id = order_id_of(initiator, redeemer, timelock, amount, secret_hash);
        assert!(is_zero(self.orders.read(order_id).redeemer), "HTLC: duplicate order");
        let initiated_at = get_block_number().into();
        self.orders.write(order_id, Order { fulfilled_at: 0, initiator, redeemer, initiated_at, timelock, amount });
        let token = IERC20Dispatcher { contract_address: self.token.read() };
        assert!(token.transfer_from(initiator, get_contract_address(), amount), "HTLC: transfer failed");
        self.emit(Initiated { order_id, secret_hash, amount });
    }

    fn open_order(self: @ContractState, order_id: felt252) -> Order {
        let order = self.orders.read(order_id);
        assert!(!is_zero(order.redeemer), "HTLC: order not initiated");
        assert!(order.fulfilled_at == 0, "HTLC: order already fulfilled");
        order
    }

    /// Closes the order before the token is called.
    fn pay(ref self: ContractState, order_id: felt252, order: Order, to: ContractAddress) {
        self.orders.write(order_id, Order { fulfilled_at: get_block_number().into(), ..order });
        let token = IERC20Dispatcher { contract_address: self.token.read() };
        assert!(token.transfer(to, order.amount), "HTLC: transfer failed");
    }

    fn is_zero(address: ContractAddress) -> bool {
        let felt: felt252 = address.into();
        felt == 0
    }

    fn order_id_of(
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
    ) -> felt252 {
        let mut felts = array![get_tx_info().unbox().chain_id];
        (initiator, redeemer, timelock, amount, secret_hash).serialize(ref felts);
        poseidon_hash_span(felts.span())
    }

    /// SNIP-12, revision 1. The domain's version is the number 1, because signers encode a short string of digits as a number.
    fn message_hash(
        initiator: ContractAddress,
        redeemer: ContractAddress,
        timelock: u128,
        amount: u256,
        secret_hash: [u32; 8],
    ) -> felt252 {
        let chain_id = get_tx_info().unbox().chain_id;
        let domain = poseidon_hash_span(array![DOMAIN_TYPE, 'HTLC', 1, chain_id, 1].span());
        let amount_hash = poseidon_hash_span(array![U256_TYPE, amount.low.into(), amount.high.into()].span());
        let mut words = array![];
        secret_hash.serialize(ref words);
        let message = array![
            INITIATE_TYPE, redeemer.into(), amount_hash, timelock.into(), poseidon_hash_span(words.span()),
        ];
        poseidon_hash_span(
            array!['StarkNet Message', domain, initiator.into(), poseidon_hash_span(message.span())].span(),
        )
    }
}
