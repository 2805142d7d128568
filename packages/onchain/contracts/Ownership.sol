// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {GuardianSet, GuardianSignature, IOwnership, Owner, OwnershipState} from "./interfaces/IOwnership.sol";
import {Guardians} from "./ownership/Guardians.sol";
import {OwnershipHashes} from "./ownership/libraries/OwnershipHashes.sol";
import {OwnershipSurroundings, SafeOwners} from "./ownership/SafeOwners.sol";
import {IOwnedSafe} from "./ownership/Surroundings.sol";

/// @title Owner changes that are signed once for all networks, and recovery by guardians
/// @notice A module of the account's Safe. No function asks who calls it, except {resync}, which is for the account. No
/// owners, no upgrades, no state except that of the accounts. Not audited.
/// @dev The arguments are the same on every network, so the address can be the same, too. Compiled by the IR pipeline.
contract Ownership is SafeOwners, Guardians {
    bytes32 private constant _ADD_OWNER = "addOwner";
    bytes32 private constant _REMOVE_OWNER = "removeOwner";
    bytes32 private constant _REPLACE_OWNER = "replaceOwner";
    bytes32 private constant _SET_THRESHOLD = "setThreshold";
    bytes32 private constant _SET_GUARDIANS = "setGuardians";
    bytes32 private constant _REVOKE_SESSIONS = "revokeSessions";
    bytes32 private constant _CANCEL = "cancel";

    uint256 private constant _MAX_NEW_OWNERS = 16;
    uint64 private constant _MAX_RESYNC = 1_024;
    /// @dev The static part of a signature in Safe's encoding: r, s, v.
    uint256 private constant _SAFE_SIGNATURE_LENGTH = 65;

    bytes32 private immutable _DOMAIN = OwnershipHashes.domain();

    constructor(OwnershipSurroundings memory surroundings) SafeOwners(surroundings) {}

    /// @inheritdoc IOwnership
    function applyChange(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signatures
    ) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        _requireNext(state, sequence);
        bytes32 hash = _requireOwners(account, sequence, kind, data, signatures);

        bytes32 head = _consume(account, state, hash);
        emit OwnerChangeApplied(account, sequence, kind, data, signatures, head);
        _apply(account, state, kind, data);
    }

    /// @inheritdoc IOwnership
    function startRecovery(
        address account,
        uint64 sequence,
        uint64 number,
        Owner[] calldata newOwners,
        uint256 newThreshold,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        _requireNext(state, sequence);
        _requireSet(account, state, guardians);
        _requireNewOwners(account, newOwners, newThreshold);
        bytes32 hash =
            OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, number, newOwners, newThreshold);
        _requireGuardians(guardians, hash, signatures);

        _useNumber(state, number, state.number + 1);
        _endRecovery(account, state);
        state.recovery = hash;
        uint48 readyAt = uint48(block.timestamp) + guardians.delay;
        state.recoveryReadyAt = readyAt;
        emit RecoveryStarted(
            account, sequence, hash, number, newOwners, newThreshold, guardians, signatures, readyAt
        );
        uint256 forgeable = _findForgeable(account, newOwners);
        if (forgeable < newOwners.length) revert ForgeableOwner(newOwners[forgeable]);
    }

    /// @inheritdoc IOwnership
    function cancelRecovery(
        address account,
        uint64 sequence,
        uint64 number,
        GuardianSet calldata guardians,
        GuardianSignature[] calldata signatures
    ) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        _requireNext(state, sequence);
        _requireSet(account, state, guardians);
        _requireGuardians(
            guardians, OwnershipHashes.cancelHash(_DOMAIN, account, sequence, number), signatures
        );

        _useNumber(state, number, state.number);
        emit RecoveriesCancelled(account, sequence, number, guardians, signatures);
        _endRecovery(account, state);
    }

    /// @inheritdoc IOwnership
    function executeRecovery(address account, Owner[] calldata newOwners, uint256 newThreshold) external {
        _requireSupported(account);
        OwnershipState storage state = _current(account);
        uint64 sequence = state.sequence;
        bytes32 hash =
            OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, state.number, newOwners, newThreshold);
        if (state.recovery != hash) revert NoRecovery(account, hash);
        if (block.timestamp < state.recoveryReadyAt) revert RecoveryNotReady(state.recoveryReadyAt);

        state.recovery = 0;
        bytes32 head = _consume(
            account, state, OwnershipHashes.resultHash(_DOMAIN, account, sequence, newOwners, newThreshold)
        );
        emit RecoveryExecuted(account, sequence, hash, head);
        // A contract may have been created since the start.
        uint256 forgeable = _findForgeable(account, newOwners);
        if (forgeable < newOwners.length) emit OwnerRefused(account, sequence, newOwners[forgeable]);
        else _replaceAll(account, newOwners, newThreshold);
    }

    /// @inheritdoc IOwnership
    function resync(uint64 sequence, bytes32 head) external {
        OwnershipState storage state = _current(msg.sender);
        uint64 current = state.sequence;
        if (sequence <= current || sequence - current > _MAX_RESYNC) revert InvalidResync(sequence, current);
        state.head = head;
        _moveTo(msg.sender, state, sequence);
        emit Resynced(msg.sender, sequence, head);
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
    function recoveryHash(
        address account,
        uint64 sequence,
        uint64 number,
        Owner[] calldata newOwners,
        uint256 newThreshold
    ) external view returns (bytes32) {
        return OwnershipHashes.recoveryHash(_DOMAIN, account, sequence, number, newOwners, newThreshold);
    }

    /// @inheritdoc IOwnership
    function cancelHash(address account, uint64 sequence, uint64 number) external view returns (bytes32) {
        return OwnershipHashes.cancelHash(_DOMAIN, account, sequence, number);
    }

    /// @inheritdoc IOwnership
    function resultHash(address account, uint64 sequence, Owner[] calldata newOwners, uint256 newThreshold)
        external
        view
        returns (bytes32)
    {
        return OwnershipHashes.resultHash(_DOMAIN, account, sequence, newOwners, newThreshold);
    }

    function _apply(address account, OwnershipState storage state, bytes32 kind, bytes calldata data)
        private
    {
        if (kind == _ADD_OWNER) {
            Owner memory added = abi.decode(data, (Owner));
            if (!_refuses(account, state, added)) _add(account, added);
        } else if (kind == _REMOVE_OWNER) {
            _remove(account, abi.decode(data, (Owner)));
        } else if (kind == _REPLACE_OWNER) {
            (Owner memory old, Owner memory added) = abi.decode(data, (Owner, Owner));
            if (!_refuses(account, state, added)) _replace(account, old, added);
        } else if (kind == _SET_THRESHOLD) {
            _setThreshold(account, abi.decode(data, (uint256)));
        } else if (kind == _SET_GUARDIANS) {
            _setGuardians(account, state, abi.decode(data, (GuardianSet)));
        } else if (kind == _REVOKE_SESSIONS || kind == _CANCEL) {
            if (data.length != 0) revert UnexpectedData(kind);
            if (kind == _REVOKE_SESSIONS) _endSessions(account);
        } else {
            revert UnknownKind(kind);
        }
    }

    /// @dev Does not revert, or a contract that is forgeable on one network only would stop that network.
    function _refuses(address account, OwnershipState storage state, Owner memory added)
        private
        returns (bool refused)
    {
        refused = _isForgeable(account, added);
        if (refused) emit OwnerRefused(account, state.sequence - 1, added);
    }

    /// @return index Of the first new owner as whom anyone could sign; their number if there is none.
    function _findForgeable(address account, Owner[] calldata newOwners) private returns (uint256 index) {
        while (index < newOwners.length && !_isForgeable(account, newOwners[index])) ++index;
    }

    /// @dev Retires every message of this sequence, before anything else is called.
    function _consume(address account, OwnershipState storage state, bytes32 hash)
        private
        returns (bytes32 head)
    {
        head = keccak256(abi.encode(state.head, hash));
        state.head = head;
        _moveTo(account, state, state.sequence + 1);
    }

    function _moveTo(address account, OwnershipState storage state, uint64 sequence) private {
        state.sequence = sequence;
        state.number = 0;
        _endRecovery(account, state);
    }

    function _requireNext(OwnershipState storage state, uint64 sequence) private view {
        if (sequence != state.sequence) revert WrongSequence(sequence, state.sequence);
    }

    /// @dev The Safe asks contracts of its owners by STATICCALL. Reverts with ApprovedHash, SignatureTooLong, and with
    /// Safe's errors.
    function _requireOwners(
        address account,
        uint64 sequence,
        bytes32 kind,
        bytes calldata data,
        bytes calldata signatures
    ) private view returns (bytes32 hash) {
        uint256 threshold = IOwnedSafe(account).getThreshold();
        if (signatures.length > threshold * MAX_SIGNATURE_LENGTH) revert SignatureTooLong(signatures.length);
        for (uint256 i; i < threshold; ++i) {
            uint256 v = i * _SAFE_SIGNATURE_LENGTH + 64;
            // Safe refuses what is too short.
            if (v >= signatures.length) break;
            // An approved hash holds on one network. For the Safe's caller, this module, it needs no approval at all.
            if (signatures[v] == 0x01) revert ApprovedHash();
        }
        bytes memory preimage = OwnershipHashes.changePreimage(_DOMAIN, account, sequence, kind, data);
        hash = keccak256(preimage);
        IOwnedSafe(account).checkSignatures(hash, preimage, signatures);
    }

    /// @dev Found before the delay rather than after it.
    function _requireNewOwners(address account, Owner[] calldata newOwners, uint256 newThreshold)
        private
        view
    {
        if (newThreshold == 0) revert InvalidThreshold();
        if (newOwners.length > _MAX_NEW_OWNERS) revert InvalidOwner(newOwners[_MAX_NEW_OWNERS]);
        if (_countDistinct(account, newOwners) < newThreshold) revert TooFewOwners(account);
    }
}
