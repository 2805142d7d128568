// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {Debit} from "../../smart-balance/libraries/Order.sol";
import {PaymasterData} from "../../smart-balance/libraries/PaymasterData.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: the operator signs a validUntil that {Claims-claim} rejects, so that the account owes failFees for a
/// failure that is not its own.
/// @dev Guard: validation returns validAfter = validUntil − MAX_VALIDITY, so EntryPoint rejects the operation.
contract OweForTheOperatorsValidityTest is SmartBalanceTest {
    function test_tooLong() public {
        Draft memory draft = _draft();
        draft.validUntil += 1;
        PackedUserOperation memory op = _build(draft);
        vm.expectRevert(abi.encodeWithSignature("FailedOp(uint256,string)", 0, "AA32 paymaster expired or not due"));
        _handle(op);
        assertTrue(_outcome(account, 0) == Outcome.None, "nothing is owed");
    }

    /// @dev A second later it is valid.
    function test_default_longest() public {
        Draft memory draft = _draft();
        draft.validUntil += 1;
        PackedUserOperation memory op = _build(draft);
        vm.warp(block.timestamp + 1);
        _handle(op);
        assertTrue(_outcome(account, 0) == Outcome.Claimed, "claimed");
    }

    /// @dev A sponsorship lends nothing, so it may be valid for longer.
    function test_default_sponsorship() public {
        Draft memory draft = _draft();
        draft.claimAmount = 0;
        draft.debits = new Debit[](0);
        draft.callData = _call(address(0xDEAD), "");
        draft.validUntil += 1 days;
        _handle(_build(draft));
        assertEq(entryPoint.getNonce(account, 0), 1, "included");
    }

    /// @dev The least validUntil that has a validAfter.
    function test_tooEarlyToHaveAValidAfter() public {
        vm.warp(500);
        Draft memory draft = _draft();
        draft.validUntil = 599;
        PackedUserOperation memory op = _build(draft);
        vm.prank(address(entryPoint));
        vm.expectRevert(abi.encodeWithSelector(PaymasterData.MalformedPaymasterData.selector));
        smartBalance.validatePaymasterUserOp(op, 0, 0);
        draft.validUntil = 600;
        op = _build(draft);
        vm.prank(address(entryPoint));
        (, uint256 validationData) = smartBalance.validatePaymasterUserOp(op, 0, 0);
        assertEq(validationData, uint256(600) << 160, "validAfter 0, validUntil 600");
    }
}
