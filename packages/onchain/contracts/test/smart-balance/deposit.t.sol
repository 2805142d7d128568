// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";

contract DepositTest is SmartBalanceTest {
    function testFuzz_deposit_18Decimals(uint64 amount) public {
        vm.assume(amount != 0);
        _on(A);
        uint256 units = uint256(amount) * 1e12;
        tokenOn[A].mint(account, units);
        vm.startPrank(account);
        tokenOn[A].approve(address(smartBalance), units);
        smartBalance.deposit(amount);
        vm.stopPrank();
        assertEq(_balance(account), amount, "balance");
        assertEq(smartBalance.totalDeposits(), amount, "totalDeposits");
        assertEq(smartBalance.liquidity(), LIQUIDITY, "liquidity");
    }

    function test_error_ZeroAmount() public {
        vm.expectRevert(abi.encodeWithSelector(Vault.ZeroAmount.selector));
        smartBalance.deposit(0);
    }

    function test_error_notApproved() public {
        vm.expectRevert();
        smartBalance.deposit(1);
    }
}
