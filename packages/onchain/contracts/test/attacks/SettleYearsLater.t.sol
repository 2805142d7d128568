// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {Outcome} from "../../interfaces/IOutcomeVerifier.sol";
import {MAX_SETTLEMENT_LEAD, SETTLEMENT_WINDOW} from "../../smart-balance/Constants.sol";
import {Settlement, Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: attestors and settler keep an order that was signed with a distant validUntil, and settle it as
/// claimed whenever the account has a deposit.
/// @dev Guard: a source settles only from an hour before validUntil until SETTLEMENT_WINDOW after it.
contract SettleYearsLaterTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _on(A);
        _depositAndPin(500e6);
    }

    function test_distantValidUntil() public {
        Settling memory item = _signedUntil(uint48(block.timestamp + 3650 days));
        _on(A);
        vm.prank(SETTLER);
        vm.expectRevert(
            abi.encodeWithSelector(
                Settlement.SettlementNotOpen.selector, block.timestamp + 3650 days - MAX_SETTLEMENT_LEAD
            )
        );
        smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof);
    }

    function test_default_firstAndLastSecond() public {
        Settling memory item = _signedUntil(uint48(block.timestamp + MAX_SETTLEMENT_LEAD + 1));
        uint256 validUntil = block.timestamp + MAX_SETTLEMENT_LEAD + 1;
        _on(A);
        vm.prank(SETTLER);
        vm.expectPartialRevert(Settlement.SettlementNotOpen.selector);
        smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof);
        vm.warp(block.timestamp + 1);
        assertEq(_settle(item), 101e6, "in the first second");
        Settling memory other = _signedUntil(uint48(validUntil));
        _on(A);
        vm.warp(validUntil + SETTLEMENT_WINDOW + 1);
        vm.prank(SETTLER);
        vm.expectRevert(
            abi.encodeWithSelector(Settlement.SettlementClosed.selector, validUntil + SETTLEMENT_WINDOW)
        );
        smartBalance.settle(other.chainId, other.signed, other.outcome, other.proof);
        vm.warp(validUntil + SETTLEMENT_WINDOW);
        // Another order of the nonce that was settled above, but the window is open.
        vm.prank(SETTLER);
        vm.expectPartialRevert(Settlement.NothingToSettle.selector);
        smartBalance.settle(other.chainId, other.signed, other.outcome, other.proof);
    }

    /// @dev Never included; attested as claimed.
    function _signedUntil(uint48 validUntil) private returns (Settling memory) {
        _on(O);
        Draft memory draft = _draft();
        draft.validUntil = validUntil;
        PackedUserOperation memory op = _build(draft);
        return Settling(O, _signed(op), Outcome.Claimed, _attest(_orderHash(draft, op), Outcome.Claimed));
    }
}
