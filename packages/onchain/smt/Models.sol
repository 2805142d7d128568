// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Share} from "../contracts/smart-balance/libraries/Share.sol";

// The arithmetic of vault, exits and settlement for solc's model checker, without tokens, hashes and assembly, which
// become unknowns to it. One contract for each property: a solver that gives up on one says nothing about the others.
// scripts/smt.ts has the engine and the expected result of each.

/// @title The ledger of Vault, Exits, Withdrawals and Settlement without its token
/// @dev `held` stands for the token's balance. The lock and the checks of roles and signatures are left out, so each
/// function can be called by anyone at any time: what holds here holds with them. `_deposits` also has the balances of
/// all others.
abstract contract Ledger {
    uint128 internal _balance;
    uint128 internal _exiting;
    uint128 internal _deposits;
    uint256 internal _held;

    function deposit(uint128 amount, uint128 ofOthers) external {
        require(_held >= _deposits);
        _deposits += amount + ofOthers;
        _balance += amount;
        _held += amount + ofOthers;
    }

    function requestExit(uint128 amount) external {
        require(amount > 0 && amount <= _balance);
        _exiting = amount;
    }

    function cancelExit() external {
        _exiting = 0;
    }

    /// @dev While the vault is not short; see the models of Share otherwise.
    function finalizeExit() external {
        uint128 amount = _exiting;
        require(amount > 0);
        _exiting = 0;
        _debit(amount);
        _held -= amount;
    }

    function withdraw(uint128 amount, uint128 fee) external {
        require(amount + fee <= _balance - _exiting);
        _debit(amount + fee);
        _pay(amount);
    }

    function claim(uint128 amount) external {
        _pay(amount);
    }

    /// @dev `due` is the debit or failFee less what was taken before.
    function settle(uint128 due) external {
        uint128 taken = due < _balance ? due : _balance;
        _debit(taken);
        if (_exiting > _balance) _exiting = _balance;
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

contract ExitIsPartOfBalance is Ledger {
    function check() external view {
        assert(_exiting <= _balance);
    }
}

contract BalanceIsPartOfDeposits is Ledger {
    function check() external view {
        assert(_balance <= _deposits);
    }
}

contract DepositsAreCovered is Ledger {
    function check() external view {
        assert(_held >= _deposits);
    }
}

/// @dev The vault is short, and the exit is a part of what it owes.
abstract contract ShortVault {
    function _assume(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        internal
        pure
    {
        require(held < owed && amount > 0 && amount <= owed && received <= receivedByAll);
        require(uint256(owed) + receivedByAll < type(uint128).max);
    }
}

contract ShareIsHeld is ShortVault {
    function check(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        assert(Share.due(amount, received, receivedByAll, held, owed) <= held);
    }
}

contract ShareIsBelowAmount is ShortVault {
    function check(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        assert(Share.due(amount, received, receivedByAll, held, owed) < amount);
    }
}

/// @dev The same with the quotient as an argument: every quotient and rest that the division can have.
contract QuotientIsBelowAmount is ShortVault {
    function check(
        uint128 amount,
        uint128 received,
        uint128 receivedByAll,
        uint256 held,
        uint128 owed,
        uint256 quotient,
        uint256 rest
    ) external pure {
        _assume(amount, received, receivedByAll, held, owed);
        uint256 divisor = uint256(owed) + receivedByAll;
        require(rest < divisor && quotient <= type(uint128).max);
        require((uint256(amount) + received) * (held + receivedByAll) == quotient * divisor + rest);
        assert(quotient < uint256(amount) + received);
    }
}

/// @dev A payment leaves the numerator of the ratio as it was.
contract PaymentKeepsNumerator {
    function check(uint128 receivedByAll, uint256 held, uint128 paid) external pure {
        require(held < type(uint128).max && paid <= held && receivedByAll <= type(uint128).max - paid);
        assert((held - paid) + (receivedByAll + paid) == held + receivedByAll);
    }
}

/// @dev And its denominator.
contract PaymentKeepsDenominator {
    function check(uint128 receivedByAll, uint128 owed, uint128 paid) external pure {
        require(paid <= owed && receivedByAll <= type(uint128).max - paid);
        assert(uint256(owed - paid) + (receivedByAll + paid) == uint256(owed) + receivedByAll);
    }
}

/// @dev Asking again pays nothing.
contract AskingAgainPaysNothing is ShortVault {
    function check(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        external
        pure
    {
        _assume(amount, received, receivedByAll, held, owed);
        uint128 paid = Share.due(amount, received, receivedByAll, held, owed);
        require(paid < amount && paid <= held && receivedByAll <= type(uint128).max - paid);
        assert(Share.due(amount - paid, received + paid, receivedByAll + paid, held - paid, owed - paid) == 0);
    }
}

/// @dev The lines of {Share-due} after its division, for every quotient that this can have.
library AfterDivision {
    function due(uint256 quotient, uint256 received, uint256 held) internal pure returns (uint256) {
        uint256 share = quotient;
        if (share <= received) return 0;
        share -= received;
        return share < held ? share : held;
    }
}

contract PaymentIsHeld {
    function check(uint256 quotient, uint128 received, uint256 held) external pure {
        assert(AfterDivision.due(quotient, received, held) <= held);
    }
}

/// @dev Asking again pays nothing: numerator and denominator are as they were (above), and so is the quotient.
contract PaymentIsFinal {
    function check(uint256 quotient, uint128 received, uint256 held) external pure {
        uint256 paid = AfterDivision.due(quotient, received, held);
        require(held < type(uint128).max);
        assert(AfterDivision.due(quotient, received + paid, held - paid) == 0);
    }
}

contract RestIsPartOfReceived {
    function check(uint128 received, uint128 balance, uint128 debit) external pure {
        require(balance > 0 && debit <= balance);
        assert(Share.rest(received, balance, debit) <= received);
    }
}

contract NothingRestsOfAnEmptyBalance {
    function check(uint128 received, uint128 balance) external pure {
        require(balance > 0);
        assert(Share.rest(received, balance, balance) == 0);
    }
}

/// @title What a source takes for an order, over several settlements
contract SettlementTakesWhatIsDue {
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
