// Tests of `htlc.cairo`. `../htlc-cairo.test.ts` appends them to the contract together with the constants from the TypeScript code:
// `ORDER_ID`, `DOMAIN_HASH`, `MESSAGE_HASH` (timelock 2880, amount 50000), `HTLC` (the address of the contract in these vectors), `HASH` and `secret()`.

/// Acts as the token and as the initiator's account. It accepts every transfer, and a signature is valid if it equals the hash.
#[starknet::contract]
mod Counterpart {
    #[storage]
    struct Storage {}

    #[abi(embed_v0)]
    impl Token of super::IERC20<ContractState> {
        fn transfer(ref self: ContractState, recipient: starknet::ContractAddress, amount: u256) -> bool {
            true
        }
        fn transfer_from(
            ref self: ContractState,
            sender: starknet::ContractAddress,
            recipient: starknet::ContractAddress,
            amount: u256,
        ) -> bool {
            true
        }
    }

    #[abi(embed_v0)]
    impl Account of super::ISRC6<ContractState> {
        fn is_valid_signature(self: @ContractState, hash: felt252, signature: Array<felt252>) -> felt252 {
            if *signature.at(0) == hash {
                starknet::VALIDATED
            } else {
                0
            }
        }
    }
}

#[cfg(test)]
#[feature("safe_dispatcher")]
mod tests {
    use starknet::ContractAddress;
    use starknet::testing::{set_block_number, set_chain_id, set_contract_address};
    use super::{Counterpart, Htlc, IHtlcSafeDispatcher, IHtlcSafeDispatcherTrait};

    const INITIATOR: felt252 = 0x00609190b1348bcc06da44d58c79709495c11a5a6f0b9e154e1209f2a17dd933;
    const REDEEMER: felt252 = 0x078f8ae98fe78b5df9d3755b5910864c028d5249b4af685eb45687b1b76a4205;

    fn deploy() -> (IHtlcSafeDispatcher, ContractAddress) {
        set_chain_id('SN_SEPOLIA');
        set_block_number(100);
        let none: Array<felt252> = array![];
        let (token, _) = starknet::syscalls::deploy_syscall(
            Counterpart::TEST_CLASS_HASH.try_into().unwrap(), 0, none.span(), false,
        ).unwrap();
        let (htlc, _) = starknet::syscalls::deploy_syscall(
            Htlc::TEST_CLASS_HASH.try_into().unwrap(), 0, array![token.into()].span(), false,
        ).unwrap();
        set_contract_address(INITIATOR.try_into().unwrap());
        (IHtlcSafeDispatcher { contract_address: htlc }, token)
    }

    fn refused<T, +Drop<T>>(result: Result<T, Array<felt252>>, expected: ByteArray) {
        match result {
            Result::Ok(_) => panic!("not refused: {}", expected),
            Result::Err(reason) => {
                let mut felts = reason.span();
                let _magic = felts.pop_front();
                let text = Serde::<ByteArray>::deserialize(ref felts).unwrap();
                assert!(text == expected, "{} is not {}", text, expected);
            },
        }
    }

    fn redeemer() -> ContractAddress {
        REDEEMER.try_into().unwrap()
    }

    /// The id of the tests' order on this contract, by the contract's own function.
    fn order_id(htlc: IHtlcSafeDispatcher) -> felt252 {
        set_contract_address(htlc.contract_address);
        let id = Htlc::order_id_of(INITIATOR.try_into().unwrap(), redeemer(), 2880, 50000, super::HASH);
        set_contract_address(INITIATOR.try_into().unwrap());
        id
    }

    #[test]
    fn order_id_and_hashes_of_the_devnet() {
        set_chain_id('SN_SEPOLIA');
        set_contract_address(super::HTLC.try_into().unwrap());
        let initiator: ContractAddress = INITIATOR.try_into().unwrap();
        assert!(Htlc::order_id_of(initiator, redeemer(), 2880, 50000, super::HASH) == super::ORDER_ID, "order id");
        let message = Htlc::initiate_hash(redeemer(), 2880, 50000, super::HASH);
        assert!(message == super::MESSAGE_HASH, "message");
        let felts = array!['StarkNet Message', super::DOMAIN_HASH, INITIATOR, message];
        assert!(Htlc::signed_hash(initiator, message) == core::poseidon::poseidon_hash_span(felts.span()), "domain");
    }

    #[test]
    fn order_id_and_redeem() {
        let (htlc, token) = deploy();
        let id = order_id(htlc);
        assert!(htlc.token().unwrap() == token, "token");
        htlc.initiate(redeemer(), 2880, 50000, super::HASH).unwrap();
        let order = htlc.get_order(id).unwrap();
        assert!(order.amount == 50000 && order.initiated_at == 100, "order");
        refused(htlc.initiate(redeemer(), 2880, 50000, super::HASH), "HTLC: duplicate order");
        refused(htlc.redeem(id, [1, 2, 3, 4, 5, 6, 7, 8]), "HTLC: incorrect secret");
        htlc.redeem(id, super::secret()).unwrap();
        refused(htlc.redeem(id, super::secret()), "HTLC: order fulfilled");
        refused(htlc.refund(id), "HTLC: order fulfilled");
    }

    #[test]
    fn refund_after_the_timelock_only() {
        let (htlc, _) = deploy();
        let id = order_id(htlc);
        htlc.initiate(redeemer(), 2880, 50000, super::HASH).unwrap();
        set_block_number(100 + 2880);
        refused(htlc.refund(id), "HTLC: order not expired");
        set_block_number(100 + 2881);
        htlc.refund(id).unwrap();
        refused(htlc.refund(id), "HTLC: order fulfilled");
    }

    #[test]
    fn message_hash_of_a_signature() {
        let (htlc, account) = deploy();
        set_contract_address(htlc.contract_address);
        let hash = Htlc::signed_hash(account, Htlc::initiate_hash(redeemer(), 2880, 50000, super::HASH));
        set_contract_address(INITIATOR.try_into().unwrap());
        refused(
            htlc.initiate_with_signature(account, redeemer(), 2880, 50000, super::HASH, array![hash + 1]),
            "HTLC: invalid initiator signature",
        );
        htlc.initiate_with_signature(account, redeemer(), 2880, 50000, super::HASH, array![hash]).unwrap();
    }

    #[test]
    fn destination_data_and_deposits_on_behalf() {
        let (htlc, token) = deploy();
        let id = order_id(htlc);
        htlc.initiate_with_destination_data(redeemer(), 2880, 50000, super::HASH, array![7, 8]).unwrap();
        assert!(htlc.get_order(id).unwrap().amount == 50000, "order");
        set_contract_address(token);
        // The id names the initiator and not the payer, so this is the same order.
        refused(
            htlc.initiate_on_behalf(INITIATOR.try_into().unwrap(), redeemer(), 2880, 50000, super::HASH),
            "HTLC: duplicate order",
        );
        htlc.initiate_on_behalf_with_destination_data(token, redeemer(), 2880, 50000, super::HASH, array![]).unwrap();
        set_contract_address(redeemer());
        refused(htlc.initiate_on_behalf(token, redeemer(), 1, 1, super::HASH), "HTLC: sender == redeemer");
        htlc.instant_refund(id, array![]).unwrap();
        refused(htlc.refund(id), "HTLC: order fulfilled");
    }

    #[test]
    fn refusals() {
        let (htlc, _) = deploy();
        refused(htlc.initiate(0.try_into().unwrap(), 1, 1, super::HASH), "HTLC: zero address redeemer");
        refused(htlc.initiate(redeemer(), 0, 1, super::HASH), "HTLC: zero timelock");
        refused(htlc.initiate(redeemer(), 1, 0, super::HASH), "HTLC: zero amount");
        refused(htlc.initiate(INITIATOR.try_into().unwrap(), 1, 1, super::HASH), "HTLC: same initiator & redeemer");
        refused(htlc.refund(5), "HTLC: order not initiated");
    }
}
