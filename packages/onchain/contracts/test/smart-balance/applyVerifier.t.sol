// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IOutcomeVerifier} from "../../interfaces/IOutcomeVerifier.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev proposeVerifier and applyVerifier.
contract ApplyVerifierTest is SmartBalanceTest {
    IOutcomeVerifier private constant NEXT = IOutcomeVerifier(address(0x7E4));

    function test_default() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.applyVerifier();
        vm.stopPrank();
        assertTrue(smartBalance.verifier() == NEXT, "verifier");
        assertEq(smartBalance.verifierReadyAt(), 0, "no proposal");
    }

    function test_behavior_anotherProposalRestartsTheDelay() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(attestorSet);
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.proposeVerifier(NEXT);
        vm.expectPartialRevert(Administration.VerifierNotReady.selector);
        smartBalance.applyVerifier();
    }

    function test_error_VerifierNotReady() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
        vm.warp(block.timestamp + EXIT_DELAY - 1);
        vm.expectRevert(abi.encodeWithSelector(Administration.VerifierNotReady.selector, block.timestamp + 1));
        smartBalance.applyVerifier();
    }

    function test_error_NoVerifierProposed() public {
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(Administration.NoVerifierProposed.selector));
        smartBalance.applyVerifier();
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.proposeVerifier(NEXT);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.applyVerifier();
    }
}
