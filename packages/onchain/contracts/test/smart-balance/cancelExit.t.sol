// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Exits} from "../../smart-balance/Exits.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract CancelExitTest is SmartBalanceTest {
    function test_default() public {
        _deposit(address(this), 100e6);
        smartBalance.requestExit(60e6);
        smartBalance.cancelExit();
        (uint128 balance, uint128 exiting, uint48 readyAt) = smartBalance.accounts(address(this));
        assertEq(balance, 100e6, "balance");
        assertEq(exiting, 0, "exiting");
        assertEq(readyAt, 0, "readyAt");
    }

    function test_event_ExitCancelled() public {
        _deposit(address(this), 100e6);
        smartBalance.requestExit(60e6);
        vm.expectEmit(address(smartBalance));
        emit Exits.ExitCancelled(address(this), 60e6);
        smartBalance.cancelExit();
    }

    function test_error_NoExit() public {
        vm.expectRevert(abi.encodeWithSelector(Exits.NoExit.selector));
        smartBalance.cancelExit();
    }
}
