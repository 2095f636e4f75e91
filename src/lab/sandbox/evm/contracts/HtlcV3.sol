// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Eip712} from "Eip712.sol";
import {IToken} from "IToken.sol";

/// HTLC of one ERC-20 token, version 3. The members of its ABI are those of live contracts, and a test compares them.
///
/// Each function changes the order before it moves tokens, so that a call back into the contract finds the order closed.
contract HtlcV3 is Eip712 {
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

    error HTLC__ZeroAddressRedeemer();
    error HTLC__ZeroTimelock();
    error HTLC__ZeroAmount();
    error HTLC__OrderNotInitiated();
    error HTLC__OrderFulfilled();
    error HTLC__IncorrectSecret();
    error HTLC__OrderNotExpired();
    error HTLC__SameInitiatorAndRedeemer();
    error HTLC__DuplicateOrder();
    error HTLC__InvalidRedeemerSignature();
    error HTLC__SameFunderAndRedeemer();
    error HTLC__ZeroAddressInitiator();
    error HTLC__InvalidInitiatorSignature();
    error HTLC__HTLCAlreadyInitialized();
    error SafeERC20FailedOperation(address token);

    bytes32 private constant INITIATE_TYPEHASH =
        keccak256("Initiate(address redeemer,uint256 timelock,uint256 amount,bytes32 secretHash)");

    string public constant name = "HTLC";
    string public constant version = "3";

    address public token;
    uint256 public isInitialized;
    mapping(bytes32 => Order) public orders;

    /// Sets the token once. Live contracts have no access control here either.
    function initialise(address _token) external {
        if (isInitialized != 0) revert HTLC__HTLCAlreadyInitialized();
        isInitialized = 1;
        token = _token;
    }

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external {
        _open(msg.sender, Order(msg.sender, redeemer, block.number, timelock, amount, 0), secretHash);
    }

    function initiate(
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata destinationData
    ) external {
        bytes32 id = _open(msg.sender, Order(msg.sender, redeemer, block.number, timelock, amount, 0), secretHash);
        emit InitiatedWithDestinationData(id, secretHash, amount, destinationData);
    }

    /// The sender pays, and the initiator gets any refund.
    function initiateOnBehalf(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)
        external
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
    ) external {
        bytes32 id = _openOnBehalf(Order(initiator, redeemer, block.number, timelock, amount, 0), secretHash);
        emit InitiatedWithDestinationData(id, secretHash, amount, destinationData);
    }

    /// Gasless initiation: any account can relay the initiator's signature. It has no nonce and no expiry, so it is valid until the order exists.
    function initiateWithSignature(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        Order memory order = Order(initiator, redeemer, block.number, timelock, amount, 0);
        _checkTerms(order);
        bytes32 digest = _digestOf(keccak256(abi.encode(INITIATE_TYPEHASH, redeemer, timelock, amount, secretHash)));
        if (!_isSignedBy(initiator, digest, signature)) revert HTLC__InvalidInitiatorSignature();
        _open(initiator, order, secretHash);
    }

    /// Pays the redeemer of an order. Any account can call it with the secret.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        if (secret.length != 32) revert HTLC__IncorrectSecret();
        Order memory order = orders[orderID];
        if (order.redeemer == address(0)) revert HTLC__OrderNotInitiated();
        if (order.fulfilledAt != 0) revert HTLC__OrderFulfilled();
        bytes32 secretHash = sha256(secret);
        if (_idOf(order, secretHash) != orderID) revert HTLC__IncorrectSecret();
        orders[orderID].fulfilledAt = block.number;
        emit Redeemed(orderID, secretHash, secret);
        _pay(order.redeemer, order.amount);
    }

    /// Refunds the initiator after the timelock. Any account can call it.
    function refund(bytes32 orderID) external {
        Order storage order = orders[orderID];
        if (order.timelock == 0) revert HTLC__OrderNotInitiated();
        if (order.fulfilledAt != 0) revert HTLC__OrderFulfilled();
        if (order.initiatedAt + order.timelock >= block.number) revert HTLC__OrderNotExpired();
        _refund(orderID, order);
    }

    /// Refunds the initiator at any time, if the redeemer calls it or has signed it.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = orders[orderID];
        if (order.fulfilledAt != 0) revert HTLC__OrderFulfilled();
        bool agreed = msg.sender == order.redeemer || _isSignedBy(order.redeemer, _refundDigestOf(orderID), signature);
        if (!agreed) revert HTLC__InvalidRedeemerSignature();
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
        if (msg.sender == order.redeemer) revert HTLC__SameFunderAndRedeemer();
        if (order.initiator == address(0)) revert HTLC__ZeroAddressInitiator();
        return _open(msg.sender, order, secretHash);
    }

    function _open(address funder, Order memory order, bytes32 secretHash) private returns (bytes32 orderID) {
        _checkTerms(order);
        orderID = _idOf(order, secretHash);
        if (orders[orderID].timelock != 0) revert HTLC__DuplicateOrder();
        orders[orderID] = order;
        emit Initiated(orderID, secretHash, order.amount);
        if (!IToken(token).transferFrom(funder, address(this), order.amount)) revert SafeERC20FailedOperation(token);
    }

    function _checkTerms(Order memory order) private pure {
        if (order.initiator == order.redeemer) revert HTLC__SameInitiatorAndRedeemer();
        if (order.redeemer == address(0)) revert HTLC__ZeroAddressRedeemer();
        if (order.timelock == 0) revert HTLC__ZeroTimelock();
        if (order.amount == 0) revert HTLC__ZeroAmount();
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.fulfilledAt = block.number;
        emit Refunded(orderID);
        _pay(order.initiator, order.amount);
    }

    function _pay(address to, uint256 amount) private {
        if (!IToken(token).transfer(to, amount)) revert SafeERC20FailedOperation(token);
    }

    /// The id of version 3: the terms, and the contract itself.
    function _idOf(Order memory order, bytes32 secretHash) private view returns (bytes32) {
        bytes memory terms = abi.encode(
            block.chainid, secretHash, order.initiator, order.redeemer, order.timelock, order.amount, address(this)
        );
        return sha256(terms);
    }
}
