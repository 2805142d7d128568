// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {EXIT_DELAY} from "../../smart-balance/Constants.sol";
import {Vault} from "../../smart-balance/Vault.sol";
import {SmartBalanceTest} from "../smart-balance/SmartBalanceTest.sol";

interface IBurnable {
    function balanceOf(address account) external view returns (uint256);
    function transfer(address to, uint256 amount) external returns (bool);
}

/// @notice Attack: the token's issuer has taken tokens from the contract. An account exits before the others, or again
/// and again, so that they bear its part of the loss.
/// @dev Guard: an exit pays its share, which counts what exits have received since. Also the other side: a single unit
/// that is missing must not lock everyone's deposits.
contract LeaveAShortVaultFirstTest is SmartBalanceTest {
    address private constant ANNA = address(0xA11A);
    address private constant BERT = address(0xBE47);
    address private constant CARA = address(0xCA4A);

    function setUp() public override {
        super.setUp();
        _on(A);
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, LIQUIDITY);
        address[3] memory leaving = [ANNA, BERT, CARA];
        for (uint256 i; i < 3; ++i) {
            _deposit(leaving[i], 100e6);
            vm.prank(leaving[i]);
            smartBalance.requestExit(100e6);
        }
        vm.warp(block.timestamp + EXIT_DELAY);
    }

    function test_oneUnitIsMissing() public {
        _take(1);
        assertEq(_exit(ANNA), 100e6 - 1, "all but a unit");
        (uint128 balance, uint128 exiting, uint48 readyAt) = smartBalance.accounts(ANNA);
        assertEq(balance, 1, "the rest");
        assertEq(exiting, 1, "still exits");
        assertTrue(readyAt <= block.timestamp, "and is ready");
        _give(1);
        assertEq(_exit(ANNA), 1, "the rest is paid");
        assertEq(_exit(BERT), 100e6, "the others lost nothing");
        assertEq(_exit(CARA), 100e6, "none of them");
        assertEq(smartBalance.totalDeposits(), 0, "all are out");
    }

    function test_theOrderDoesNotMatter() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "first");
        assertEq(_exit(BERT), 50e6, "second");
        assertEq(_exit(CARA), 50e6, "third");
    }

    /// @dev If each payment were amount × held ÷ owed, it would lower the ratio of the next: 40 calls took everything.
    function test_exitsAgainAndAgain() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "the share");
        for (uint256 i; i < 40; ++i) {
            _exitNothing(ANNA);
        }
        assertEq(_exit(BERT), 50e6, "second");
        assertEq(_exit(CARA), 50e6, "third");
    }

    function test_tokensComeBackInParts() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "half");
        _give(60e6 * _scale());
        assertEq(_exit(BERT), 70e6, "seven tenths");
        assertEq(_exit(ANNA), 20e6, "the same");
        assertEq(_exit(CARA), 70e6, "the same");
        _give(90e6 * _scale());
        assertEq(_exit(CARA), 30e6, "all");
        assertEq(_exit(ANNA), 30e6, "all");
        assertEq(_exit(BERT), 30e6, "all");
        assertEq(smartBalance.totalDeposits(), 0, "nothing is owed");
        assertEq(smartBalance.paidShort(ANNA), 0, "forgotten");
        assertEq(tokenOn[A].balanceOf(address(smartBalance)), 0, "nothing is left");
    }

    function test_cancelsAndExitsAgain() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "half");
        vm.startPrank(ANNA);
        smartBalance.cancelExit();
        smartBalance.requestExit(50e6);
        vm.stopPrank();
        vm.warp(block.timestamp + EXIT_DELAY);
        _exitNothing(ANNA);
        assertEq(_exit(BERT), 50e6, "second");
        assertEq(_exit(CARA), 50e6, "third");
    }

    /// @dev A later loss is shared by those who are left; what was paid is not taken back.
    function test_secondLoss() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "half");
        _take(50e6 * _scale());
        assertEq(_exit(BERT) + _exit(CARA), 50e6, "what is left");
    }

    /// @dev Anna was paid a part of the first loss and did not ask again when the vault was covered. That was seen, so the
    /// second loss is none of hers more than of others.
    function test_lossAfterTheVaultWasCoveredAgain() public {
        _take(150e6 * _scale());
        assertEq(_exit(ANNA), 50e6, "half");
        _give(150e6 * _scale());
        assertEq(_exit(CARA), 100e6, "covered");
        assertEq(smartBalance.paidShort(ANNA), 0, "forgotten");
        _take(75e6 * _scale());
        assertEq(_exit(ANNA), 25e6, "half of the rest");
        assertEq(_exit(BERT), 50e6, "half");
        assertEq(tokenOn[A].balanceOf(address(smartBalance)), 0, "nothing is left");
    }

    /// @dev Also seen by a deposit, or by a payment of liquidity.
    function test_lossAfterADeposit() public {
        _take(150e6 * _scale());
        _exit(ANNA);
        _give(150e6 * _scale());
        _deposit(address(this), 50e6);
        _take(100e6 * _scale());
        assertEq(_exit(ANNA), 33_333_333, "two thirds of the rest");
        assertEq(_exit(BERT), 66_666_666, "two thirds");
    }

    function test_lossAfterAPayment() public {
        _take(150e6 * _scale());
        _exit(ANNA);
        _give(150e6 * _scale());
        tokenOn[A].mint(address(smartBalance), _scale());
        vm.prank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, 1);
        _take(125e6 * _scale());
        assertEq(_exit(BERT), 50e6, "half");
        assertEq(_exit(ANNA), 25e6, "half of the rest");
    }

    /// @dev Not even a payment of nothing forgets it.
    function test_nothingIsPaidWhileShort() public {
        _take(150e6 * _scale());
        _exit(ANNA);
        vm.prank(ADMIN);
        vm.expectPartialRevert(Vault.DepositsNotCovered.selector);
        smartBalance.withdrawLiquidity(ADMIN, 0);
        assertEq(smartBalance.paidShort(ANNA), 50e6, "still counts");
        _exitNothing(ANNA);
    }

    function test_depositsAreRefused() public {
        _take(1);
        tokenOn[A].mint(address(this), 1e18);
        tokenOn[A].approve(address(smartBalance), 1e18);
        vm.expectPartialRevert(Vault.DepositsNotCovered.selector);
        smartBalance.depositFor(ANNA, 1e6);
        _give(1);
        smartBalance.depositFor(ANNA, 1e6);
        assertEq(_balance(ANNA), 101e6, "covered again");
    }

    /// @dev Whatever is taken, whoever comes first, and however often: the same share for each, up to a unit.
    function test_fuzz_shares(uint256 taken, uint256 given, uint8 first, uint8 times) public {
        taken = bound(taken, 1, 300e18);
        given = bound(given, 0, taken);
        address[3] memory leaving = [ANNA, BERT, CARA];
        _take(taken);
        for (uint256 i; i < times % 4; ++i) {
            _tryExit(leaving[first % 3]);
        }
        _give(given);
        uint256 share = 100e6 * ((300e18 - taken + given) / 1e12) / 300e6;
        for (uint256 i; i < 3; ++i) {
            address next = leaving[(uint256(first) + i) % 3];
            _tryExit(next);
            assertWithin(tokenOn[A].balanceOf(next) / 1e12, share == 0 ? 0 : share - 1, share + 1, "the share");
        }
        uint256 owed = smartBalance.totalDeposits();
        assertEq(owed, _balance(ANNA) + _balance(BERT) + _balance(CARA), "sum of balances");
    }

    function _scale() private view returns (uint256) {
        return smartBalance.SCALE();
    }

    function _take(uint256 units) private {
        vm.prank(address(smartBalance));
        tokenOn[A].transfer(address(0x155E4), units);
    }

    function _give(uint256 units) private {
        vm.prank(address(0x155E4));
        tokenOn[A].transfer(address(smartBalance), units);
    }

    function _exit(address leaving) private returns (uint256) {
        uint256 before = tokenOn[A].balanceOf(leaving);
        vm.prank(leaving);
        smartBalance.finalizeExit(leaving);
        return (tokenOn[A].balanceOf(leaving) - before) / _scale();
    }

    function _exitNothing(address leaving) private {
        vm.prank(leaving);
        vm.expectPartialRevert(Vault.DepositsNotCovered.selector);
        smartBalance.finalizeExit(leaving);
    }

    function _tryExit(address leaving) private {
        vm.prank(leaving);
        try smartBalance.finalizeExit(leaving) {} catch {}
    }
}
