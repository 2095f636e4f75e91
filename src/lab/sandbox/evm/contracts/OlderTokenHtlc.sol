// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IToken} from "IToken.sol";
import {OlderHtlc} from "OlderHtlc.sol";

/// HTLC of one ERC-20 token in versions 1 and 2. It reverts with texts.
abstract contract OlderTokenHtlc is OlderHtlc {
    bytes32 private constant INITIATE_TYPEHASH =
        keccak256("Initiate(address redeemer,uint256 timelock,uint256 amount,bytes32 secretHash)");

    address public immutable token;

    constructor(address token_) {
        token = token_;
    }

    function initiate(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) external {
        _lock(msg.sender, redeemer, timelock, amount, secretHash);
    }

    function _lock(address initiator, address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash) internal {
        _open(initiator, redeemer, timelock, amount, secretHash);
        require(IToken(token).transferFrom(initiator, address(this), amount), "SafeERC20: ERC20 operation did not succeed");
    }

    function _initiateDigest(address redeemer, uint256 timelock, uint256 amount, bytes32 secretHash)
        internal
        view
        returns (bytes32)
    {
        return _digestOf(keccak256(abi.encode(INITIATE_TYPEHASH, redeemer, timelock, amount, secretHash)));
    }

    function _pay(address to, uint256 amount) internal override {
        require(IToken(token).transfer(to, amount), "SafeERC20: ERC20 operation did not succeed");
    }

    function _fail(Fault fault) internal pure override {
        if (fault == Fault.ZeroRedeemer) revert("HTLC: zero address redeemer");
        if (fault == Fault.ZeroTimelock) revert("HTLC: zero timelock");
        if (fault == Fault.ZeroAmount) revert("HTLC: zero amount");
        if (fault == Fault.SameParties) revert("HTLC: same initiator and redeemer");
        if (fault == Fault.Duplicate) revert("HTLC: duplicate order");
        if (fault == Fault.NotInitiated) revert("HTLC: order not initiated");
        if (fault == Fault.Fulfilled) revert("HTLC: order fulfilled");
        if (fault == Fault.IncorrectSecret) revert("HTLC: incorrect secret");
        if (fault == Fault.NotExpired) revert("HTLC: order not expired");
        revert("HTLC: invalid redeemer signature");
    }
}
