// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Vault} from "../../smart-balance/Vault.sol";
import {Campaign} from "./Campaign.sol";

/// @notice The states that a campaign must reach (docs/audit/invariants.md).
enum ShortVault {
    Taken,
    TakenAgain,
    GivenInPart,
    CoveredAgain,
    PaidAShare,
    PaidAShareAgain,
    PaidInFull,
    PaidNothing,
    DepositRefused,
    PaidAfterAnEarlierShortfall
}

/// @notice Accounts leave a vault whose token's issuer takes tokens and gives them back. A model of its own says what each
/// exit gets: the same share for all, of what they had when the vault became short, less what they got since.
contract ShortVaultHandler is Campaign {
    address internal constant ISSUER = address(0x155E4);
    uint256 internal constant LEAVING = 4;

    /// @dev Ghost variables of an account.
    struct Claim {
        uint256 balance;
        uint256 exiting;
        uint256 readyAt;
        /// Since the vault is short.
        uint256 received;
        /// In all.
        uint256 paid;
        uint256 deposited;
    }

    Claim[LEAVING] private _claims;
    uint256 private _held;
    bool private _wasShort;
    bool private _isLater;

    string public broken;
    mapping(ShortVault => uint256) public reached;

    function setUp() public override {
        super.setUp();
        _on(A);
        vm.startPrank(ADMIN);
        smartBalance.withdrawLiquidity(ADMIN, uint128(smartBalance.liquidity()));
        vm.stopPrank();
        for (uint256 i; i < LEAVING; ++i) {
            _deposit(_leaving(i), 100e6);
            _claims[i].balance = _claims[i].deposited = 100e6;
        }
        // The account of the other campaigns stays, and never asks.
        _held = 500e6 * _scale() + LEAVING * 100e6 * _scale();
        _on(O);
    }

    function deposit(uint256 who, uint256 amount) external step(1) {
        who %= LEAVING;
        amount = bound(amount, 1, 50e6);
        tokenOn[A].mint(address(this), amount * _scale());
        tokenOn[A].approve(address(smartBalance), amount * _scale());
        bool isShort = _held < _owed();
        try smartBalance.depositFor(_leaving(who), uint128(amount)) {
            if (isShort) _break("a short vault took a deposit");
            _claims[who].balance += amount;
            _claims[who].deposited += amount;
            _held += amount * _scale();
            _forget();
        } catch {
            if (!isShort) _break("a deposit was refused");
            ++reached[ShortVault.DepositRefused];
            tokenOn[A].transfer(address(0xDEAD), amount * _scale());
        }
    }

    function requestExit(uint256 who, uint256 amount) external step(1) {
        who %= LEAVING;
        Claim storage claim = _claims[who];
        if (claim.balance == 0) return;
        amount = amount % 2 == 0 ? claim.balance : bound(amount, 1, claim.balance);
        vm.prank(_leaving(who));
        smartBalance.requestExit(uint128(amount));
        claim.exiting = amount;
        claim.readyAt = block.timestamp + 7 days;
    }

    function finalizeExit(uint256 who) external step(1) {
        who %= LEAVING;
        Claim storage claim = _claims[who];
        if (claim.exiting == 0 || block.timestamp < claim.readyAt) return;
        bool isShort = _held < _owed();
        uint256 expected = isShort ? _share(claim) : claim.exiting;
        uint256 before = tokenOn[A].balanceOf(_leaving(who));
        vm.prank(_leaving(who));
        try smartBalance.finalizeExit(_leaving(who)) {
            uint256 paid = (tokenOn[A].balanceOf(_leaving(who)) - before) / _scale();
            if (paid != expected || expected == 0) _break("another share");
            _count(isShort, claim.received);
            claim.exiting -= paid;
            claim.balance -= paid;
            claim.paid += paid;
            _held -= paid * _scale();
            if (isShort) claim.received += paid;
            else _forget();
        } catch (bytes memory reason) {
            if (expected != 0 || bytes4(reason) != Vault.DepositsNotCovered.selector) {
                _break("a ready exit was refused");
            }
            ++reached[ShortVault.PaidNothing];
        }
    }

    function take(uint256 amount) external step(1) {
        if (_held == 0) return;
        amount = bound(amount, 1, _held);
        bool wasShort = _held < _owed();
        vm.prank(address(smartBalance));
        tokenOn[A].transfer(ISSUER, amount);
        _held -= amount;
        if (_held < _owed()) ++reached[wasShort ? ShortVault.TakenAgain : ShortVault.Taken];
    }

    function give(uint256 amount, bool isAll) external step(1) {
        uint256 owed = _owed();
        if (_held >= owed) return;
        amount = isAll ? owed - _held : bound(amount, 1, owed - _held);
        tokenOn[A].mint(address(smartBalance), amount);
        _held += amount;
        ++reached[_held < owed ? ShortVault.GivenInPart : ShortVault.CoveredAgain];
    }

    function wait(uint256 time) external step(1) {
        vm.warp(block.timestamp + bound(time, 1 hours, 8 days));
    }

    function check() external step(1) {
        uint256 sum = 500e6;
        for (uint256 i; i < LEAVING; ++i) {
            Claim storage claim = _claims[i];
            (uint128 balance, uint128 exiting,) = smartBalance.accounts(_leaving(i));
            assertEq(balance, claim.balance, "the balance falls by what was paid");
            assertEq(exiting, claim.exiting, "so does the exit");
            assertEq(claim.balance + claim.paid, claim.deposited, "nobody gets more than the deposit");
            assertEq(tokenOn[A].balanceOf(_leaving(i)), claim.paid * _scale(), "what was paid has arrived");
            sum += balance;
        }
        assertEq(smartBalance.totalDeposits(), sum, "sum of balances");
        assertEq(tokenOn[A].balanceOf(address(smartBalance)), _held, "nothing else was paid");
    }

    /// @dev Rounded down, as everything that the vault pays.
    function _share(Claim storage claim) private view returns (uint256) {
        uint256 received;
        for (uint256 i; i < LEAVING; ++i) {
            received += _claims[i].received;
        }
        uint256 held = _held / _scale();
        uint256 owed = _owed() / _scale();
        uint256 share = (claim.exiting + claim.received) * (held + received) / (owed + received);
        if (share <= claim.received) return 0;
        share -= claim.received;
        return share < held ? share : held;
    }

    function _count(bool isShort, uint256 received) private {
        if (!isShort) ++reached[ShortVault.PaidInFull];
        else ++reached[received == 0 ? ShortVault.PaidAShare : ShortVault.PaidAShareAgain];
        if (isShort) _wasShort = true;
        if (isShort && _isLater) ++reached[ShortVault.PaidAfterAnEarlierShortfall];
    }

    /// @dev The vault is covered: what exits received of the last shortfall is of no account in the next.
    function _forget() private {
        for (uint256 i; i < LEAVING; ++i) {
            _claims[i].received = 0;
        }
        if (_wasShort) _isLater = true;
    }

    /// @dev From the ghost variables, in base units.
    function _owed() private view returns (uint256 owed) {
        owed = 500e6;
        for (uint256 i; i < LEAVING; ++i) {
            owed += _claims[i].balance;
        }
        owed *= _scale();
    }

    function _leaving(uint256 who) private pure returns (address) {
        return address(uint160(0x1EA7E + who));
    }

    /// @dev A's token has 18 decimals.
    function _scale() private pure returns (uint256) {
        return 1e12;
    }

    function _break(string memory what) private {
        if (bytes(broken).length == 0) broken = what;
    }
}
