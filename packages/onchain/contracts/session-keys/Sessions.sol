// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {EnumerableSet} from "@openzeppelin/contracts/utils/structs/EnumerableSet.sol";
import {SESSIONS} from "../interfaces/IEpochs.sol";
import {INonceManager} from "../interfaces/ISafe.sol";
import {ForbiddenTargets} from "./ForbiddenTargets.sol";
import {Allowance, Rule, Session} from "./Session.sol";

/// @notice The current state of a session.
struct SessionState {
    bytes32 id;
    /// The EntryPoint nonce key that its operations use.
    uint192 nonceKey;
    uint32 operationsLeft;
    Session session;
    /// The remainder of each allowance in its current period, in the order of the allowances.
    uint128[] left;
}

/// @title The sessions of accounts
/// @notice A key has at most one session with an account. Each grant creates a new id, which determines where its rules
/// and counters are stored and which nonces it uses, so nothing of an earlier session of the key counts.
abstract contract Sessions is ForbiddenTargets {
    using EnumerableSet for EnumerableSet.Bytes32Set;

    /// @notice Thrown if the key has no session with the account.
    error NoSession(address account, bytes32 key);

    event SessionGranted(address indexed account, bytes32 indexed key, bytes32 indexed id, Session session);
    event SessionRevoked(address indexed account, bytes32 indexed key, bytes32 indexed id);

    /// @dev The data that validation reads; two slots.
    struct Terms {
        uint48 validAfter;
        /// 0: there is no session.
        uint48 validUntil;
        uint32 maxOperations;
        /// The sequence of the nonce key when the session was granted.
        uint64 firstSequence;
        /// The number of sessions that the key has had with the account; survives revocation.
        uint32 generation;
        /// The account's epoch at the grant. The session ends with it.
        uint32 epoch;
        address paymaster;
        uint96 feePerOperation;
    }

    /// @dev An allowance and the amount spent of it.
    struct Spending {
        address token;
        uint48 period;
        /// The period to which `spent` belongs, counted from 0.
        uint48 window;
        uint128 amount;
        uint128 spent;
    }

    /// @dev The data that execution reads.
    struct Limits {
        Rule[] rules;
        Spending[] allowances;
    }

    /// @dev The account is the innermost key, so that its slots are its associated storage (ERC-7562, STO-021).
    mapping(bytes32 key => mapping(address account => Terms)) private _terms;

    mapping(bytes32 id => Limits) private _limits;

    mapping(address account => mapping(uint32 epoch => EnumerableSet.Bytes32Set)) private _keys;

    /// @notice The keys that have a session with `account`, including expired ones, in no particular order.
    function keysOf(address account) external view returns (bytes32[] memory) {
        return _keys[account][_EPOCHS.epochOf(account, SESSIONS)].values();
    }

    /// @notice A session and the remainder of its limits. Reverts with NoSession.
    function sessionOf(address account, bytes32 key) external view returns (SessionState memory state) {
        Terms memory terms = _termsOf(account, key);
        state.id = _idOf(account, key, terms.generation);
        state.nonceKey = _nonceKeyOf(state.id);
        uint64 used = _nextSequence(account, state.nonceKey) - terms.firstSequence;
        state.operationsLeft = used < terms.maxOperations ? terms.maxOperations - uint32(used) : 0;

        Spending[] memory spendings = _limits[state.id].allowances;
        Allowance[] memory allowances = new Allowance[](spendings.length);
        state.left = new uint128[](spendings.length);
        for (uint256 i; i < spendings.length; ++i) {
            Spending memory spending = spendings[i];
            allowances[i] = Allowance(spending.token, spending.period, spending.amount);
            state.left[i] = spending.amount - _spentIn(spending, _windowOf(spending.period, terms.validAfter));
        }
        state.session = Session({
            validAfter: terms.validAfter,
            validUntil: terms.validUntil,
            maxOperations: terms.maxOperations,
            feePerOperation: terms.feePerOperation,
            paymaster: terms.paymaster,
            rules: _limits[state.id].rules,
            allowances: allowances
        });
    }

    /// @dev Stores a session that {Grants} has checked, and replaces an earlier session of the key.
    function _begin(address account, bytes32 key, Session calldata session) internal returns (bytes32 id) {
        Terms storage terms = _terms[key][account];
        if (_lasts(account, terms)) _end(account, key);
        uint32 generation = terms.generation + 1;
        id = _idOf(account, key, generation);
        terms.validAfter = session.validAfter;
        terms.validUntil = session.validUntil;
        terms.maxOperations = session.maxOperations;
        // Not 0 if the owner has used this nonce key for other operations.
        terms.firstSequence = _nextSequence(account, _nonceKeyOf(id));
        terms.generation = generation;
        terms.paymaster = session.paymaster;
        terms.feePerOperation = session.feePerOperation;
        uint32 epoch = _EPOCHS.epochOf(account, SESSIONS);
        terms.epoch = epoch;
        _keys[account][epoch].add(key);

        Limits storage limits = _limits[id];
        for (uint256 i; i < session.rules.length; ++i) {
            limits.rules.push(session.rules[i]);
        }
        for (uint256 i; i < session.allowances.length; ++i) {
            Allowance calldata allowance = session.allowances[i];
            limits.allowances.push(Spending(allowance.token, allowance.period, 0, allowance.amount, 0));
        }
        emit SessionGranted(account, key, id, session);
    }

    /// @dev Rules and counters stay in storage, but are never read again. Reverts with NoSession.
    function _end(address account, bytes32 key) internal {
        Terms storage terms = _terms[key][account];
        if (!_lasts(account, terms)) revert NoSession(account, key);
        terms.validUntil = 0;
        _keys[account][terms.epoch].remove(key);
        emit SessionRevoked(account, key, _idOf(account, key, terms.generation));
    }

    /// @dev Reverts with NoSession.
    function _termsOf(address account, bytes32 key) internal view returns (Terms memory terms) {
        terms = _terms[key][account];
        if (!_lasts(account, terms)) revert NoSession(account, key);
    }

    /// @dev Whether it is neither revoked nor of an epoch that has ended. Does not read the clock.
    function _lasts(address account, Terms memory terms) private view returns (bool) {
        return terms.validUntil != 0 && _EPOCHS.endOf(account, SESSIONS, terms.epoch) == 0;
    }

    function _limitsOf(bytes32 id) internal view returns (Limits storage) {
        return _limits[id];
    }

    function _idOf(address account, bytes32 key, uint32 generation) internal pure returns (bytes32) {
        return keccak256(abi.encode(account, key, generation));
    }

    function _nonceKeyOf(bytes32 id) internal pure returns (uint192) {
        return uint192(uint256(id));
    }

    /// @dev The number of the current period.
    function _windowOf(uint48 period, uint48 validAfter) internal view returns (uint48) {
        if (period == 0 || block.timestamp < validAfter) return 0;
        return (uint48(block.timestamp) - validAfter) / period;
    }

    function _spentIn(Spending memory spending, uint48 window) internal pure returns (uint128) {
        return spending.window == window ? spending.spent : 0;
    }

    function _nextSequence(address account, uint192 nonceKey) private view returns (uint64) {
        return uint64(INonceManager(ENTRY_POINT).getNonce(account, nonceKey));
    }
}
