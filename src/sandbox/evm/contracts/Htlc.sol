// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HtlcBase} from "HtlcBase.sol";

interface IToken {
    function transfer(address to, uint256 amount) external returns (bool);
    function transferFrom(address from, address to, uint256 amount) external returns (bool);
}

/// HTLC of one ERC-20 token. The initiator needs an allowance to this contract for both ways of initiating.
contract Htlc is HtlcBase {
    bytes32 private constant INITIATE_TYPEHASH =
        keccak256("Initiate(address redeemer,uint256 timelock,uint256 amount,bytes32 secretHash)");

    address public immutable override token;

    constructor(address token_) {
        token = token_;
    }

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external {
        _initiate(msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// Gasless initiation: any account can relay the initiator's EIP-712 signature. It has no nonce and no expiry, so it is valid until the order exists.
    function initiateWithSignature(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        bytes32 structHash = keccak256(abi.encode(INITIATE_TYPEHASH, redeemer, timelock, amount, secretHash));
        _checkSigner(initiator, structHash, signature);
        _initiate(initiator, redeemer, timelock, amount, secretHash);
    }

    function _initiate(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)
        private
    {
        _open(initiator, redeemer, timelock, amount, secretHash);
        if (!IToken(token).transferFrom(initiator, address(this), amount)) revert TransferFailed();
    }

    function _pay(address to, uint256 amount) internal override {
        if (!IToken(token).transfer(to, amount)) revert TransferFailed();
    }
}
