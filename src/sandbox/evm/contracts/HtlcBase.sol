// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

/// The common part of both HTLCs: orders, the order id, EIP-712, redeem, refund and instant refund.
///
/// Every function updates the order before it transfers funds, so that a reentrant call cannot take them again.
abstract contract HtlcBase {
    struct Order {
        address initiator;
        address redeemer;
        uint256 initiatedAt;
        uint256 timelock;
        uint256 amount;
        /// Block of the redeem or refund; zero while the funds are locked.
        uint256 fulfilledAt;
    }

    event Initiated(bytes32 indexed orderID, bytes32 indexed secretHash, uint256 amount);
    event Redeemed(bytes32 indexed orderID, bytes32 indexed secretHash, bytes secret);
    event Refunded(bytes32 indexed orderID);

    error ZeroRedeemer();
    error ZeroTimelock();
    error ZeroAmount();
    error ZeroSecretHash();
    error DuplicateOrder(bytes32 orderID);
    error OrderNotInitiated(bytes32 orderID);
    error OrderFulfilled(bytes32 orderID, uint256 fulfilledAt);
    error OrderNotExpired(bytes32 orderID, uint256 blockNumber, uint256 refundableFrom);
    error WrongSecret(bytes32 orderID);
    error WrongSigner(address recovered, address expected);
    error TransferFailed();

    string internal constant NAME = "HTLC";
    string internal constant VERSION = "2";
    bytes32 internal constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 internal constant REFUND_TYPEHASH = keccak256("Refund(bytes32 orderId)");
    /// Half the order of secp256k1: a larger `s` is the malleable twin of a valid signature (EIP-2).
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    mapping(bytes32 => Order) public orders;

    function token() external view virtual returns (address);

    /// Pays the redeemer of an order. Any account can call it with the secret.
    function redeem(bytes32 orderID, bytes calldata secret) external {
        Order storage order = _locked(orderID);
        bytes32 secretHash = sha256(secret);
        if (_orderId(secretHash, order.initiator, order.redeemer, order.timelock, order.amount) != orderID) {
            revert WrongSecret(orderID);
        }
        order.fulfilledAt = block.number;
        emit Redeemed(orderID, secretHash, secret);
        _pay(order.redeemer, order.amount);
    }

    /// Refunds the initiator after the timelock. Any account can call it.
    function refund(bytes32 orderID) external {
        Order storage order = _locked(orderID);
        uint256 expiry = order.initiatedAt + order.timelock;
        if (expiry >= block.number) revert OrderNotExpired(orderID, block.number, expiry + 1);
        _refund(orderID, order);
    }

    /// Refunds the initiator before the timelock, with a signature of the redeemer over `Refund(bytes32 orderId)`.
    function instantRefund(bytes32 orderID, bytes calldata signature) external {
        Order storage order = _locked(orderID);
        _checkSigner(order.redeemer, keccak256(abi.encode(REFUND_TYPEHASH, orderID)), signature);
        _refund(orderID, order);
    }

    /// EIP-5267.
    function eip712Domain()
        external
        view
        returns (bytes1, string memory, string memory, uint256, address, bytes32, uint256[] memory)
    {
        return (0x0f, NAME, VERSION, block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function _open(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) internal {
        if (redeemer == address(0)) revert ZeroRedeemer();
        if (timelock == 0) revert ZeroTimelock();
        if (amount == 0) revert ZeroAmount();
        if (secretHash == bytes32(0)) revert ZeroSecretHash();
        bytes32 orderID = _orderId(secretHash, initiator, redeemer, timelock, amount);
        if (orders[orderID].initiatedAt != 0) revert DuplicateOrder(orderID);
        orders[orderID] = Order(initiator, redeemer, block.number, timelock, amount, 0);
        emit Initiated(orderID, secretHash, amount);
    }

    function _pay(address to, uint256 amount) internal virtual;

    function _checkSigner(address expected, bytes32 structHash, bytes calldata signature) internal view {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256(bytes(NAME)), keccak256(bytes(VERSION)), block.chainid, address(this)
            )
        );
        address recovered = _recover(keccak256(abi.encodePacked(hex"1901", domain, structHash)), signature);
        if (recovered == address(0) || recovered != expected) revert WrongSigner(recovered, expected);
    }

    function _refund(bytes32 orderID, Order storage order) private {
        order.fulfilledAt = block.number;
        emit Refunded(orderID);
        _pay(order.initiator, order.amount);
    }

    function _locked(bytes32 orderID) private view returns (Order storage order) {
        order = orders[orderID];
        if (order.initiatedAt == 0) revert OrderNotInitiated(orderID);
        if (order.fulfilledAt != 0) revert OrderFulfilled(orderID, order.fulfilledAt);
    }

    function _orderId(bytes32 secretHash, address initiator, address redeemer, uint256 timelock, uint256 amount)
        private
        view
        returns (bytes32)
    {
        return sha256(abi.encode(block.chainid, secretHash, initiator, redeemer, timelock, amount));
    }

    /// Recovers the signer. Returns the zero address for a malformed signature or a high `s`.
    function _recover(bytes32 digest, bytes calldata signature) private pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 r = bytes32(signature[0:32]);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        return ecrecover(digest, uint8(signature[64]), r, s);
    }
}
