// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IPaymaster} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {MIN_POST_OP_GAS} from "../../smart-balance/Constants.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract PostOpTest is SmartBalanceTest {
    bytes32 private constant ORDER = keccak256("order");

    function test_default() public {
        _postOp(_context(100e6));
        (Outcome outcome, uint128 amount, uint120 order) = smartBalance.settled(account, O, 7);
        assertTrue(outcome == Outcome.Failed, "outcome");
        assertEq(amount, 0, "amount");
        assertEq(order, uint120(uint256(ORDER)), "order");
    }

    function test_event_OrderFailed() public {
        vm.expectEmit(address(smartBalance));
        emit Claims.OrderFailed(ORDER, account, 7);
        _postOp(_context(100e6));
    }

    function test_event_OrderUnfunded() public {
        vm.expectEmit(address(smartBalance));
        emit Claims.OrderUnfunded(ORDER, account, 7);
        _postOp(_context(CAP + 1));
        (Outcome outcome, uint128 amount, uint120 order) = smartBalance.settled(account, O, 7);
        assertTrue(outcome == Outcome.Unfunded, "outcome");
        assertEq(amount, 0, "amount");
        assertEq(order, uint120(uint256(ORDER)), "order");
    }

    /// @dev Attack 6, out of gas: the maximum cost, with everything cold, fits into the gas that validation requires.
    function test_attack6_outOfGas() public {
        vm.cool(address(smartBalance));
        bytes memory context = _context(100e6);
        vm.prank(address(entryPoint));
        uint256 before = gasleft();
        smartBalance.postOp(IPaymaster.PostOpMode.opReverted, context, 0, 0);
        assertWithin(before - gasleft(), 22_100, MIN_POST_OP_GAS - 20_000, "gas");
    }

    /// @dev Attack 6. Guards, each of which suffices: the recorded outcome, and the removed order.
    function test_attack6_claimAfterFailure() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        (bytes memory context,) = smartBalance.validatePaymasterUserOp(op, 0, 0);
        _postOp(context);
        vm.prank(account);
        vm.expectPartialRevert(Claims.NothingToClaim.selector);
        smartBalance.claim(draft.nonce);
    }

    /// @dev Attack 6. Guard: only the recorded outcome, since the order is pending again.
    function test_attack6_claimAfterFailureWhilePending() public {
        Draft memory draft = _draft();
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        (bytes memory context,) = smartBalance.validatePaymasterUserOp(op, 0, 0);
        _postOp(context);
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Claims.NothingToClaim.selector, account, draft.nonce));
        smartBalance.claim(draft.nonce);
        assertTrue(_outcome(account, draft.nonce) == Outcome.Failed, "still failed");
    }

    function test_error_NotEntryPoint() public {
        vm.expectRevert(abi.encodeWithSelector(Claims.NotEntryPoint.selector, address(this)));
        smartBalance.postOp(IPaymaster.PostOpMode.opReverted, _context(100e6), 0, 0);
    }

    function _context(uint128 claimAmount) private view returns (bytes memory) {
        return abi.encode(ORDER, account, 7, claimAmount);
    }

    function _postOp(bytes memory context) private {
        vm.prank(address(entryPoint));
        smartBalance.postOp(IPaymaster.PostOpMode.opSucceeded, context, 0, 0);
    }
}
