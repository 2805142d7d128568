// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

/// @dev depositGas, withdrawGas, addStake, unlockStake and withdrawStake, with the real EntryPoint.
contract PaymasterFundsTest is SmartBalanceTest {
    address payable private constant RECIPIENT = payable(address(0x4EC));

    function test_gas_default() public {
        uint256 before = entryPoint.balanceOf(address(smartBalance));
        smartBalance.depositGas{value: 2 ether}();
        vm.prank(ADMIN);
        smartBalance.withdrawGas(RECIPIENT, 1 ether);
        assertEq(entryPoint.balanceOf(address(smartBalance)), before + 1 ether, "deposit");
        assertEq(RECIPIENT.balance, 1 ether, "received");
    }

    function test_stake_default() public {
        vm.deal(ADMIN, 1 ether);
        vm.startPrank(ADMIN);
        smartBalance.addStake{value: 1 ether}(1 days);
        smartBalance.unlockStake();
        vm.warp(block.timestamp + 1 days);
        smartBalance.withdrawStake(RECIPIENT);
        vm.stopPrank();
        assertEq(RECIPIENT.balance, 1 ether, "received");
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.withdrawGas(RECIPIENT, 1);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.addStake(1);
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.unlockStake();
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.withdrawStake(RECIPIENT);
    }
}
