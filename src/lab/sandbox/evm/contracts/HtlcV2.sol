// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OlderTokenHtlc} from "OlderTokenHtlc.sol";

contract HtlcV2 is OlderTokenHtlc {
    constructor(address token_) OlderTokenHtlc(token_) {}

    function initiateWithSignature(
        address initiator,
        address redeemer,
        uint256 timelock,
        uint256 amount,
        bytes32 secretHash,
        bytes calldata signature
    ) external {
        bytes32 digest = _initiateDigest(redeemer, timelock, amount, secretHash);
        require(_isSignedBy(initiator, digest, signature), "HTLC: invalid initiator signature");
        _lock(initiator, redeemer, timelock, amount, secretHash);
    }

    function _domainVersion() internal pure override returns (string memory) {
        return "2";
    }

    function _idOf(Order memory order, bytes32 secretHash) internal view override returns (bytes32) {
        return _longId(order, secretHash);
    }
}
