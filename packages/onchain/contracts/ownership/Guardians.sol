// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, OwnershipState} from "../interfaces/IOwnership.sol";
import {GuardianCheck} from "./libraries/GuardianCheck.sol";

/// @title The guardians of accounts, of which only a hash is stored
abstract contract Guardians is IOwnership {
    uint256 private constant _MAX_GUARDIANS = 16;
    uint32 private constant _MIN_DELAY = 1 days;
    uint32 private constant _MAX_DELAY = 30 days;

    mapping(address account => OwnershipState) internal _states;

    /// @inheritdoc IOwnership
    function stateOf(address account) external view returns (OwnershipState memory state) {
        state = _states[account];
        if (!_hasSuccessor(state.nextGuardiansFrom)) return state;
        state.guardians = state.nextGuardians;
        state.nextGuardians = 0;
        state.nextGuardiansFrom = 0;
        state.recovery = 0;
    }

    /// @dev The account's state, after guardians whose time has come replaced the earlier ones. Nothing of the earlier
    /// ones counts any more, so their recovery ends.
    function _current(address account) internal returns (OwnershipState storage state) {
        state = _states[account];
        if (!_hasSuccessor(state.nextGuardiansFrom)) return state;
        state.guardians = state.nextGuardians;
        state.nextGuardians = 0;
        state.nextGuardiansFrom = 0;
        _cancelRecovery(account, state);
    }

    function _cancelRecovery(address account, OwnershipState storage state) internal {
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

    /// @dev Reverts with NotSignedByGuardians. Ascending order makes each guardian count once.
    function _requireGuardians(
        GuardianSet calldata set,
        bytes32 hash,
        GuardianSignature[] calldata signatures
    ) internal view {
        if (signatures.length < set.threshold) {
            revert NotSignedByGuardians();
        }
        address previous;
        for (uint256 i; i < signatures.length; ++i) {
            address guardian = signatures[i].guardian;
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
