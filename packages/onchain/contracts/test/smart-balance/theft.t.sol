// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {Exits} from "../../smart-balance/Exits.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @notice What a thief of an owner's key takes out of a deposit without the operator, as figures.
contract DepositTheftTest is SmartBalanceTest {
    uint128 private constant HELD = 300e6;
    address private constant THIEF = address(0x7417EF);

    event Lost(string when, uint256 lost, uint256 held);

    function setUp() public override {
        super.setUp();
        _on(O);
        _deposit(account, HELD);
        vm.prank(account);
        smartBalance.requestExit(HELD);
        vm.warp(block.timestamp + EXIT_DELAY - 1);
    }

    /// @dev An owner who is still there has seven days: nothing leaves before, and a cancellation begins them anew.
    function test_cancelledInTime() public {
        vm.startPrank(account);
        vm.expectPartialRevert(Exits.ExitNotReady.selector);
        smartBalance.finalizeExit(THIEF);
        smartBalance.cancelExit();
        vm.stopPrank();
        assertEq(tokenOn[O].balanceOf(THIEF), 0, "nothing is lost");
        assertEq(_balance(account), HELD, "all of it is there");
        emit Lost("cancelled within seven days", tokenOn[O].balanceOf(THIEF), HELD);
    }

    function test_leftAlone() public {
        vm.warp(block.timestamp + 1);
        vm.prank(account);
        smartBalance.finalizeExit(THIEF);
        assertEq(tokenOn[O].balanceOf(THIEF), HELD, "all of it is lost");
        emit Lost("left alone for seven days", tokenOn[O].balanceOf(THIEF), HELD);
    }
}
