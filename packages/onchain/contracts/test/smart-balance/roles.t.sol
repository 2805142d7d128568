// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev setOperator, setSettler and setPaused; the tests of the guarded functions test their effects.
contract RolesTest is SmartBalanceTest {
    function test_setOperator_default() public {
        vm.startPrank(ADMIN);
        smartBalance.setOperator(account, true);
        assertTrue(smartBalance.isOperator(account), "added immediately");
        smartBalance.setOperator(account, false);
        assertTrue(!smartBalance.isOperator(account), "removed immediately");
        vm.stopPrank();
    }

    function test_setSettler_default() public {
        vm.startPrank(ADMIN);
        smartBalance.setSettler(account, true);
        assertTrue(smartBalance.isSettler(account), "added immediately");
        smartBalance.setSettler(account, false);
        assertTrue(!smartBalance.isSettler(account), "removed immediately");
        vm.stopPrank();
    }

    function test_setPaused_default() public {
        vm.prank(ADMIN);
        smartBalance.setPaused(true);
        assertTrue(smartBalance.paused(), "paused");
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.setOperator(account, true);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.setSettler(account, true);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.setPaused(true);
    }
}
