// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Eip712} from "Eip712.sol";

/// HTLC of the chain's native coin, version 3: payable, without approval and without gasless initiation, because native
/// coins have no allowance. The members of its ABI are those of live contracts, and a test compares them.
contract NativeHtlcV3 is Eip712 {
    struct Order {
        address initiator;
        address redeemer;
        uint256 initiatedAt;
        uint256 timelock;
        uint256 amount;
        /// Block of the redeem or refund; zero while the funds are locked.
        uint256 fulfilledAt;
    }

    event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount);
    event InitiatedWithDestinationData(
        bytes32 indexed orderID, bytes32 indexed secretHash, uint256 indexed amount, bytes destinationData
    );
    event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret);
    event Refunded(bytes32 indexed orderID);

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
    error NativeHTLC__SameFunderAndRedeemer();

    string public constant name = "HTLC";
    string public constant version = "3";
    /// ERC-7528's address for the native coin.
    address public constant token = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    mapping(bytes32 => Order) public orders;

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external payable {
        _open(Order(msg.sender, redeemer, block.number, timelock, amount, 0), secretHash);
    }

    function initiate(
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata destinationData
    ) external payable {
        bytes32 id = _open(Order(msg.sender, redeemer, block.number, timelock, amount, 0), secretHash);
        emit InitiatedWithDestinationData(id, secretHash, amount, destinationData);
    }

    /// The sender pays, and the initiator gets any refund.
    function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)
        external
        payable
    {
        _openOnBehalf(Order(initiator, redeemer, block.number, timelock, amount, 0), secretHash);
    }

    function initiateOnBehalf(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata destinationData
    ) external payable {
        bytes32 id = _openOnBehalf(Order(initiator, redeemer, block.number, timelock, amount, 0), secretHash);
        emit InitiatedWithDestinationData(id, secretHash, amount, destinationData);
    }

    /// Pays the redeemer of an order. Any account can call it with the secret.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        if (secret.length != 32) revert NativeHTLC__IncorrectSecret();
        Order memory order = orders[orderID];
        if (order.redeemer == address(0)) revert NativeHTLC__OrderNotInitiated();
        if (order.fulfilledAt != 0) revert NativeHTLC__OrderFulfilled();
        bytes32 secretHash = sha256(secret);
        if (_idOf(order, secretHash) != orderID) revert NativeHTLC__IncorrectSecret();
        orders[orderID].fulfilledAt = block.number;
        emit Redeemed(orderID, secretHash, secret);
        _pay(order.redeemer, order.amount);
    }

    /// Refunds the initiator after the timelock. Any account can call it.
    function refund(bytes32 orderID) external {
        Order storage order = orders[orderID];
        if (order.timelock == 0) revert NativeHTLC__OrderNotInitiated();
        if (order.fulfilledAt != 0) revert NativeHTLC__OrderFulfilled();
        if (order.initiatedAt + order.timelock >= block.number) revert NativeHTLC__OrderNotExpired();
        _refund(orderID, order);
    }

    /// Refunds the initiator at any time, if the redeemer calls it or has signed it.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = orders[orderID];
        if (order.fulfilledAt != 0) revert NativeHTLC__OrderFulfilled();
        bool agreed = msg.sender == order.redeemer || _isSignedBy(order.redeemer, _refundDigestOf(orderID), signature);
        if (!agreed) revert NativeHTLC__InvalidRedeemerSignature();
        _refund(orderID, order);
    }

    function instantRefundDigest(bytes32 orderID) external view returns (bytes32) {
        return _refundDigestOf(orderID);
    }

    function _domainVersion() internal pure override returns (string memory) {
        return version;
    }

    function _openOnBehalf(Order memory order, bytes32 secretHash) private returns (bytes32) {
        _checkTerms(order);
        if (msg.sender == order.redeemer) revert NativeHTLC__SameFunderAndRedeemer();
        if (order.initiator == address(0)) revert NativeHTLC__ZeroAddressInitiator();
        return _open(order, secretHash);
    }

    function _open(Order memory order, bytes32 secretHash) private returns (bytes32 orderID) {
        _checkTerms(order);
        orderID = _idOf(order, secretHash);
        if (orders[orderID].timelock != 0) revert NativeHTLC__DuplicateOrder();
        orders[orderID] = order;
        emit Initiated(orderID, secretHash, order.amount);
    }

    function _checkTerms(Order memory order) private view {
        if (order.redeemer == address(0)) revert NativeHTLC__ZeroAddressRedeemer();
        if (order.initiator == order.redeemer) revert NativeHTLC__SameInitiatorAndRedeemer();
        if (order.timelock == 0) revert NativeHTLC__ZeroTimelock();
        if (order.amount == 0) revert NativeHTLC__ZeroAmount();
        if (msg.value != order.amount) revert NativeHTLC__IncorrectFundsRecieved();
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.fulfilledAt = block.number;
        emit Refunded(orderID);
        _pay(order.initiator, order.amount);
    }

    /// A call with a value and no gas of its own leaves the receiver the 2300 gas of a plain transfer, as live contracts do.
    function _pay(address to, uint256 amount) private {
        (bool paid,) = to.call{value: amount, gas: 0}("");
        if (!paid) revert();
    }

    /// The id of version 3: the terms, and the contract itself.
    function _idOf(Order memory order, bytes32 secretHash) private view returns (bytes32) {
        bytes memory terms = abi.encode(
            block.chainid, secretHash, order.initiator, order.redeemer, order.timelock, order.amount, address(this)
        );
        return sha256(terms);
    }
}
