// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

interface IContractSigner {
    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4);
}

/// The EIP-712 domain `HTLC` of one deployment, its EIP-5267 view, and checks of signatures over it.
///
/// The event and the errors are never used: live contracts have them in their ABI.
abstract contract Eip712 {
    event EIP712DomainChanged();

    error InvalidShortString();
    error StringTooLong(string str);

    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)");
    bytes32 private constant REFUND_TYPEHASH = keccak256("Refund(bytes32 orderId)");
    /// Half the order of secp256k1: a larger `s` is the malleable twin of a valid signature (EIP-2).
    uint256 private constant MAX_S = 0x7FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF5D576E7357A4501DDFE92F46681B20A0;

    function eip712Domain()
        external
        view
        returns (
            bytes1 fields,
            string memory name,
            string memory version,
            uint256 chainId,
            address verifyingContract,
            bytes32 salt,
            uint256[] memory extensions
        )
    {
        return (0x0f, "HTLC", _domainVersion(), block.chainid, address(this), bytes32(0), new uint256[](0));
    }

    function _domainVersion() internal pure virtual returns (string memory);

    function _digestOf(bytes32 structHash) internal view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                DOMAIN_TYPEHASH, keccak256("HTLC"), keccak256(bytes(_domainVersion())), block.chainid, address(this)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }

    function _refundDigestOf(bytes32 orderID) internal view returns (bytes32) {
        return _digestOf(keccak256(abi.encode(REFUND_TYPEHASH, orderID)));
    }

    /// An account without code signs with its key, and a contract answers by ERC-1271.
    function _isSignedBy(address signer, bytes32 digest, bytes calldata signature) internal view returns (bool) {
        if (signer.code.length == 0) return signer != address(0) && _recover(digest, signature) == signer;
        (bool answered, bytes memory answer) =
            signer.staticcall(abi.encodeCall(IContractSigner.isValidSignature, (digest, signature)));
        return answered && answer.length == 32
            && abi.decode(answer, (bytes32)) == bytes32(IContractSigner.isValidSignature.selector);
    }

    /// Recovers the signer. Returns the zero address for a malformed signature or a high `s`.
    function _recover(bytes32 digest, bytes calldata signature) internal pure returns (address) {
        if (signature.length != 65) return address(0);
        bytes32 s = bytes32(signature[32:64]);
        if (uint256(s) > MAX_S) return address(0);
        return ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), s);
    }
}
