// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";
import {SenderFeeToken} from "./Tokens.sol";

contract WithdrawLiquidityTest is SmartBalanceTest {
    function test_default() public {
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(address(0x4EC), 10e6);
        assertEq(tokenOn[O].balanceOf(address(0x4EC)), 10e6, "received");
        assertEq(smartBalance.liquidity(), LIQUIDITY - 10e6, "liquidity");
    }

    /// @dev Attack 1. The owner cannot take any deposit.
    function test_attack1_InsufficientLiquidity() public {
        _deposit(account, 500e6);
        vm.prank(ADMIN);
        vm.expectRevert(
            abi.encodeWithSelector(Vault.InsufficientLiquidity.selector, LIQUIDITY, LIQUIDITY + 1)
        );
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY + 1);
    }

    /// @dev Attacks 1 and 7, with a token of 18 decimals. Guard: deposits are compared with the balance after every
    /// outflow, in the token's units.
    function test_attack7_feeFromTheSenderNeverEatsDeposits() public {
        _on(A);
        _deposit(account, 500e6);
        vm.etch(address(tokenOn[A]), address(new SenderFeeToken()).code);
        vm.prank(ADMIN);
        vm.expectPartialRevert(Vault.DepositsNotCovered.selector);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
    }

    /// @dev A token may take from its holders.
    function test_behavior_noLiquidityBelowTheDeposits() public {
        _deposit(account, 500e6);
        vm.prank(address(smartBalance));
        tokenOn[O].transfer(ADMIN, LIQUIDITY + 1);
        assertEq(smartBalance.liquidity(), 0, "liquidity");
    }

    function test_error_notOwner() public {
        vm.expectPartialRevert(Ownable.OwnableUnauthorizedAccount.selector);
        smartBalance.withdrawLiquidity(ADMIN, 1);
    }

    /// @dev Less than one unit of 6 decimals cannot be lent: rounding up would lend a part of a deposit.
    function test_liquidityIsRoundedDown() public {
        _on(A);
        _deposit(account, 100e6);
        uint256 before = smartBalance.liquidity();
        tokenOn[A].mint(address(smartBalance), 1e12 - 1);
        assertEq(smartBalance.liquidity(), before, "not a whole unit");
        tokenOn[A].mint(address(smartBalance), 1);
        assertEq(smartBalance.liquidity(), before + 1, "a whole unit");
    }
}
