// SPDX-License-Identifier: MIT
// @promise 13 23 A.3 A.10
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Claims} from "../../smart-balance/Claims.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";
import {Vm} from "../Test.sol";

/// @notice Attack: lower the cap or remove the liquidity under a pending order, and collect its failFee.
/// @dev Guard: postOp compares the loan with both at that moment.
contract CollectFailFeesTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(300e6);
        _on(O);
    }

    function test_byAnOutflowCapOf0() public {
        PackedUserOperation memory op = _build(_draft());
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(0);
        _expectNothingDue(op);
    }

    function test_byACapOneUnitTooLow() public {
        PackedUserOperation memory op = _build(_draft());
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(100e6 - 1);
        _expectNothingDue(op);
    }

    function test_byWithdrawingTheLiquidity() public {
        PackedUserOperation memory op = _build(_draft());
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY - 100e6 + 1);
        _expectNothingDue(op);
    }

    function test_byAPauseOrARevokedOperator() public {
        PackedUserOperation memory op = _build(_draft());
        vm.prank(ADMIN);
        smartBalance.setPaused(true);
        vm.expectRevert();
        _handle(op);
        vm.startPrank(ADMIN);
        smartBalance.setPaused(false);
        smartBalance.setOperator(vm.addr(OPERATOR_KEY), false);
        vm.stopPrank();
        vm.expectRevert();
        _handle(op);
        assertTrue(_outcome(account, op.nonce) == Outcome.None, "never included, so nothing is due");
    }

    /// @dev The opposite case: an account that makes its own operation fail pays. The reverted claim restores cap and
    /// liquidity.
    function test_theAccountPaysForItsOwnFailure() public {
        vm.prank(ADMIN);
        smartBalance.setOutflowCap(100e6);
        Draft memory draft = _draft();
        address[] memory targets = new address[](2);
        bytes[] memory calls = new bytes[](2);
        (targets[0], calls[0]) = (address(smartBalance), abi.encodeCall(smartBalance.claim, (draft.nonce)));
        (targets[1], calls[1]) =
            (address(tokenOn[O]), abi.encodeCall(tokenOn[O].transfer, (address(this), 100e6 + 1)));
        draft.callData = _batch(targets, calls);
        _handle(_build(draft));
        assertTrue(_outcome(account, draft.nonce) == Outcome.Failed, "its failFee is due");
    }

    /// @dev Nothing would have been lent, so neither cap nor liquidity is missing.
    function test_anOrderThatBorrowsNothingIsNeverUnfunded() public {
        vm.startPrank(ADMIN);
        smartBalance.setOutflowCap(0);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
        vm.stopPrank();
        Draft memory draft = _draft();
        draft.claimAmount = 0;
        draft.debits[0].amount = 2e6;
        draft.callData = _call(address(0xDEAD), "");
        _handle(_build(draft));
        assertTrue(_outcome(account, draft.nonce) == Outcome.Failed, "its failFee is due");
    }

    /// @dev The cap of an earlier hour does not count in this one.
    function test_aNewHourHasTheFullCap() public {
        tokenOn[O].mint(address(smartBalance), LIQUIDITY);
        _claimed(_capDraft(0));
        vm.warp(block.timestamp + 1 hours);
        Draft memory draft = _capDraft(1 << 64);
        draft.callData = _call(address(0xDEAD), "");
        _handle(_build(draft));
        assertTrue(_outcome(account, draft.nonce) == Outcome.Failed, "its failFee is due");
    }

    /// @dev A remaining case, in favour of the account: its own first order uses up the cap, and the second one fails
    /// without a fee. The service reserves the cap as it reserves liquidity, and therefore does not sign the second
    /// order.
    function test_twoOrdersOfOneAccountAtTheEdgeOfTheCap() public {
        Draft memory first = _capDraft(0);
        Draft memory second = _capDraft(1 << 64);
        second.claimAmount = 1;
        second.debits[0].amount = 2e6;
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (_build(first), _build(second));
        entryPoint.handleOps(ops, BUNDLER);
        assertTrue(_outcome(account, first.nonce) == Outcome.Claimed, "the first borrowed the whole cap");
        assertTrue(_outcome(account, second.nonce) == Outcome.Unfunded, "the second owes nothing");
        assertEq(tokenOn[O].balanceOf(account), CAP, "lent");
    }

    /// @dev Both fit exactly: reaching the cap is not a failure.
    function test_twoOrdersOfOneAccountThatFillTheCap() public {
        Draft memory first = _capDraft(0);
        Draft memory second = _capDraft(1 << 64);
        first.claimAmount = CAP - 100e6;
        second.claimAmount = 100e6;
        PackedUserOperation[] memory ops = new PackedUserOperation[](2);
        (ops[0], ops[1]) = (_build(first), _build(second));
        entryPoint.handleOps(ops, BUNDLER);
        assertTrue(_outcome(account, second.nonce) == Outcome.Claimed, "claimed");
        assertEq(tokenOn[O].balanceOf(account), CAP, "lent");
    }

    function _capDraft(uint256 nonce) private view returns (Draft memory draft) {
        draft = _draft();
        draft.nonce = nonce;
        draft.callData = _claimCall(nonce);
        draft.claimAmount = CAP;
    }

    /// @dev The operation was included, the attestors tell the truth about it, and that settles nothing.
    function _expectNothingDue(PackedUserOperation memory op) private {
        vm.recordLogs();
        _handle(op);
        assertTrue(_outcome(account, op.nonce) == Outcome.Unfunded, "unfunded");
        bytes32 orderHash = _orderHashOfLog();
        Settling memory item = Settling(O, _signed(op), Outcome.Unfunded, _attest(orderHash, Outcome.Unfunded));
        _on(A);
        vm.expectPartialRevert(Settlement.OutcomeNotProven.selector);
        _settle(item);
        item.outcome = Outcome.Failed;
        vm.expectPartialRevert(Settlement.OutcomeNotProven.selector);
        _settle(item);
        assertEq(_balance(account), 300e6, "the whole deposit");
    }

    function _orderHashOfLog() private returns (bytes32) {
        Vm.Log[] memory logs = vm.getRecordedLogs();
        for (uint256 i; i < logs.length; ++i) {
            if (logs[i].topics[0] == Claims.OrderUnfunded.selector) return logs[i].topics[1];
        }
        revert NotTrue("OrderUnfunded");
    }
}
