// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {SETTLEMENT_WINDOW, SIGNER_REMOVAL_DELAY} from "../../smart-balance/Constants.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {OrderLib} from "../../smart-balance/libraries/Order.sol";
import {PaymasterData} from "../../smart-balance/libraries/PaymasterData.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract SettleTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        _on(O);
    }

    /// @dev Real EntryPoint and Safe: claims on O, settles on A, exact to the unit.
    function test_default() public {
        Settling memory item = _claimed(_draft());
        assertEq(tokenOn[O].balanceOf(account), 100e6, "received on O");
        assertEq(smartBalance.liquidity(), LIQUIDITY - 100e6, "liquidity on O");
        _on(A);
        assertEq(_settle(item), 101e6, "taken on A");
        assertEq(_balance(account), 199e6, "balance on A");
        assertEq(smartBalance.totalDeposits(), 199e6, "totalDeposits on A");
        assertEq(smartBalance.liquidity(), LIQUIDITY + 101e6, "liquidity on A");
    }

    function test_event_OrderSettled() public {
        Draft memory draft = _draft();
        bytes32 orderHash = _orderHash(draft, _build(draft));
        Settling memory item = _claimed(draft);
        _on(A);
        vm.expectEmit(address(smartBalance));
        emit Settlement.OrderSettled(orderHash, account, O, Outcome.Claimed, 101e6, 0);
        _settle(item);
    }

    function test_event_OrderSettled_inPart() public {
        _claimedAndSettled();
        _claimedAndSettled();
        Draft memory draft = _draftOnOutput();
        bytes32 orderHash = _orderHash(draft, _build(draft));
        Settling memory item = _claimed(draft);
        _on(A);
        vm.expectEmit(address(smartBalance));
        emit Settlement.OrderSettled(orderHash, account, O, Outcome.Claimed, 98e6, 3e6);
        _settle(item);
    }

    function test_behavior_failedOrderOwesTheFailFee() public {
        Settling memory item = _failed(_draft());
        _on(A);
        assertEq(_settle(item), 2e6, "taken");
        assertEq(_balance(account), 298e6, "balance");
    }

    function test_behavior_theRestStaysDue() public {
        Settling memory first = _claimed(_draft());
        Settling memory second = _claimed(_draft());
        Settling memory third = _claimed(_draft());
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(300e6);
        assertEq(_settle(first) + _settle(second), 202e6, "two");
        assertEq(_settle(third), 98e6, "a part of the third, from what exits");
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        assertEq(balance, 0, "balance");
        assertEq(exiting, 0, "an exit never exceeds the balance");
        _deposit(account, 500e6);
        assertEq(_settle(third), 3e6, "the rest");
        _expectSettleRevert(Settlement.NothingToSettle.selector, third);
    }

    /// @dev What exits is taken last, and what the rest covers leaves it as it was.
    function test_behavior_anExitBelowTheRestStays() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(50e6);
        _settle(item);
        (uint128 balance, uint128 exiting,) = smartBalance.accounts(account);
        assertEq(balance, 199e6, "balance");
        assertEq(exiting, 50e6, "exiting");
    }

    function test_behavior_oneUnit() public {
        _on(B);
        _depositAndPin(1);
        _on(O);
        Draft memory draft = _draft();
        draft.debits[0].chainId = B;
        Settling memory item = _claimed(draft);
        _on(B);
        assertEq(_settle(item), 1, "taken");
        (Outcome outcome, uint128 amount,) = smartBalance.settled(account, O, draft.nonce);
        assertTrue(outcome == Outcome.Claimed, "outcome");
        assertEq(amount, 1, "amount");
    }

    /// @dev The pin must last until validUntil, and this one ends in that second.
    function test_behavior_signerPinnedUntilTheLastSecond() public {
        _on(A);
        vm.prank(account);
        smartBalance.removeSigner(_ownerId());
        vm.warp(block.timestamp + SIGNER_REMOVAL_DELAY - 10 minutes);
        Settling memory item = _claimed(_draftOnOutput());
        _on(A);
        assertEq(_settle(item), 101e6, "taken");
    }

    function test_behavior_lastSecondOfTheWindow() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.warp(block.timestamp + 10 minutes + SETTLEMENT_WINDOW);
        assertEq(_settle(item), 101e6, "taken");
    }

    function test_behavior_revokedOperatorStrandsNothing() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.prank(ADMIN);
        smartBalance.setOperator(vm.addr(OPERATOR_KEY), false);
        assertEq(_settle(item), 101e6, "taken");
    }

    function test_error_SettlementClosed() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.warp(block.timestamp + 10 minutes + SETTLEMENT_WINDOW + 1);
        _expectSettleRevert(Settlement.SettlementClosed.selector, item);
    }

    /// @dev The output network rejects such an order. The source does not depend on that.
    function test_error_DebitsTooHigh() public {
        Draft memory draft = _draft();
        draft.debits[0].amount = 300e6;
        PackedUserOperation memory op = _build(draft);
        bytes memory proof = _attest(_orderHash(draft, op), Outcome.Claimed);
        _on(A);
        _expectSettleRevert(OrderLib.DebitsTooHigh.selector, Settling(O, _signed(op), Outcome.Claimed, proof));
    }

    function test_error_NotSettler() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        vm.expectPartialRevert(Administration.NotSettler.selector);
        smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof);
    }

    function test_error_NothingToSettle() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        _settle(item);
        _expectSettleRevert(Settlement.NothingToSettle.selector, item);
    }

    function test_error_NoDebitHere() public {
        Settling memory item = _claimed(_draft());
        _on(B);
        _depositAndPin(300e6);
        _expectSettleRevert(Settlement.NoDebitHere.selector, item);
    }

    function test_error_SettlementOnOutputNetwork() public {
        Settling memory item = _claimed(_draft());
        _expectSettleRevert(Settlement.SettlementOnOutputNetwork.selector, item);
    }

    function test_error_OtherPaymaster() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        item.signed.paymasterAndData[0] ^= 0x01;
        _expectSettleRevert(Settlement.OtherPaymaster.selector, item);
    }

    function test_error_paymasterDataCutShort() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        item.signed.paymasterAndData = new bytes(19);
        _expectSettleRevert(PaymasterData.MalformedPaymasterData.selector, item);
        item.signed.paymasterAndData = new bytes(20);
        _expectSettleRevert(Settlement.OtherPaymaster.selector, item);
    }

    function test_error_SignerNotPinned_removedBefore() public {
        _on(A);
        vm.prank(account);
        smartBalance.removeSigner(_ownerId());
        vm.warp(block.timestamp + SIGNER_REMOVAL_DELAY);
        Settling memory item = _claimed(_draft());
        _on(A);
        _expectSettleRevert(Settlement.SignerNotPinned.selector, item);
    }

    function test_error_OutcomeNotProven_none() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        item.outcome = Outcome.None;
        _expectSettleRevert(Settlement.OutcomeNotProven.selector, item);
    }

    /// @dev Attestors that contradict themselves get one of the two amounts, not the sum.
    function test_error_OutcomeNotProven_otherOutcomeSettled() public {
        Settling memory item = _failed(_draft());
        bytes32 orderHash = _hashOf(item);
        _on(A);
        _settle(item);
        item.outcome = Outcome.Claimed;
        item.proof = _attest(orderHash, Outcome.Claimed);
        _expectSettleRevert(Settlement.OutcomeNotProven.selector, item);
    }

    function _hashOf(Settling memory) private returns (bytes32) {
        // The nonce is used, so the draft is rebuilt with it.
        Draft memory draft = _draft();
        draft.nonce -= 1;
        draft.callData = _call(address(0xDEAD), "");
        _on(O);
        return _orderHash(draft, _buildUnsigned(draft));
    }

    function _expectSettleRevert(bytes4 selector, Settling memory item) private {
        vm.expectPartialRevert(selector);
        _settle(item);
    }

    function _claimedAndSettled() private {
        Settling memory item = _claimed(_draftOnOutput());
        _on(A);
        _settle(item);
    }

    function _draftOnOutput() private returns (Draft memory) {
        _on(O);
        return _draft();
    }
}
