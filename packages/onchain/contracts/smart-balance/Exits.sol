// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EXIT_DELAY} from "./Constants.sol";
import {Share} from "./libraries/Share.sol";
import {Vault} from "./Vault.sol";

/// @title The exit that needs no operator
/// @notice Request, wait EXIT_DELAY, finalize. An exiting amount can be settled until then, since earlier operations
/// may still owe it; nothing new is lent against it.
abstract contract Exits is Vault {
    /// @notice Thrown if there is no exit to cancel or to finalize.
    error NoExit();

    /// @notice Thrown if the delay of an exit has not passed.
    error ExitNotReady(uint48 readyAt);

    event ExitRequested(address indexed account, uint256 amount, uint48 readyAt);
    event ExitCancelled(address indexed account, uint256 amount);
    event ExitFinalized(address indexed account, address indexed to, uint256 amount);

    /// @notice Requests the exit of `amount` of the caller's balance. It replaces an earlier request, and the delay
    /// starts again. Reverts with ZeroAmount or InsufficientBalance.
    function requestExit(uint128 amount) external {
        Account storage account = accounts[msg.sender];
        if (amount == 0) revert ZeroAmount();
        if (amount > account.balance) revert InsufficientBalance(account.balance, amount);
        uint48 readyAt = uint48(block.timestamp) + EXIT_DELAY;
        account.exiting = amount;
        account.exitReadyAt = readyAt;
        emit ExitRequested(msg.sender, amount, readyAt);
    }

    /// @notice Makes the exiting amount spendable again. Reverts with NoExit.
    function cancelExit() external {
        Account storage account = accounts[msg.sender];
        uint128 amount = account.exiting;
        if (amount == 0) revert NoExit();
        account.exiting = 0;
        account.exitReadyAt = 0;
        emit ExitCancelled(msg.sender, amount);
    }

    /// @notice Pays the part of the exit that settlements have left. No pause, cap or lack of liquidity stops it. If the
    /// token has taken tokens from this contract, so that it holds less than it owes, an exit pays its share, and the
    /// rest stays a ready exit: repeat it when the contract has more. Reverts with NoExit, ExitNotReady,
    /// DepositsNotCovered if the share has been paid, or with the token's error (a blocked recipient): then choose
    /// another `to`.
    function finalizeExit(address to) external nonReentrant {
        Account storage account = accounts[msg.sender];
        uint128 amount = account.exiting;
        if (amount == 0) revert NoExit();
        if (block.timestamp < account.exitReadyAt) revert ExitNotReady(account.exitReadyAt);
        uint256 held = token.balanceOf(address(this));
        uint256 owed = _owed();
        bool isShort = held < owed;
        uint128 paid = amount;
        uint128 received;
        if (isShort) {
            received = paidShort(msg.sender);
            Totals memory totals = _totals;
            paid = Share.due(amount, received, totals.paidShort, held / SCALE, totals.deposits);
            if (paid == 0) revert DepositsNotCovered(held, owed);
            received += paid;
        } else {
            _endShortfall();
        }

        account.exiting = amount - paid;
        if (paid == amount) account.exitReadyAt = 0;
        _debit(msg.sender, paid);
        if (isShort) _setPaidShort(msg.sender, received);
        emit ExitFinalized(msg.sender, to, paid);
        _transfer(to, paid, isShort ? held - paid * SCALE : _owed());
    }
}
