// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20Metadata} from "@openzeppelin/contracts/token/ERC20/extensions/IERC20Metadata.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {SafeERC20} from "@openzeppelin/contracts/token/ERC20/utils/SafeERC20.sol";
import {ReentrancyGuardTransient} from "@openzeppelin/contracts/utils/ReentrancyGuardTransient.sol";

/// @title Deposits of accounts, and the liquidity beside them
/// @notice Amounts are 6-decimals units everywhere except in `token` itself. Liquidity is never stored: it is the
/// contract's balance beyond its deposits, so a plain transfer to this contract adds to it.
/// @dev Invariant: token.balanceOf(this) ≥ totalDeposits × SCALE. Only the owner of an account, or a settlement that
/// the account signed, lowers its balance.
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

    /// @notice Thrown if an outflow took too much, so that deposits would no longer be covered.
    error DepositsNotCovered(uint256 held, uint256 owed);

    event Deposited(address indexed account, address indexed from, uint256 amount);

    struct Account {
        /// Includes the exiting amount.
        uint128 balance;
        uint128 exiting;
        uint48 exitReadyAt;
    }

    /// @notice The settlement token on this network.
    IERC20 public immutable token;

    /// @notice Base units of the token for one 6-decimals unit.
    uint256 public immutable SCALE;

    mapping(address account => Account) public accounts;

    /// @notice Σ balances.
    uint256 public totalDeposits;

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
    /// SafeERC20FailedOperation or the token's own error if the token rejects the transfer.
    function depositFor(address account, uint128 amount) public nonReentrant {
        if (amount == 0) revert ZeroAmount();
        uint256 expected = amount * SCALE;
        uint256 before = token.balanceOf(address(this));
        token.safeTransferFrom(msg.sender, address(this), expected);
        uint256 received = token.balanceOf(address(this)) - before;
        if (received != expected) revert WrongAmountReceived(received, expected);

        accounts[account].balance += amount;
        totalDeposits += amount;
        emit Deposited(account, msg.sender, amount);
    }

    /// @notice The amount that can be lent now: the balance beyond deposits, rounded down.
    function liquidity() public view returns (uint256) {
        uint256 held = token.balanceOf(address(this)) / SCALE;
        return held > totalDeposits ? held - totalDeposits : 0;
    }

    /// @dev Turns a part of a deposit into liquidity. The caller has checked that the balance suffices.
    function _debit(Account storage account, uint128 amount) internal {
        account.balance -= amount;
        totalDeposits -= amount;
    }

    /// @dev Pays from liquidity: a withdrawn deposit has been debited before. Used only in functions that hold the
    /// lock.
    function _pay(address to, uint256 amount) internal {
        uint256 available = liquidity();
        if (amount > available) revert InsufficientLiquidity(available, amount);
        token.safeTransfer(to, amount * SCALE);
        uint256 held = token.balanceOf(address(this));
        uint256 owed = totalDeposits * SCALE;
        if (held < owed) revert DepositsNotCovered(held, owed);
    }
}
