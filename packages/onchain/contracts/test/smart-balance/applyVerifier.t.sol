// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IOutcomeVerifier} from "../../interfaces/IOutcomeVerifier.sol";
import {PROPOSAL_LIFETIME, PROPOSAL_NOTICE} from "../../smart-balance/Constants.sol";
import {Proposal} from "../../smart-balance/libraries/Proposal.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev proposeVerifier and applyVerifier.
contract ApplyVerifierTest is SmartBalanceTest {
    IOutcomeVerifier private constant NEXT = IOutcomeVerifier(address(0x7E4));

    function test_default() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        smartBalance.applyVerifier();
        vm.stopPrank();
        assertTrue(smartBalance.verifier() == NEXT, "verifier");
        assertEq(smartBalance.verifierReadyAt(), 0, "no proposal");
    }

    function test_behavior_anotherProposalRestartsTheDelay() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(attestorSet);
        vm.warp(block.timestamp + PROPOSAL_NOTICE);
        smartBalance.proposeVerifier(NEXT);
        vm.expectPartialRevert(Proposal.NotReady.selector);
        smartBalance.applyVerifier();
    }

    function test_error_NotReady() public {
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(NEXT);
        vm.warp(block.timestamp + PROPOSAL_NOTICE - 1);
        vm.expectRevert(abi.encodeWithSelector(Proposal.NotReady.selector, block.timestamp + 1));
        smartBalance.applyVerifier();
    }

    function test_error_NotProposed() public {
        vm.prank(ADMIN);
        vm.expectRevert(abi.encodeWithSelector(Proposal.NotProposed.selector));
        smartBalance.applyVerifier();
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.proposeVerifier(NEXT);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.applyVerifier();
    }
}
