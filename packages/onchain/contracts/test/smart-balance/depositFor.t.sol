// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";
import {FalseToken, FeeToken, SilentToken} from "./Tokens.sol";

contract DepositForTest is SmartBalanceTest {
    function test_default() public {
        _deposit(account, 5e6);
        assertEq(_balance(account), 5e6, "balance");
        assertEq(_balance(address(this)), 0, "the payer's");
    }

    function test_event_Deposited() public {
        tokenOn[O].mint(address(this), 5e6);
        tokenOn[O].approve(address(smartBalance), 5e6);
        vm.expectEmit(address(smartBalance));
        emit Vault.Deposited(account, address(this), 5e6);
        smartBalance.depositFor(account, 5e6);
    }

    /// @dev Attack 7. Guard: the received amount is compared with the stated one.
    function test_attack7_feeOnTransfer() public {
        _replaceToken(address(new FeeToken()).code);
        vm.expectRevert(abi.encodeWithSelector(Vault.WrongAmountReceived.selector, 99e6, 100e6));
        smartBalance.depositFor(account, 100e6);
    }

    /// @dev Attack 7. Guard: SafeERC20.
    function test_attack7_returnsFalse() public {
        _replaceToken(address(new FalseToken()).code);
        vm.expectPartialRevert(SafeERC20.SafeERC20FailedOperation.selector);
        smartBalance.depositFor(account, 100e6);
    }

    function test_attack7_returnsNothing() public {
        _replaceToken(address(new SilentToken()).code);
        smartBalance.depositFor(account, 100e6);
        assertEq(_balance(account), 100e6, "balance");
    }

    function _replaceToken(bytes memory code) private {
        tokenOn[O].mint(address(this), 100e6);
        tokenOn[O].approve(address(smartBalance), 100e6);
        vm.etch(address(tokenOn[O]), code);
    }
}
