// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {Exits} from "../../smart-balance/Exits.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "./SmartBalanceTest.sol";
import {BlockingToken, HookToken, Listener, SenderFeeToken} from "./Tokens.sol";

contract FinalizeExitTest is SmartBalanceTest {
    address private constant RECIPIENT = address(0x4EC);

    function setUp() public override {
        super.setUp();
        _on(O);
        _deposit(address(this), 100e6);
        smartBalance.requestExit(60e6);
    }

    function test_default() public {
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.finalizeExit(RECIPIENT);
        assertEq(tokenOn[O].balanceOf(RECIPIENT), 60e6, "received");
        assertEq(_balance(address(this)), 40e6, "balance");
        assertEq(smartBalance.liquidity(), LIQUIDITY, "liquidity");
        (, uint128 exiting, uint48 readyAt) = smartBalance.accounts(address(this));
        assertEq(exiting, 0, "exiting");
        assertEq(readyAt, 0, "readyAt");
    }

    function test_event_ExitFinalized() public {
        vm.warp(block.timestamp + EXIT_DELAY);
        vm.expectEmit(address(smartBalance));
        emit Exits.ExitFinalized(address(this), RECIPIENT, 60e6);
        smartBalance.finalizeExit(RECIPIENT);
    }

    /// @dev Attack 3. Guard: exits check no role, pause, cap or liquidity.
    function test_attack3_readyExitAlwaysPays() public {
        vm.startPrank(ADMIN);
        smartBalance.setPaused(true);
        smartBalance.setOutflowCap(0);
        smartBalance.setOperator(vm.addr(OPERATOR_KEY), false);
        smartBalance.setSettler(SETTLER, false);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
        vm.stopPrank();
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.finalizeExit(RECIPIENT);
        assertEq(tokenOn[O].balanceOf(RECIPIENT), 60e6, "received");
    }

    /// @dev Attack 7. The account can choose another recipient if one is blocked.
    function test_attack7_blockedRecipient() public {
        vm.etch(address(tokenOn[O]), address(new BlockingToken()).code);
        vm.warp(block.timestamp + EXIT_DELAY);
        vm.expectPartialRevert(BlockingToken.Blocked.selector);
        smartBalance.finalizeExit(address(0xB10C));
        smartBalance.finalizeExit(RECIPIENT);
        assertEq(tokenOn[O].balanceOf(RECIPIENT), 60e6, "received");
    }

    /// @dev Attacks 1 and 7. Guard: deposits are compared with the balance after every outflow.
    function test_attack7_feeFromTheSenderNeverEatsDeposits() public {
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
        vm.etch(address(tokenOn[O]), address(new SenderFeeToken()).code);
        vm.warp(block.timestamp + EXIT_DELAY);
        vm.expectPartialRevert(Vault.DepositsNotCovered.selector);
        smartBalance.finalizeExit(RECIPIENT);
    }

    /// @dev Attack 6. Guard: state changes before the transfer, and the transient lock.
    function test_attack6_reentryFromTheToken() public {
        vm.etch(address(tokenOn[O]), address(new HookToken()).code);
        vm.etch(address(0x400C), address(new Listener()).code);
        // The listener calls back through this contract, the account itself.
        Listener(address(0x400C)).arm(address(this), abi.encodeCall(this.exitAgain, ()));
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.finalizeExit(RECIPIENT);
        assertTrue(Listener(address(0x400C)).called(), "called");
        assertTrue(!Listener(address(0x400C)).succeeded(), "refused");
        assertEq(tokenOn[O].balanceOf(RECIPIENT), 60e6, "received once");
    }

    function exitAgain() external {
        smartBalance.finalizeExit(RECIPIENT);
    }

    function test_error_ExitNotReady() public {
        vm.warp(block.timestamp + EXIT_DELAY - 1);
        vm.expectRevert(abi.encodeWithSelector(Exits.ExitNotReady.selector, block.timestamp + 1));
        smartBalance.finalizeExit(RECIPIENT);
    }

    function test_error_NoExit() public {
        vm.warp(block.timestamp + EXIT_DELAY);
        smartBalance.finalizeExit(RECIPIENT);
        vm.expectRevert(abi.encodeWithSelector(Exits.NoExit.selector));
        smartBalance.finalizeExit(RECIPIENT);
    }
}
