// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Share} from "../contracts/smart-balance/libraries/Share.sol";

/// @title The ledger of Vault, Exits, Withdrawals and Settlement without its token, for solc's model checker
/// @notice `held` stands for the token's balance; the token, the lock and the checks of roles and signatures are left out,
/// so each function can be called by anyone at any time: what holds here holds with them. `_deposits` also has the
/// balances of all others. `scripts/smt.ts` proves the assertions for all sequences of calls.
contract VaultModel {
    uint128 private _balance;
    uint128 private _exiting;
    uint128 private _deposits;
    uint256 private _held;

    function deposit(uint128 amount, bool isOthers) external {
        require(_held >= _deposits && _held <= type(uint256).max - amount);
        _deposits += amount;
        if (!isOthers) _balance += amount;
        _held += amount;
    }

    function requestExit(uint128 amount) external {
        require(amount > 0 && amount <= _balance);
        _exiting = amount;
    }

    function cancelExit() external {
        _exiting = 0;
    }

    /// @dev While the vault is not short; see ShareModel otherwise.
    function finalizeExit() external {
        uint128 amount = _exiting;
        require(amount > 0);
        _exiting = 0;
        _debit(amount);
        _held -= amount;
        assert(_held >= _deposits);
    }

    function withdraw(uint128 amount, uint128 fee) external {
        require(uint256(amount) + fee <= _balance - _exiting);
        _debit(amount + fee);
        _pay(amount);
    }

    function claim(uint128 amount) external {
        _pay(amount);
    }

    /// @dev `due` is the debit or failFee less what was taken before.
    function settle(uint128 due) external {
        uint128 taken = due < _balance ? due : _balance;
        if (taken == 0) return;
        _debit(taken);
        if (_exiting > _balance) _exiting = _balance;
    }

    function check() external view {
        assert(_exiting <= _balance);
        assert(_balance <= _deposits);
        assert(_held >= _deposits);
    }

    function _debit(uint128 amount) private {
        _balance -= amount;
        _deposits -= amount;
    }

    function _pay(uint128 amount) private {
        require(amount <= _held - _deposits);
        _held -= amount;
    }
}

/// @title One payment of a short vault
contract ShareModel {
    /// @dev The exit gets no more than is due to it, and no more than there is.
    function bounds(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        uint128 paid = Share.due(amount, received, receivedByAll, held, owed);
        assert(paid <= held);
        assert(paid <= amount);
        assert(paid < amount);
    }

    /// @dev A payment leaves numerator and denominator of the ratio, and so the share of everyone, as they were.
    function sameRatio(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        uint128 paid = Share.due(amount, received, receivedByAll, held, owed);
        require(paid <= amount && receivedByAll <= type(uint128).max - paid);
        assert((held - paid) + (receivedByAll + paid) == held + receivedByAll);
        assert(uint256(owed - paid) + (receivedByAll + paid) == uint256(owed) + receivedByAll);
    }

    /// @dev Asking again pays nothing.
    function again(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        uint128 paid = Share.due(amount, received, receivedByAll, held, owed);
        require(paid < amount && receivedByAll <= type(uint128).max - paid);
        assert(
            Share.due(amount - paid, received + paid, receivedByAll + paid, held - paid, owed - paid) == 0
        );
    }

    function rest(uint128 received, uint128 balance, uint128 debit) external pure {
        require(balance > 0 && debit <= balance);
        uint128 kept = Share.rest(received, balance, debit);
        assert(kept <= received);
        assert(debit < balance || kept == 0);
    }

    function _assume(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        private
        pure
    {
        require(held < owed && amount > 0 && amount <= owed && received <= receivedByAll);
        require(uint256(owed) + receivedByAll < type(uint128).max);
    }
}

/// @title What a source takes for an order, over several settlements
contract SettlementModel {
    uint128 private _taken;
    uint128 private immutable _AMOUNT;
    uint128 private immutable _FAIL_FEE;
    bool private _isClaimed;
    bool private _isSettled;

    constructor(uint128 amount, uint128 failFee) {
        require(failFee <= amount);
        _AMOUNT = amount;
        _FAIL_FEE = failFee;
    }

    function settle(bool isClaimed, uint128 balance) external {
        require(!_isSettled || _isClaimed == isClaimed);
        uint128 due = (isClaimed ? _AMOUNT : _FAIL_FEE) - _taken;
        uint128 taken = due < balance ? due : balance;
        if (taken == 0) return;
        _taken += taken;
        (_isSettled, _isClaimed) = (true, isClaimed);
        assert(_taken <= (_isClaimed ? _AMOUNT : _FAIL_FEE));
    }
}
