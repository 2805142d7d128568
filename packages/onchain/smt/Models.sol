// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Share} from "../contracts/smart-balance/libraries/Share.sol";

// The arithmetic of vault, exits and settlement, and the states of Ownership, for solc's model checker, without tokens,
// hashes and assembly, which become unknowns to it. One contract for each property: a solver that gives up on one says nothing about the others.

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

/// @custom:engine chc
contract ExitIsPartOfBalance is Ledger {
    function check() external view {
        assert(_exiting <= _balance);
    }
}

/// @custom:engine chc
contract BalanceIsPartOfDeposits is Ledger {
    function check() external view {
        assert(_balance <= _deposits);
    }
}

/// @custom:engine chc
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

/// @dev An exit from a short vault is never paid in full. The quotient is an argument, for every one that the division can have,
/// since z3 gives up on the division of two products.
/// @custom:engine bmc
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
/// @custom:engine bmc
contract PaymentKeepsNumerator {
    function check(uint128 receivedByAll, uint256 held, uint128 paid) external pure {
        require(held < type(uint128).max && paid <= held && receivedByAll <= type(uint128).max - paid);
        assert((held - paid) + (receivedByAll + paid) == held + receivedByAll);
    }
}

/// @dev And its denominator.
/// @custom:engine bmc
contract PaymentKeepsDenominator {
    function check(uint128 receivedByAll, uint128 owed, uint128 paid) external pure {
        require(paid <= owed && receivedByAll <= type(uint128).max - paid);
        assert(uint256(owed - paid) + (receivedByAll + paid) == uint256(owed) + receivedByAll);
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

/// @custom:engine bmc
contract PaymentIsHeld {
    function check(uint256 quotient, uint128 received, uint256 held) external pure {
        assert(AfterDivision.due(quotient, received, held) <= held);
    }
}

/// @dev Asking again pays nothing: numerator and denominator are as they were (above), and so is the quotient.
/// @custom:engine bmc
contract PaymentIsFinal {
    function check(uint256 quotient, uint128 received, uint256 held) external pure {
        uint256 paid = AfterDivision.due(quotient, received, held);
        require(held < type(uint128).max);
        assert(AfterDivision.due(quotient, received + paid, held - paid) == 0);
    }
}

/// @custom:engine bmc
contract RestIsPartOfReceived {
    function check(uint128 received, uint128 balance, uint128 debit) external pure {
        require(balance > 0 && debit <= balance);
        assert(Share.rest(received, balance, debit) <= received);
    }
}

/// @custom:engine bmc
contract NothingRestsOfAnEmptyBalance {
    function check(uint128 received, uint128 balance) external pure {
        require(balance > 0);
        assert(Share.rest(received, balance, balance) == 0);
    }
}

/// @title What a source takes for an order, over several settlements
/// @custom:engine chc
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

// Ownership on one network, without hashes: a message is a number, and whether it was signed is an argument. The lines are
// those of Ownership and Guardians; `_past` variables remember what the contracts do not.

/// @dev The sequence grows by one for each change and executed recovery, and otherwise only by the account itself; no owner
/// changes without the owners' signatures or an executed recovery.
/// @custom:engine chc
contract SequenceGrowsByOne {
    uint64 private _sequence;
    uint256 private _owners;
    uint256 private _pastMessages;
    uint256 private _pastResync;

    function applyChange(uint64 sequence, bool isSignedByOwners) external {
        require(sequence == _sequence && isSignedByOwners);
        ++_sequence;
        ++_owners;
        ++_pastMessages;
    }

    function executeRecovery(bool isStored, bool isDue) external {
        require(isStored && isDue);
        ++_sequence;
        ++_owners;
        ++_pastMessages;
    }

    function resync(uint64 sequence, bool isAccount) external {
        require(isAccount && sequence > _sequence && sequence - _sequence <= 1_024);
        _pastResync += sequence - _sequence;
        _sequence = sequence;
    }

    function check() external view {
        assert(_owners == _pastMessages);
        assert(_sequence == _pastMessages + _pastResync);
    }
}

/// @dev Only the recovery that was started last is executed, after its delay, and for 30 days. Time passes by any amount.
/// @custom:engine chc
contract OnlyTheStartedRecovery {
    uint256 private _now;
    uint256 private _readyAt;
    /// @dev 0 if none runs.
    uint256 private _recovery;
    uint256 private _pastStart;
    uint256 private _pastStartedAt;
    uint256 private _pastDelay;

    function wait(uint32 time) external {
        _now += time;
    }

    function startRecovery(uint256 message, uint32 delay, bool isSignedByGuardians) external {
        require(isSignedByGuardians && message != 0);
        _recovery = message;
        _readyAt = _now + delay;
        (_pastStart, _pastStartedAt, _pastDelay) = (message, _now, delay);
    }

    /// @dev A change, a cancellation, a resync, or other guardians.
    function end() external {
        _recovery = 0;
    }

    function executeRecovery(uint256 message) external {
        if (_now > _readyAt + 30 days) _recovery = 0;
        require(message != 0 && _recovery == message && _now >= _readyAt);
        _recovery = 0;
        assert(message == _pastStart);
        assert(_now >= _pastStartedAt + _pastDelay && _now <= _pastStartedAt + _pastDelay + 30 days);
    }
}

/// @dev A number that was started or taken back at a sequence never starts again.
/// @custom:engine chc
contract NumbersStartOnce {
    uint64 private _number;
    uint64 private _pastHighest;

    function startRecovery(uint64 number) external {
        require(number >= _number + 1 && number - _number <= 2 ** 32);
        _number = number;
        assert(number > _pastHighest);
        _pastHighest = number;
    }

    function cancelRecovery(uint64 number) external {
        require(number >= _number && number - _number <= 2 ** 32);
        _number = number;
        if (number > _pastHighest) _pastHighest = number;
    }
}

/// @dev A Safe's list of owners, of which SafeOwners finds the one before: three places, 0 if empty, the last added first.
/// What is a list before a step is one after it: no owner twice, none missing between, at least one.
/// @custom:engine bmc
contract OwnersStayAList {
    function add(uint160 first, uint160 second, uint160 third, uint160 owner) external pure {
        require(_isList(first, second, third) && third == 0);
        require(owner != 0 && owner != first && owner != second);
        assert(_isList(owner, first, second));
    }

    function remove(uint160 first, uint160 second, uint160 third, uint160 owner) external pure {
        require(_isList(first, second, third) && owner != 0 && second != 0);
        if (owner == first) assert(_isList(second, third, 0));
        else if (owner == second) assert(_isList(first, third, 0));
        else if (owner == third) assert(_isList(first, second, 0));
    }

    function _isList(uint160 first, uint160 second, uint160 third) private pure returns (bool) {
        if (first == 0 || first == second || first == third) return false;
        return second == 0 ? third == 0 : second != third;
    }
}
