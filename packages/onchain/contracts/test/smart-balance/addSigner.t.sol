// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract AddSignerTest is SmartBalanceTest {
    bytes32 private constant SIGNER = keccak256("signer");

    function test_default() public {
        smartBalance.addSigner(SIGNER);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "active");
        assertEq(smartBalance.signerUntil(account, SIGNER), 0, "only the caller's");
    }

    function test_behavior_takesBackARemoval() public {
        smartBalance.addSigner(SIGNER);
        smartBalance.removeSigner(SIGNER);
        smartBalance.addSigner(SIGNER);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "active");
    }
}
