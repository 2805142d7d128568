// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev Calls validation directly from EntryPoint's address; claims that fail inside EntryPoint are in attacks.t.sol.
contract ClaimTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        // Another transaction than the test's.
        Draft memory draft = _draft();
        draft.nonce = 1 << 64;
        _validate(draft);
    }

    function test_default() public {
        Draft memory draft = _draft();
        _validate(draft);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        assertEq(tokenOn[O].balanceOf(account), 100e6, "received");
        (Outcome outcome, uint128 amount, uint120 order) = smartBalance.settled(account, O, draft.nonce);
        assertTrue(outcome == Outcome.Claimed, "outcome");
        assertEq(amount, 0, "settled amount");
        assertEq(order, uint120(uint256(_orderHash(draft, _build(draft)))), "order");
    }

    function test_event_OrderClaimed() public {
        Draft memory draft = _draft();
        bytes32 orderHash = _orderHash(draft, _build(draft));
        _validate(draft);
        vm.expectEmit(address(smartBalance));
        emit Claims.OrderClaimed(orderHash, account, draft.nonce, 100e6);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
    }

    /// @dev An operation that owes only its fee. It lends nothing, so it does not write the outflow.
    function test_behavior_zeroAmount() public {
        Draft memory draft = _draft();
        draft.claimAmount = 0;
        draft.debits[0] = Debit(A, 1e6, 1e6);
        _handle(_build(draft));
        assertTrue(_outcome(account, draft.nonce) == Outcome.Claimed, "outcome");
        (,, uint48 hour) = smartBalance.outflow();
        assertEq(hour, 0, "hour of the last loan");
    }

    /// @dev Attack 2. Guard: transient storage.
    function test_attack2_laterTransaction() public {
        _expectNothing(account, 1 << 64);
    }

    /// @dev Attack 2. Guards, each of which suffices: before it is paid, the outcome is recorded, and the order
    /// removed.
    function test_attack2_twice() public {
        Draft memory draft = _draft();
        _validate(draft);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        _expectNothing(account, draft.nonce);
    }

    /// @dev Attack 2. Guard: only the recorded outcome, since the order is pending again. EntryPoint accepts a nonce
    /// once; the liquidity must not depend on it.
    function test_attack2_validatedAgain() public {
        Draft memory draft = _draft();
        _validate(draft);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        _validate(draft);
        _expectNothing(account, draft.nonce);
    }

    /// @dev Attack 6. Guard: orders are stored by account.
    function test_attack6_byAnotherAccount() public {
        Draft memory draft = _draft();
        _validate(draft);
        _expectNothing(address(this), draft.nonce);
    }

    /// @dev All delays depend on MAX_VALIDITY.
    function test_error_ValidityTooLong() public {
        Draft memory draft = _draft();
        draft.validUntil += 1;
        _validate(draft);
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Claims.ValidityTooLong.selector, draft.validUntil));
        smartBalance.claim(draft.nonce);
    }

    function _validate(Draft memory draft) private {
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
    }

    function _expectNothing(address caller, uint256 nonce) private {
        vm.prank(caller);
        vm.expectRevert(abi.encodeWithSelector(Claims.NothingToClaim.selector, caller, nonce));
        smartBalance.claim(nonce);
    }
}
