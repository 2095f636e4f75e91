// Tests of `htlc.cairo`. `../htlc-cairo.test.ts` appends them to the contract together with the constants from the TypeScript code:
// `ORDER_ID`, `DOMAIN_HASH`, `MESSAGE_HASH` (timelock 2880, amount 50000), `HASH` and `secret()`.

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

    #[test]
    fn order_id_and_redeem() {
        let (htlc, token) = deploy();
        assert!(htlc.token().unwrap() == token, "token");
        htlc.initiate(redeemer(), 2880, 50000, super::HASH).unwrap();
        let order = htlc.get_order(super::ORDER_ID).unwrap();
        assert!(order.amount == 50000 && order.initiated_at == 100, "order");
        refused(htlc.initiate(redeemer(), 2880, 50000, super::HASH), "HTLC: duplicate order");
        refused(htlc.redeem(super::ORDER_ID, array![1, 2, 3, 4, 5, 6, 7, 8]), "HTLC: wrong secret");
        htlc.redeem(super::ORDER_ID, super::secret()).unwrap();
        refused(htlc.redeem(super::ORDER_ID, super::secret()), "HTLC: order already fulfilled");
        refused(htlc.refund(super::ORDER_ID), "HTLC: order already fulfilled");
    }

    #[test]
    fn refund_after_the_timelock_only() {
        let (htlc, _) = deploy();
        htlc.initiate(redeemer(), 2880, 50000, super::HASH).unwrap();
        set_block_number(100 + 2880);
        refused(htlc.refund(super::ORDER_ID), "HTLC: order not expired");
        set_block_number(100 + 2881);
        htlc.refund(super::ORDER_ID).unwrap();
        refused(htlc.refund(super::ORDER_ID), "HTLC: order already fulfilled");
    }

    #[test]
    fn message_hash_of_a_signature() {
        let (htlc, account) = deploy();
        let felts = array!['StarkNet Message', super::DOMAIN_HASH, account.into(), super::MESSAGE_HASH];
        let hash = core::poseidon::poseidon_hash_span(felts.span());
        refused(
            htlc.initiate_with_signature(account, redeemer(), 2880, 50000, super::HASH, array![hash + 1]),
            "HTLC: invalid signature of the initiator",
        );
        htlc.initiate_with_signature(account, redeemer(), 2880, 50000, super::HASH, array![hash]).unwrap();
    }

    #[test]
    fn refusals() {
        let (htlc, _) = deploy();
        refused(htlc.initiate(0.try_into().unwrap(), 1, 1, super::HASH), "HTLC: zero redeemer");
        refused(htlc.initiate(redeemer(), 0, 1, super::HASH), "HTLC: zero timelock");
        refused(htlc.initiate(redeemer(), 1, 0, super::HASH), "HTLC: zero amount");
        refused(htlc.initiate(INITIATOR.try_into().unwrap(), 1, 1, super::HASH), "HTLC: initiator is the redeemer");
        refused(htlc.refund(5), "HTLC: order not initiated");
    }
}
