// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OlderTokenHtlc} from "OlderTokenHtlc.sol";

/// Version 1 recovers the initiator from the signature of a gasless initiation.
contract HtlcV1 is OlderTokenHtlc {
    constructor(address token_) OlderTokenHtlc(token_) {}

    function initiateWithSignature(
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        address initiator = _recover(_initiateDigest(redeemer, timelock, amount, secretHash), signature);
        require(initiator != address(0), "ECDSA: invalid signature");
        _lock(initiator, redeemer, timelock, amount, secretHash);
    }

    function _domainVersion() internal pure override returns (string memory) {
        return "1";
    }

    function _idOf(Order memory order, bytes32 secretHash) internal view override returns (bytes32) {
        return _shortId(order, secretHash);
    }
}
