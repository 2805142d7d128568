// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev Validation directly, by EntryPoint's address; claims that go wrong inside of EntryPoint are in attacks.t.sol.
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
        assertTrue(_outcome(account, draft.nonce) == Outcome.Claimed, "outcome");
    }

    /// @dev An operation that only owes its fee.
    function test_behavior_zeroAmount() public {
        Draft memory draft = _draft();
        draft.claimAmount = 0;
        draft.debits[0] = Debit(A, 1e6, 1e6);
        _handle(_build(draft));
        assertTrue(_outcome(account, draft.nonce) == Outcome.Claimed, "outcome");
    }

    /// @dev Attack 2. Guard: transient storage.
    function test_attack2_laterTransaction() public {
        _expectNothing(account, 1 << 64);
    }

    /// @dev Attack 2. Guards, either suffices: the outcome is recorded, and the order removed, before it is paid.
    function test_attack2_twice() public {
        Draft memory draft = _draft();
        _validate(draft);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        _expectNothing(account, draft.nonce);
    }

    /// @dev Attack 2. Guard: the recorded outcome alone, since the order is pending again. EntryPoint uses a nonce once;
    /// the liquidity does not depend on it.
    function test_attack2_validatedAgain() public {
        Draft memory draft = _draft();
        _validate(draft);
        vm.prank(account);
        smartBalance.claim(draft.nonce);
        _validate(draft);
        _expectNothing(account, draft.nonce);
    }

    /// @dev Attack 6. Guard: orders are kept by account.
    function test_attack6_byAnotherAccount() public {
        Draft memory draft = _draft();
        _validate(draft);
        _expectNothing(address(this), draft.nonce);
    }

    /// @dev All delays rest on MAX_VALIDITY.
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
