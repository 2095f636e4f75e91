// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OlderHtlc} from "OlderHtlc.sol";

/// HTLC of the chain's native coin in versions 1 and 2, as the published client's ABI has it.
abstract contract OlderNativeHtlc is OlderHtlc {
    error NativeHTLC__ZeroAddressInitiator();
    error NativeHTLC__ZeroAddressRedeemer();
    error NativeHTLC__ZeroTimelock();
    error NativeHTLC__ZeroAmount();
    error NativeHTLC__OrderNotInitiated();
    error NativeHTLC__OrderFulfilled();
    error NativeHTLC__IncorrectSecret();
    error NativeHTLC__OrderNotExpired();
    error NativeHTLC__SameInitiatorAndRedeemer();
    error NativeHTLC__DuplicateOrder();
    error NativeHTLC__InvalidRedeemerSignature();
    error NativeHTLC__IncorrectFundsRecieved();
    error NativeHTLC__InsufficientBalance();

    /// ERC-7528's address for the native coin.
    address public constant token = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external payable {
        _lock(msg.sender, redeemer, timelock, amount, secretHash);
    }

    /// The sender pays, and the initiator gets any refund.
    function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)
        external
        payable
    {
        if (initiator == address(0)) revert NativeHTLC__ZeroAddressInitiator();
        _lock(initiator, redeemer, timelock, amount, secretHash);
    }

    function instantRefundDigest(bytes32 orderID) external view returns (bytes32) {
        return _refundDigestOf(orderID);
    }

    function _lock(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) private {
        if (msg.value != amount) revert NativeHTLC__IncorrectFundsRecieved();
        _open(initiator, redeemer, timelock, amount, secretHash);
    }

    /// A call with a value and no gas of its own leaves the receiver the 2300 gas of a plain transfer.
    function _pay(address to, uint256 amount) internal override {
        (bool paid,) = to.call{value: amount, gas: 0}("");
        if (!paid) revert();
    }

    function _fail(Fault fault) internal pure override {
        if (fault == Fault.ZeroRedeemer) revert NativeHTLC__ZeroAddressRedeemer();
        if (fault == Fault.ZeroTimelock) revert NativeHTLC__ZeroTimelock();
        if (fault == Fault.ZeroAmount) revert NativeHTLC__ZeroAmount();
        if (fault == Fault.SameParties) revert NativeHTLC__SameInitiatorAndRedeemer();
        if (fault == Fault.Duplicate) revert NativeHTLC__DuplicateOrder();
        if (fault == Fault.NotInitiated) revert NativeHTLC__OrderNotInitiated();
        if (fault == Fault.Fulfilled) revert NativeHTLC__OrderFulfilled();
        if (fault == Fault.IncorrectSecret) revert NativeHTLC__IncorrectSecret();
        if (fault == Fault.NotExpired) revert NativeHTLC__OrderNotExpired();
        revert NativeHTLC__InvalidRedeemerSignature();
    }
}
