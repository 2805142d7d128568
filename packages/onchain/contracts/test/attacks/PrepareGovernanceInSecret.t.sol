// SPDX-License-Identifier: MIT
// @promise 13 23 A.2
pragma solidity ^0.8.28;

import {IOutcomeVerifier} from "../../interfaces/IOutcomeVerifier.sol";
import {Proposal} from "../../smart-balance/libraries/Proposal.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: announce another verifier, attestor or threshold once, let the notice pass, and hold the change in
/// reserve until everyone has forgotten it.
/// @dev Guards: a proposal lapses; its notice is longer than the exit of everyone who sees it within a week.
contract PrepareGovernanceInSecretTest is SmartBalanceTest {
    IOutcomeVerifier private constant OTHER_VERIFIER = IOutcomeVerifier(address(0x7E4));
    address private constant OTHER_ATTESTOR = address(0xA77E);

    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(OTHER_VERIFIER);
        attestorSet.proposeAttestor(OTHER_ATTESTOR);
        attestorSet.proposeThreshold(1);
        vm.stopPrank();
    }

    function testFuzz_neverBefore14Days(uint256 time) public {
        uint256 readyAt = block.timestamp + 14 days;
        vm.warp(bound(time, block.timestamp, readyAt - 1));
        _expectRefused(abi.encodeWithSelector(Proposal.NotReady.selector, readyAt));
    }

    function testFuzz_withinTheWeekAfterTheNotice(uint256 time) public {
        _expectApplied(bound(time, block.timestamp + 14 days, block.timestamp + 21 days));
    }

    function test_inTheLastSecond() public {
        _expectApplied(block.timestamp + 21 days);
    }

    function _expectApplied(uint256 time) private {
        vm.warp(time);
        vm.startPrank(ADMIN);
        smartBalance.applyVerifier();
        attestorSet.addAttestor(OTHER_ATTESTOR);
        attestorSet.applyThreshold();
        vm.stopPrank();
        assertTrue(smartBalance.verifier() == OTHER_VERIFIER, "verifier");
        assertTrue(attestorSet.isAttestor(OTHER_ATTESTOR), "attestor");
        assertEq(attestorSet.threshold(), 1, "threshold");
    }

    function testFuzz_neverAfter21Days(uint256 time) public {
        uint256 lapsedAt = block.timestamp + 21 days;
        vm.warp(bound(time, lapsedAt + 1, lapsedAt + 3650 days));
        _expectRefused(abi.encodeWithSelector(Proposal.ProposalLapsed.selector, lapsedAt));
    }

    /// @dev A new announcement is visible again.
    function test_aLapsedProposalStartsOver() public {
        vm.warp(block.timestamp + 30 days);
        vm.startPrank(ADMIN);
        smartBalance.proposeVerifier(OTHER_VERIFIER);
        attestorSet.proposeAttestor(OTHER_ATTESTOR);
        attestorSet.proposeThreshold(1);
        vm.stopPrank();
        _expectRefused(abi.encodeWithSelector(Proposal.NotReady.selector, block.timestamp + 14 days));
    }

    function test_anExitWithinTheFirstWeekIsFaster() public {
        vm.warp(block.timestamp + 7 days - 1);
        vm.prank(account);
        smartBalance.requestExit(300e6);
        vm.warp(block.timestamp + 7 days);
        _expectRefused(abi.encodeWithSelector(Proposal.NotReady.selector, block.timestamp + 1));
        vm.prank(account);
        smartBalance.finalizeExit(account);
        assertEq(tokenOn[A].balanceOf(account), 300e18, "out");
    }

    function _expectRefused(bytes memory reason) private {
        vm.startPrank(ADMIN);
        vm.expectRevert(reason);
        smartBalance.applyVerifier();
        vm.expectRevert(reason);
        attestorSet.addAttestor(OTHER_ATTESTOR);
        vm.expectRevert(reason);
        attestorSet.applyThreshold();
        vm.stopPrank();
    }
}
