// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {HtlcBase} from "HtlcBase.sol";

/// HTLC of the chain's native asset: payable, without approval and without gasless initiation, because native funds have no allowance.
contract NativeHtlc is HtlcBase {
    error WrongValue(uint256 sent, uint256 amount);

    /// ERC-7528's address for the native asset.
    address public constant override token = 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE;

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external payable {
        if (msg.value != amount) revert WrongValue(msg.value, amount);
        _open(msg.sender, redeemer, timelock, amount, secretHash);
    }

    function _pay(address to, uint256 amount) internal override {
        (bool paid,) = to.call{value: amount}("");
        if (!paid) revert TransferFailed();
    }
}
