// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Signers} from "../../smart-balance/Signers.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract AddSignerTest is SmartBalanceTest {
    bytes32 private constant SIGNER = keccak256("signer");

    function test_default() public {
        smartBalance.addSigner(SIGNER);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "active");
        assertEq(smartBalance.signerUntil(account, SIGNER), 0, "only the caller's");
    }

    function test_event_SignerAdded() public {
        vm.expectEmit(address(smartBalance));
        emit Signers.SignerAdded(address(this), SIGNER);
        smartBalance.addSigner(SIGNER);
    }

    function test_behavior_cancelsARemoval() public {
        smartBalance.addSigner(SIGNER);
        smartBalance.removeSigner(SIGNER);
        smartBalance.addSigner(SIGNER);
        assertEq(smartBalance.signerUntil(address(this), SIGNER), type(uint48).max, "active");
    }
}
