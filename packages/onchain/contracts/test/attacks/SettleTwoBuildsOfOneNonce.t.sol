// SPDX-License-Identifier: MIT
// @promise 13 23 A.4 A.10
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: have the owner sign two builds of one nonce (for example with higher fees), include one, and let
/// colluding attestors state that both were claimed.
/// @dev Guard: one settlement for each account, network and nonce.
contract SettleTwoBuildsOfOneNonceTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        for (uint64 id = A; id <= B; ++id) {
            _on(id);
            _depositAndPin(300e6);
        }
        _on(O);
    }

    function test_onOneNetwork() public {
        (Settling memory first, Settling memory second) = _twoBuilds(_draft(), A);
        _on(A);
        assertEq(_settle(first), 101e6, "the first");
        vm.expectPartialRevert(Settlement.OtherOrderSettled.selector);
        _settle(second);
        assertEq(_balance(account), 199e6, "one debit");
    }

    function test_settlingTheOneThatDidNotHappenFirst() public {
        (Settling memory first, Settling memory second) = _twoBuilds(_draft(), A);
        _on(A);
        assertEq(_settle(second), 50e6, "colluders settle the other");
        vm.expectPartialRevert(Settlement.OtherOrderSettled.selector);
        _settle(first);
        assertEq(_balance(account), 250e6, "one debit");
    }

    function test_withTheRestOfTheFirstStillDue() public {
        Draft memory draft = _draft();
        draft.claimAmount = 400e6;
        draft.debits[0].amount = 404e6;
        (Settling memory first, Settling memory second) = _twoBuilds(draft, A);
        _on(A);
        assertEq(_settle(first), 300e6, "the whole deposit");
        _deposit(account, 200e6);
        vm.expectPartialRevert(Settlement.OtherOrderSettled.selector);
        _settle(second);
        assertEq(_settle(first), 104e6, "the rest of the same order");
    }

    function test_inOneBatch() public {
        (Settling memory first, Settling memory second) = _twoBuilds(_draft(), A);
        Settling[] memory batch = new Settling[](2);
        (batch[0], batch[1]) = (first, second);
        _on(A);
        vm.prank(SETTLER);
        vm.expectPartialRevert(Settlement.OtherOrderSettled.selector);
        smartBalance.settleBatch(batch);
    }

    /// @dev Settles as failed what was settled as claimed, and vice versa.
    function test_withTheOtherOutcome() public {
        (Settling memory first, Settling memory second) = _twoBuilds(_draft(), A);
        _on(A);
        _settle(first);
        second.outcome = Outcome.Failed;
        vm.expectPartialRevert(Settlement.OtherOrderSettled.selector);
        _settle(second);
    }

    /// @dev A remaining case, listed in SECURITY.md: a network does not know what another one settled. If attestors,
    /// operator and settler collude, builds of one nonce with different sources settle on each.
    function test_remains_onDifferentNetworks() public {
        (Settling memory first, Settling memory second) = _twoBuilds(_draft(), B);
        _on(A);
        assertEq(_settle(first), 101e6, "the first on A");
        _on(B);
        assertEq(_settle(second), 50e6, "the second on B");
    }

    /// @dev Owner and operator sign both, and both are attested as claimed. Only the first is included on O.
    function _twoBuilds(Draft memory draft, uint64 source)
        private
        returns (Settling memory first, Settling memory second)
    {
        Draft memory other = _draft();
        other.debits[0] = Debit(source, 50e6, 1e6);
        PackedUserOperation memory op = _build(other);
        bytes32 orderHash = _orderHash(other, op);
        first = _claimed(draft);
        second = Settling(O, _signed(op), Outcome.Claimed, _attest(orderHash, Outcome.Claimed));
    }
}
