// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, OwnershipState} from "../interfaces/IOwnership.sol";
import {GuardianCheck} from "./libraries/GuardianCheck.sol";

/// @title The guardians of accounts, of which only a hash is stored
abstract contract Guardians is IOwnership {
    uint256 private constant _MAX_GUARDIANS = 16;
    uint32 private constant _MIN_DELAY = 1 days;
    uint32 private constant _MAX_DELAY = 30 days;
    /// @dev How long a recovery can be executed. What is never executed must not wait forever.
    uint48 private constant _LIFETIME = 30 days;
    uint256 internal constant MAX_SIGNATURE_LENGTH = 2_048;
    /// @dev Far more than anyone starts, and too little to use the numbers up.
    uint64 private constant _MAX_STEP = 2 ** 32;

    mapping(address account => OwnershipState) internal _states;

    /// @inheritdoc IOwnership
    function stateOf(address account) external view returns (OwnershipState memory state) {
        state = _states[account];
        if (_isOver(state.recoveryReadyAt)) state.recovery = 0;
        if (!_hasSuccessor(state.nextGuardiansFrom)) return state;
        state.guardians = state.nextGuardians;
        state.nextGuardians = 0;
        state.nextGuardiansFrom = 0;
        state.recovery = 0;
    }

    /// @dev The account's state, after a recovery has lapsed, and after guardians whose time has come replaced the earlier
    /// ones. Nothing of the earlier ones counts any more, so their recovery ends.
    function _current(address account) internal returns (OwnershipState storage state) {
        state = _states[account];
        if (_isOver(state.recoveryReadyAt)) _endRecovery(account, state);
        if (!_hasSuccessor(state.nextGuardiansFrom)) return state;
        state.guardians = state.nextGuardians;
        state.nextGuardians = 0;
        state.nextGuardiansFrom = 0;
        _endRecovery(account, state);
    }

    function _endRecovery(address account, OwnershipState storage state) internal {
        bytes32 recovery = state.recovery;
        if (recovery == 0) return;
        state.recovery = 0;
        emit RecoveryCancelled(account, recovery);
    }

    /// @dev At once, or when the delay of the recovery that was started last has passed, even if it was cancelled.
    /// Reverts with InvalidGuardians.
    function _setGuardians(address account, OwnershipState storage state, GuardianSet memory set) internal {
        _check(set);
        bytes32 hash = set.members.length == 0 ? bytes32(0) : keccak256(abi.encode(set));
        // A date that is set does not move, or guardians could postpone their end by starting again.
        uint48 from = state.nextGuardiansFrom != 0 ? state.nextGuardiansFrom : state.recoveryReadyAt;
        if (from <= block.timestamp) {
            from = uint48(block.timestamp);
            state.guardians = hash;
        } else {
            state.nextGuardians = hash;
            state.nextGuardiansFrom = from;
        }
        emit GuardiansSet(account, set, from);
    }

    /// @dev Reverts with WrongNumber.
    /// @param lowest The lowest number that is accepted.
    function _useNumber(OwnershipState storage state, uint64 number, uint64 lowest) internal {
        uint64 highest = state.number;
        if (number < lowest || number - highest > _MAX_STEP) revert WrongNumber(number, highest);
        state.number = number;
    }

    /// @dev Reverts with OtherGuardians if `set` is not in force.
    function _requireSet(address account, OwnershipState storage state, GuardianSet calldata set) internal view {
        // Without guardians the hash is 0, which no set has.
        if (keccak256(abi.encode(set)) != state.guardians) revert OtherGuardians(account);
    }

    /// @dev Reverts with NotSignedByGuardians and SignatureTooLong. Ascending order makes each guardian count once.
    function _requireGuardians(
        GuardianSet calldata set,
        bytes32 hash,
        GuardianSignature[] calldata signatures
    ) internal view {
        if (signatures.length < set.threshold) revert NotSignedByGuardians();
        address previous;
        for (uint256 i; i < signatures.length; ++i) {
            address guardian = signatures[i].guardian;
            uint256 length = signatures[i].signature.length;
            if (length > MAX_SIGNATURE_LENGTH) revert SignatureTooLong(length);
            bool isValid = guardian > previous && _isMember(set.members, guardian)
                && GuardianCheck.isValid(guardian, hash, signatures[i].signature);
            if (!isValid) revert NotSignedByGuardians();
            previous = guardian;
        }
    }

    function _check(GuardianSet memory set) private pure {
        uint256 count = set.members.length;
        bool isValid = count == 0
            ? set.threshold == 0 && set.delay == 0
            : count <= _MAX_GUARDIANS && set.threshold > 0 && set.threshold <= count
                && set.delay >= _MIN_DELAY && set.delay <= _MAX_DELAY;
        if (!isValid) revert InvalidGuardians();
        address previous;
        for (uint256 i; i < count; ++i) {
            if (set.members[i] <= previous) revert InvalidGuardians();
            previous = set.members[i];
        }
    }

    function _isOver(uint48 readyAt) private view returns (bool) {
        return block.timestamp > readyAt + _LIFETIME;
    }

    function _hasSuccessor(uint48 from) private view returns (bool) {
        return from != 0 && from <= block.timestamp;
    }

    function _isMember(address[] calldata members, address member) private pure returns (bool) {
        for (uint256 i; i < members.length; ++i) {
            if (members[i] == member) return true;
        }
        return false;
    }
}
