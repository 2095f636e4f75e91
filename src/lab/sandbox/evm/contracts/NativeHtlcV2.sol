// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {OlderNativeHtlc} from "OlderNativeHtlc.sol";

contract NativeHtlcV2 is OlderNativeHtlc {
    function _domainVersion() internal pure override returns (string memory) {
        return "2";
    }

    function _idOf(Order memory order, bytes32 secretHash) internal view override returns (bytes32) {
        return _longId(order, secretHash);
    }
}
