// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {EXIT_DELAY, MAX_VALIDITY, PAUSE_BUDGET, SETTLEMENT_WINDOW} from "../../smart-balance/Constants.sol";
import {Administration} from "../../smart-balance/Administration.sol";
import {Settling} from "../../smart-balance/Settlement.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

/// @notice Attack: thieves of attestors and settler settle orders that were not claimed, while the owner waits behind a
/// timelock. Guard: the pauser stops settlement, for at most 36 hours in any 14 days. The other side: a stolen pauser
/// can neither keep settlement from happening within its window, nor stop an exit.
contract StopStolenAttestorsTest is SmartBalanceTest {
    address private constant PAUSER = address(0x9A05E4);

    function setUp() public override {
        super.setUp();
        for (uint64 id = O; id <= A; ++id) {
            _on(id);
            vm.prank(ADMIN);
            smartBalance.setPauser(PAUSER);
        }
        _depositAndPin(500e6);
    }

    function test_pausedSettlementSettlesNothing() public {
        Settling memory item = _claimed(_draft());
        _on(A);
        uint256 until = block.timestamp + 24 hours;
        _pause(24);
        Settling[] memory items = new Settling[](1);
        items[0] = item;
        _expectPaused(until);
        smartBalance.settleBatch(items);
        vm.warp(until - 1);
        _expectPaused(until);
        smartBalance.settle(item.chainId, item.signed, item.outcome, item.proof);
        vm.warp(until);
        assertEq(_settle(item), 101e6, "afterwards it settles");
    }

    function test_exitsDuringThePause() public {
        vm.prank(account);
        smartBalance.requestExit(500e6);
        vm.warp(block.timestamp + EXIT_DELAY);
        _pause(36);
        vm.prank(account);
        smartBalance.finalizeExit(account);
        assertEq(_balance(account), 0, "out");
    }

    function test_extendsThePause() public {
        uint256 start = block.timestamp;
        _pause(12);
        vm.warp(start + 6 hours);
        _pause(24);
        assertEq(smartBalance.settlementPausedUntil(), start + 36 hours, "one after the other");
        _expectTooLong(1, 37 hours);
    }

    function test_budget() public {
        _expectTooLong(0, 0);
        _expectTooLong(37, 37 hours);
        uint256 start = block.timestamp;
        _pause(36);
        vm.warp(start + 14 days - 1);
        _expectTooLong(36, 36 hours + 1 hours * 36 - 36 hours + 1);
        _expectTooLong(255, 255 hours);
    }

    /// @dev Any 14 days, not periods of 14 days.
    function test_budgetRolls() public {
        uint256 start = block.timestamp;
        _pause(36);
        // The new pause ends 14 days and n hours after the old one began, of which 36 − n hours still count.
        vm.warp(start + 14 days);
        _pause(36);
        vm.warp(start + 15 days + 12 hours);
        _expectTooLong(1, 37 hours);
        vm.warp(start + 28 days);
        _pause(1);
        _pause(35);
        _expectTooLong(1, 37 hours);
    }

    /// @dev In each window of settlement, five days remain, and every order can be settled in them before any exit.
    function test_stolenPauserCannotPreventSettlement() public {
        Settling memory item = _claimed(_draft());
        uint256 closesAt = block.timestamp + MAX_VALIDITY + SETTLEMENT_WINDOW;
        _on(A);
        vm.prank(account);
        smartBalance.requestExit(500e6);
        uint256 readyAt = block.timestamp + EXIT_DELAY;
        assertTrue(closesAt < readyAt, "closes before an exit is ready");
        assertTrue(PAUSE_BUDGET + 5 days <= SETTLEMENT_WINDOW, "five days are left");
        vm.warp(closesAt - 36 hours);
        _pause(36);
        vm.warp(closesAt);
        assertEq(_settle(item), 101e6, "the last second is open");
    }

    function test_pauserOnlyStops() public {
        vm.startPrank(PAUSER);
        smartBalance.setPaused(true);
        smartBalance.setOperator(vm.addr(OPERATOR_KEY), false);
        bytes memory refusal = abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, PAUSER);
        vm.expectRevert(refusal);
        smartBalance.setPaused(false);
        vm.expectRevert(refusal);
        smartBalance.setOperator(PAUSER, true);
        vm.expectRevert(refusal);
        smartBalance.setPauser(address(1));
        vm.stopPrank();
        vm.expectRevert(abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, address(this)));
        smartBalance.pauseSettlement(1);
        vm.prank(ADMIN);
        smartBalance.pauseSettlement(1);
    }

    /// @dev No sequence of pauses exceeds the budget in any 14 days.
    function test_fuzz_anyFourteenDays(uint256 seed) public {
        uint256[] memory from = new uint256[](40);
        uint256[] memory until = new uint256[](40);
        uint256 count;
        for (uint256 i; i < 40; ++i) {
            seed = uint256(keccak256(abi.encode(seed)));
            vm.warp(block.timestamp + seed % (4 days));
            uint256 begin = smartBalance.settlementPausedUntil();
            if (begin < block.timestamp) begin = block.timestamp;
            vm.prank(PAUSER);
            try smartBalance.pauseSettlement(uint8(1 + (seed >> 128) % 40)) {
                (from[count], until[count]) = (begin, smartBalance.settlementPausedUntil());
                ++count;
            } catch {}
        }
        for (uint256 i; i < count; ++i) {
            assertTrue(_pausedBetween(from, until, from[i], from[i] + 14 days) <= 36 hours, "from its start");
            assertTrue(_pausedBetween(from, until, until[i] - 14 days, until[i]) <= 36 hours, "until its end");
        }
    }

    function _pausedBetween(uint256[] memory from, uint256[] memory until, uint256 start, uint256 end)
        private
        pure
        returns (uint256 total)
    {
        for (uint256 i; i < from.length; ++i) {
            uint256 first = from[i] > start ? from[i] : start;
            uint256 last = until[i] < end ? until[i] : end;
            if (last > first) total += last - first;
        }
    }

    function _pause(uint8 hours_) private {
        vm.prank(PAUSER);
        smartBalance.pauseSettlement(hours_);
    }

    function _expectPaused(uint256 until) private {
        vm.prank(SETTLER);
        vm.expectRevert(abi.encodeWithSelector(Administration.SettlementIsPaused.selector, until));
    }

    function _expectTooLong(uint8 hours_, uint256 total) private {
        vm.prank(PAUSER);
        vm.expectRevert(abi.encodeWithSelector(Administration.InvalidPause.selector, total));
        smartBalance.pauseSettlement(hours_);
    }
}
