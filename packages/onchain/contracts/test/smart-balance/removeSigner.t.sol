// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {SIGNER_REMOVAL_DELAY} from "../../smart-balance/Constants.sol";
import {Signers} from "../../smart-balance/Signers.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract RemoveSignerTest is SmartBalanceTest {
    bytes32 private constant SIGNER = keccak256("signer");

    function test_default() public {
        smartBalance.addSigner(SIGNER);
        smartBalance.removeSigner(SIGNER);
        uint256 until = smartBalance.signerUntil(address(this), SIGNER);
        assertEq(until, block.timestamp + SIGNER_REMOVAL_DELAY, "until");
    }

    function test_event_SignerRemoved() public {
        smartBalance.addSigner(SIGNER);
        vm.expectEmit(address(smartBalance));
        emit Signers.SignerRemoved(address(this), SIGNER, uint48(block.timestamp + SIGNER_REMOVAL_DELAY));
        smartBalance.removeSigner(SIGNER);
    }

    function test_error_SignerNotActive_neverAdded() public {
        vm.expectRevert(abi.encodeWithSelector(Signers.SignerNotActive.selector, SIGNER));
        smartBalance.removeSigner(SIGNER);
    }

    /// @dev A second request must not prolong the pin.
    function test_error_SignerNotActive_removalStarted() public {
        smartBalance.addSigner(SIGNER);
        smartBalance.removeSigner(SIGNER);
        vm.expectRevert(abi.encodeWithSelector(Signers.SignerNotActive.selector, SIGNER));
        smartBalance.removeSigner(SIGNER);
    }
}
