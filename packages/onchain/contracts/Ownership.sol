// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GuardianSet, GuardianSignature, IOwnership, Owner, OwnershipState} from "./interfaces/IOwnership.sol";
import {Guardians} from "./ownership/Guardians.sol";
import {OwnershipHashes} from "./ownership/libraries/OwnershipHashes.sol";
import {OwnershipSurroundings, SafeOwners} from "./ownership/SafeOwners.sol";
import {IOwnedSafe} from "./ownership/Surroundings.sol";

/// @title Owner changes that are signed once for all networks, and recovery by guardians
/// @notice A module of the account's Safe. No function asks who calls it. No owner, no upgrades, no state except that
/// of the accounts. Not audited.
/// @dev The arguments are the same on every network, so the address can be the same, too.
contract Ownership is SafeOwners, Guardians {
    bytes32 private constant _ADD_OWNER = "addOwner";
    bytes32 private constant _REMOVE_OWNER = "removeOwner";
    bytes32 private constant _REPLACE_OWNER = "replaceOwner";
    bytes32 private constant _SET_GUARDIANS = "setGuardians";
    bytes32 private constant _REVOKE_SESSIONS = "revokeSessions";
    bytes32 private constant _CANCEL = "cancel";

    uint256 private constant _MAX_NEW_OWNERS = 16;

    bytes32 private immutable _DOMAIN = OwnershipHashes.domain();

    constructor(OwnershipSurroundings memory surroundings) SafeOwners(surroundings) {}

    /// @inheritdoc IOwnership
    function applyChange(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signature
    ) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        _requireNext(state, sequence);
        bytes32 hash = _requireOwner(account, sequence, kind, data, signature);

        bytes32 head = _consume(account, state, hash);
        emit OwnerChangeApplied(account, sequence, kind, data, signature, head);
        _apply(account, state, kind, data);
    }

    /// @inheritdoc IOwnership
    function startRecovery(
        address account,
        uint64 sequence,
        Owner[] calldata newOwners,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        _requireNext(state, sequence);
        if (state.recovery != 0) revert RecoveryRunning(account, state.recovery);
        // Without guardians the hash is 0, which no set has.
        if (keccak256(abi.encode(guardians)) != state.guardians) revert OtherGuardians(account);
        _requireOwners(account, newOwners);
        bytes32 hash = OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, newOwners);
        _requireGuardians(guardians, hash, signatures);

        uint48 readyAt = uint48(block.timestamp) + guardians.delay;
        state.recovery = hash;
        state.recoveryReadyAt = readyAt;
        emit RecoveryStarted(account, sequence, hash, newOwners, guardians, signatures, readyAt);
    }

    /// @inheritdoc IOwnership
    function executeRecovery(address account, Owner[] calldata newOwners) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        uint64 sequence = state.sequence;
        bytes32 hash = OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, newOwners);
        if (state.recovery != hash) revert NoRecovery(account, hash);
        if (block.timestamp < state.recoveryReadyAt) revert RecoveryNotReady(state.recoveryReadyAt);

        state.recovery = 0;
        bytes32 head = _consume(account, state, hash);
        emit RecoveryExecuted(account, sequence, hash, head);
        _replaceAll(account, newOwners);
        _endSessions(account);
    }

    /// @inheritdoc IOwnership
    function changeHash(address account, uint64 sequence, bytes32 kind, bytes calldata data)
        external
        view
        returns (bytes32)
    {
        return keccak256(OwnershipHashes.changePreimage(_DOMAIN, account, sequence, kind, data));
    }

    /// @inheritdoc IOwnership
    function recoveryHash(address account, uint64 sequence, Owner[] calldata newOwners)
        external
        view
        returns (bytes32)
    {
        return OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, newOwners);
    }

    function _apply(address account, OwnershipState storage state, bytes32 kind, bytes calldata data)
        private
    {
        if (kind == _ADD_OWNER) {
            _add(account, abi.decode(data, (Owner)));
        } else if (kind == _REMOVE_OWNER) {
            _remove(account, abi.decode(data, (Owner)));
        } else if (kind == _REPLACE_OWNER) {
            (Owner memory old, Owner memory added) = abi.decode(data, (Owner, Owner));
            _replace(account, old, added);
        } else if (kind == _SET_GUARDIANS) {
            _setGuardians(account, state, abi.decode(data, (GuardianSet)));
        } else if (kind == _REVOKE_SESSIONS) {
            _endSessions(account);
        } else if (kind != _CANCEL) {
            revert UnknownKind(kind);
        }
    }

    /// @dev Retires every message of this sequence, before anything else is called.
    function _consume(address account, OwnershipState storage state, bytes32 hash)
        private
        returns (bytes32 head)
    {
        head = keccak256(abi.encode(state.head, hash));
        state.head = head;
        ++state.sequence;
        _cancelRecovery(account, state);
    }

    function _requireNext(OwnershipState storage state, uint64 sequence) private view {
        if (sequence != state.sequence) revert WrongSequence(sequence, state.sequence);
    }

    /// @dev The Safe asks contracts of its owners by STATICCALL. Reverts with ApprovedHash, and with Safe's errors.
    function _requireOwner(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signature
    ) private view returns (bytes32 hash) {
        // An approved hash holds on one network. For the Safe's caller, this module, it needs no approval at all.
        if (signature.length > 64 && signature[64] == 0x01) revert ApprovedHash();
        bytes memory preimage = OwnershipHashes.changePreimage(_DOMAIN, account, sequence, kind, data);
        hash = keccak256(preimage);
        IOwnedSafe(account).checkSignatures(hash, preimage, signature);
    }

    /// @dev Found before the delay rather than after it.
    function _requireOwners(address account, Owner[] calldata newOwners) private view {
        if (newOwners.length == 0) revert LastOwner(account);
        if (newOwners.length > _MAX_NEW_OWNERS) revert InvalidOwner(newOwners[_MAX_NEW_OWNERS]);
        for (uint256 i; i < newOwners.length; ++i) {
            _addressOf(account, newOwners[i]);
        }
    }
}
