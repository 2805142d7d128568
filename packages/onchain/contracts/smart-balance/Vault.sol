// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";
import {Share} from "./libraries/Share.sol";

/// @title Deposits of accounts, and the liquidity beside them
/// @notice Amounts are 6-decimals units everywhere except in `token` itself. Liquidity is never stored: it is the
/// contract's balance beyond its deposits, so a plain transfer to this contract adds to it.
/// @dev Invariant: token.balanceOf(this) ≥ totalDeposits × SCALE, unless the token itself takes tokens away; the vault is
/// then short, and exits are paid in parts ({Exits}). Only the owner of an account, or a settlement that the account
/// signed, lowers its balance.
abstract contract Vault is ReentrancyGuardTransient {
    using SafeERC20 for IERC20;

    /// @notice Thrown if the token has fewer than 6 decimals, or so many that SCALE overflows.
    error UnsupportedDecimals(uint8 decimals);

    /// @notice Thrown if an amount is 0.
    error ZeroAmount();

    /// @notice Thrown if the amount received differs from the deposit, as with a token that charges a fee on transfer.
    error WrongAmountReceived(uint256 received, uint256 expected);

    /// @notice Thrown if an account has less, not counting its exit, than requested.
    error InsufficientBalance(uint256 available, uint256 wanted);

    /// @notice Thrown if liquidity is below the requested amount.
    error InsufficientLiquidity(uint256 available, uint256 wanted);

    /// @notice Thrown if deposits are not covered: by a deposit, or by an exit that has received its share; or if an
    /// outflow takes more than it pays.
    error DepositsNotCovered(uint256 held, uint256 owed);

    event Deposited(address indexed account, address indexed from, uint256 amount);

    struct Account {
        /// Includes the exiting amount.
        uint128 balance;
        uint128 exiting;
        uint48 exitReadyAt;
    }

    /// @notice The settlement token on this network.
    // solhint-disable-next-line immutable-vars-naming
    IERC20 public immutable token;

    /// @notice Base units of the token for one 6-decimals unit.
    uint256 public immutable SCALE;

    mapping(address account => Account) public accounts;

    struct Totals {
        uint128 deposits;
        uint128 paidShort;
    }

    Totals internal _totals;

    /// @dev The number of shortfalls that were seen to end. A new one starts without what the last one has paid.
    uint256 private _shortfall;
    mapping(uint256 shortfall => mapping(address account => uint128)) private _paidShort;

    /// @dev Reverts with UnsupportedDecimals.
    constructor(IERC20 token_) {
        uint8 decimals = IERC20Metadata(address(token_)).decimals();
        if (decimals < 6 || decimals > 36) revert UnsupportedDecimals(decimals);
        token = token_;
        SCALE = 10 ** (decimals - 6);
    }

    /// @notice Deposits for the caller, who has approved `amount` × SCALE. Reverts as {depositFor} does.
    function deposit(uint128 amount) external {
        depositFor(msg.sender, amount);
    }

    /// @notice Deposits the caller's tokens for `account`. Reverts with ZeroAmount, WrongAmountReceived, and with
    /// SafeERC20FailedOperation or the token's own error if the token rejects the transfer; with DepositsNotCovered
    /// while the vault is short, since the new deposit would pay a part of the loss.
    function depositFor(address account, uint128 amount) public nonReentrant {
        if (amount == 0) revert ZeroAmount();
        uint256 expected = amount * SCALE;
        uint256 before = token.balanceOf(address(this));
        uint256 owed = _owed();
        if (before < owed) revert DepositsNotCovered(before, owed);
        _endShortfall();
        token.safeTransferFrom(msg.sender, address(this), expected);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != expected) revert WrongAmountReceived(received, expected);

        accounts[account].balance += amount;
        _totals.deposits += amount;
        emit Deposited(account, msg.sender, amount);
    }

    /// @notice Σ balances.
    function totalDeposits() public view returns (uint256) {
        return _totals.deposits;
    }

    /// @notice What `account` has received for exits while the vault was short, as far as the rest of them is due. It is
    /// forgotten with the first deposit, exit or payment that finds the vault covered again.
    function paidShort(address account) public view returns (uint128) {
        return _paidShort[_shortfall][account];
    }

    /// @notice The amount that can be lent now: the balance beyond deposits, rounded down.
    function liquidity() public view returns (uint256) {
        uint256 held = token.balanceOf(address(this)) / SCALE;
        uint256 deposits = totalDeposits();
        return held > deposits ? held - deposits : 0;
    }

    /// @dev Base units of the token.
    function _owed() internal view returns (uint256) {
        return totalDeposits() * SCALE;
    }

    /// @dev Turns a part of a deposit into liquidity. The caller has checked that the balance suffices.
    function _debit(address owner, uint128 amount) internal {
        Account storage account = accounts[owner];
        uint128 balance = account.balance;
        // The part of the exits that is no longer due leaves the shares of the others as they are.
        uint128 paid = _totals.paidShort == 0 ? 0 : paidShort(owner);
        if (paid != 0) _setPaidShort(owner, Share.rest(paid, balance, amount));
        account.balance = balance - amount;
        _totals.deposits -= amount;
    }

    function _setPaidShort(address owner, uint128 paid) internal {
        _totals.paidShort = _totals.paidShort - paidShort(owner) + paid;
        _paidShort[_shortfall][owner] = paid;
    }

    /// @dev Called where the vault holds what it owes, or the call reverts: everyone can get everything, so the next loss
    /// is shared by what is owed then.
    function _endShortfall() internal {
        if (_totals.paidShort == 0) return;
        _totals.paidShort = 0;
        ++_shortfall;
    }

    /// @dev Pays from liquidity: a withdrawn deposit has been debited before. Used only in functions that hold the
    /// lock.
    function _pay(address to, uint256 amount) internal {
        uint256 available = liquidity();
        if (amount > available) revert InsufficientLiquidity(available, amount);
        _endShortfall();
        _transfer(to, amount, _owed());
    }

    /// @param rest The least that must be left, in base units.
    function _transfer(address to, uint256 amount, uint256 rest) internal {
        token.safeTransfer(to, amount * SCALE);
        uint256 held = token.balanceOf(address(this));
        if (held < rest) revert DepositsNotCovered(held, rest);
    }
}
