// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Eip712} from "Eip712.sol";

/// The common part of versions 1 and 2, for tokens and native coins: the older layout of an order, the event whose amount is
/// not indexed, and the calls that close an order. Each version has its own order id.
abstract contract OlderHtlc is Eip712 {
    struct Order {
        bool isFulfilled;
        address initiator;
        address redeemer;
        uint256 initiatedAt;
        uint256 timelock;
        uint256 amount;
    }

    enum Fault {
        ZeroRedeemer,
        ZeroTimelock,
        ZeroAmount,
        SameParties,
        Duplicate,
        NotInitiated,
        Fulfilled,
        IncorrectSecret,
        NotExpired,
        RedeemerSignature
    }

    event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount);
    event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret);
    event Refunded(bytes32 indexed orderID);

    mapping(bytes32 => Order) public orders;

    /// Pays the redeemer of an order. Any account can call it with the secret.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        Order memory order = orders[orderID];
        if (order.redeemer == address(0)) _fail(Fault.NotInitiated);
        if (order.isFulfilled) _fail(Fault.Fulfilled);
        bytes32 secretHash = sha256(secret);
        if (_idOf(order, secretHash) != orderID) _fail(Fault.IncorrectSecret);
        orders[orderID].isFulfilled = true;
        emit Redeemed(orderID, secretHash, secret);
        _pay(order.redeemer, order.amount);
    }

    /// Refunds the initiator after the timelock. Any account can call it.
    function refund(bytes32 orderID) external {
        Order storage order = orders[orderID];
        if (order.redeemer == address(0)) _fail(Fault.NotInitiated);
        if (order.isFulfilled) _fail(Fault.Fulfilled);
        if (order.initiatedAt + order.timelock >= block.number) _fail(Fault.NotExpired);
        _refund(orderID, order);
    }

    /// Refunds the initiator at any time, with a signature of the redeemer.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = orders[orderID];
        if (order.isFulfilled) _fail(Fault.Fulfilled);
        if (!_isSignedBy(order.redeemer, _refundDigestOf(orderID), signature)) _fail(Fault.RedeemerSignature);
        _refund(orderID, order);
    }

    function _open(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) internal {
        if (redeemer == address(0)) _fail(Fault.ZeroRedeemer);
        if (timelock == 0) _fail(Fault.ZeroTimelock);
        if (amount == 0) _fail(Fault.ZeroAmount);
        if (initiator == redeemer) _fail(Fault.SameParties);
        Order memory order = Order(false, initiator, redeemer, block.number, timelock, amount);
        bytes32 orderID = _idOf(order, secretHash);
        if (orders[orderID].redeemer != address(0)) _fail(Fault.Duplicate);
        orders[orderID] = order;
        emit Initiated(orderID, secretHash, amount);
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.isFulfilled = true;
        emit Refunded(orderID);
        _pay(order.initiator, order.amount);
    }

    function _pay(address to, uint256 amount) internal virtual;

    /// Reverts in the words of the contract.
    function _fail(Fault fault) internal pure virtual;

    function _idOf(Order memory order, bytes32 secretHash) internal view virtual returns (bytes32);

    /// The id of version 1 says nothing about redeemer, timelock and amount.
    function _shortId(Order memory order, bytes32 secretHash) internal view returns (bytes32) {
        return sha256(abi.encode(block.chainid, secretHash, order.initiator));
    }

    function _longId(Order memory order, bytes32 secretHash) internal view returns (bytes32) {
        return sha256(
            abi.encode(block.chainid, secretHash, order.initiator, order.redeemer, order.timelock, order.amount)
        );
    }
}
