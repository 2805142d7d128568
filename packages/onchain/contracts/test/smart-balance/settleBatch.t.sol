// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract SettleBatchTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        _on(O);
    }

    function test_default() public {
        Settling[] memory batch = new Settling[](2);
        (batch[0], batch[1]) = (_claimed(_draft()), _failed(_draft()));
        _on(A);
        vm.prank(SETTLER);
        uint128[] memory taken = smartBalance.settleBatch(batch);
        assertEq(taken[0], 101e6, "claimed");
        assertEq(taken[1], 2e6, "failed");
        assertEq(_balance(account), 197e6, "balance");
    }

    /// @dev A settler that was killed may therefore send the same batch again.
    function test_behavior_skipsSettledOrders() public {
        Settling[] memory batch = new Settling[](3);
        (batch[0], batch[1]) = (_claimed(_draft()), _claimed(_draft()));
        batch[2] = batch[0];
        _on(A);
        _settle(batch[0]);
        vm.prank(SETTLER);
        uint128[] memory taken = smartBalance.settleBatch(batch);
        assertEq(taken[0], 0, "settled before");
        assertEq(taken[1], 101e6, "settled now");
        assertEq(taken[2], 0, "twice in one batch");
        assertEq(_balance(account), 98e6, "balance");
    }

    /// @dev Nothing is recorded, so a later deposit still pays.
    function test_behavior_skipsAnAccountWithoutBalance() public {
        _on(B);
        vm.prank(account);
        smartBalance.addSigner(_ownerId());
        _on(O);
        Draft memory draft = _draft();
        draft.debits[0].chainId = B;
        Settling[] memory batch = new Settling[](1);
        batch[0] = _claimed(draft);
        _on(B);
        vm.prank(SETTLER);
        assertEq(smartBalance.settleBatch(batch)[0], 0, "taken");
        (Outcome outcome,,) = smartBalance.settled(account, O, draft.nonce);
        assertTrue(outcome == Outcome.None, "no outcome");
        _deposit(account, 200e6);
        assertEq(_settle(batch[0]), 101e6, "taken later");
    }

    function test_error_oneBadOrderRevertsTheBatch() public {
        Settling[] memory batch = new Settling[](2);
        (batch[0], batch[1]) = (_claimed(_draft()), _claimed(_draft()));
        batch[1].outcome = Outcome.Failed;
        _on(A);
        vm.prank(SETTLER);
        vm.expectPartialRevert(Settlement.OutcomeNotProven.selector);
        smartBalance.settleBatch(batch);
    }

    function test_error_NotSettler() public {
        Settling[] memory batch = new Settling[](1);
        batch[0] = _claimed(_draft());
        _on(A);
        vm.expectRevert(abi.encodeWithSelector(Administration.NotSettler.selector, address(this)));
        smartBalance.settleBatch(batch);
    }
}
