// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {Exits} from "../../smart-balance/Exits.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract RequestExitTest is SmartBalanceTest {
    function setUp() public override {
        super.setUp();
        _deposit(address(this), 100e6);
    }

    function test_default() public {
        smartBalance.requestExit(60e6);
        (uint128 balance, uint128 exiting, uint48 readyAt) = smartBalance.accounts(address(this));
        assertEq(balance, 100e6, "balance");
        assertEq(exiting, 60e6, "exiting");
        assertEq(readyAt, block.timestamp + EXIT_DELAY, "readyAt");
    }

    function test_event_ExitRequested() public {
        vm.expectEmit(address(smartBalance));
        emit Exits.ExitRequested(address(this), 60e6, uint48(block.timestamp + EXIT_DELAY));
        smartBalance.requestExit(60e6);
    }

    function test_behavior_anotherRequestRestartsTheDelay() public {
        smartBalance.requestExit(60e6);
        vm.warp(block.timestamp + EXIT_DELAY - 1);
        smartBalance.requestExit(100e6);
        (, uint128 exiting, uint48 readyAt) = smartBalance.accounts(address(this));
        assertEq(exiting, 100e6, "exiting");
        assertEq(readyAt, 1_800_000_000 + 2 * uint256(EXIT_DELAY) - 1, "readyAt");
    }

    function test_error_ZeroAmount() public {
        vm.expectRevert(abi.encodeWithSelector(Vault.ZeroAmount.selector));
        smartBalance.requestExit(0);
    }

    function test_error_InsufficientBalance() public {
        vm.expectRevert(abi.encodeWithSelector(Vault.InsufficientBalance.selector, 100e6, 100e6 + 1));
        smartBalance.requestExit(100e6 + 1);
    }
}
