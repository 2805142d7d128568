// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {
    GuardianSet,
    GuardianSignature,
    IOwnership,
    Owner,
    OwnershipState
} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @dev Two accounts that start with the same owner stand for one account on two networks (NetworksTest shows that one
/// signature holds on both): the same log of messages is applied to each, at its own pace. Ghost variables count.
contract Handler is OwnershipTest {
    struct Message {
        bytes32 kind;
        bytes data;
        /// Signs it; an owner at this point of the log.
        uint256 key;
        /// Instead of a change.
        bool isRecovery;
    }

    uint256 private constant NETWORKS = 2;
    uint256 private constant KEYS = 5;

    address[NETWORKS] private _accounts;
    Message[] private _log;
    /// @dev Owners after the whole log, by the model.
    mapping(uint256 key => bool) private _isOwner;
    uint256 private _count = 1;
    bool private _hasGuardians;

    uint256 public applied;
    uint256 public recovered;
    uint256 public refusedLast;
    uint256 public unsignedApplied;
    uint256 public wronglyRefused;

    function setUp() public override {
        super.setUp();
        _accounts[0] = account;
        _accounts[1] = otherAccount;
        _enable(otherAccount);
        // The same first owner, and no sessions.
        vm.startPrank(otherAccount);
        IOwnedSafe(otherAccount).addOwnerWithThreshold(_owner(0), 1);
        IOwnedSafe(otherAccount).removeOwner(address(sessionKeys), vm.addr(OTHER_OWNER_KEY), 1);
        vm.stopPrank();
        vm.prank(account);
        IOwnedSafe(account).addOwnerWithThreshold(_owner(0), 1);
        vm.prank(account);
        IOwnedSafe(account).removeOwner(address(sessionKeys), vm.addr(OWNER_KEY), 1);
        _isOwner[0] = true;
    }

    /// @dev Appends a message that an owner signs.
    function sign(uint256 seed) external {
        uint256 signer = _anyOwner(seed);
        uint256 subject = (seed >> 8) % KEYS;
        uint256 kind = (seed >> 16) % 6;
        if (kind < 2) {
            if (!_isOwner[subject]) ++_count;
            _isOwner[subject] = true;
            _append(ADD, abi.encode(_ownerOf(subject)), signer);
        } else if (kind == 2 && !(_count == 1 && _isOwner[subject])) {
            if (_isOwner[subject]) --_count;
            _isOwner[subject] = false;
            _append(REMOVE, abi.encode(_ownerOf(subject)), signer);
        } else if (kind == 3) {
            uint256 added = (subject + 1 + (seed >> 24) % (KEYS - 1)) % KEYS;
            if (!_isOwner[added]) ++_count;
            _isOwner[added] = true;
            if (_isOwner[subject]) --_count;
            _isOwner[subject] = false;
            _append(REPLACE, abi.encode(_ownerOf(subject), _ownerOf(added)), signer);
        } else if (kind == 4) {
            _hasGuardians = true;
            _append(SET_GUARDIANS, abi.encode(_guardians()), signer);
        } else {
            _append(CANCEL, "", signer);
        }
    }

    /// @dev Appends a recovery.
    function signRecovery(uint256 seed) external {
        if (!_hasGuardians) return;
        uint256 subject = seed % KEYS;
        for (uint256 i; i < KEYS; ++i) {
            _isOwner[i] = i == subject;
        }
        _count = 1;
        _log.push(Message("", abi.encode(_only(_ownerOf(subject))), 0, true));
    }

    /// @dev Applies the next message on a network.
    function applyNext(uint8 network) external {
        address safe = _accounts[network % NETWORKS];
        uint64 sequence = ownership.stateOf(safe).sequence;
        if (sequence >= _log.length) return;
        Message memory message = _log[sequence];
        if (message.isRecovery) return _recover(safe, sequence, abi.decode(message.data, (Owner[])));
        bytes32 hash = ownership.changeHash(safe, sequence, message.kind, message.data);
        try ownership.applyChange(
            safe, sequence, message.kind, message.data, _keySignature(_keyAt(message.key), hash)
        ) {
            ++applied;
        } catch {
            ++wronglyRefused;
        }
    }

    /// @dev Whoever is no owner, of any sequence; too few guardians; the last owner.
    function attempt(uint8 network, uint256 seed) external {
        address safe = _accounts[network % NETWORKS];
        uint64 sequence = ownership.stateOf(safe).sequence + uint64(seed % 2);
        uint256 key = _keyAt((seed >> 8) % KEYS);
        bool isOwner = IOwnedSafe(safe).isOwner(vm.addr(key));
        bytes memory data = abi.encode(_eoa(THIRD_PARTY_KEY));
        if (!isOwner || seed % 2 == 1) {
            bytes32 hash = ownership.changeHash(safe, sequence, ADD, data);
            bytes memory signature = _keySignature(key, hash);
            try ownership.applyChange(safe, sequence, ADD, data, signature) {
                ++unsignedApplied;
            } catch {}
        } else if (_humans(safe) == 1) {
            data = abi.encode(_eoa(key));
            bytes memory signature = _keySignature(key, ownership.changeHash(safe, sequence, REMOVE, data));
            try ownership.applyChange(safe, sequence, REMOVE, data, signature) {
                ++unsignedApplied;
            } catch {
                ++refusedLast;
            }
        }
        Owner[] memory owners = _only(_eoa(THIRD_PARTY_KEY));
        try ownership.startRecovery(
            safe, sequence, owners, _guardians(), _byGuardians(safe, sequence, owners, 1)
        ) {
            ++unsignedApplied;
        } catch {}
        try ownership.executeRecovery(safe, owners) {
            ++unsignedApplied;
        } catch {}
    }

    function wait(uint256 seconds_) external {
        vm.warp(block.timestamp + bound(seconds_, 1, DELAY));
    }

    function check() external view {
        for (uint256 i; i < NETWORKS; ++i) {
            assertEq(IOwnedSafe(_accounts[i]).getThreshold(), 1, "the threshold stays 1");
            assertTrue(_humans(_accounts[i]) > 0, "somebody owns it");
        }
        bool isSame = ownership.stateOf(_accounts[0]).sequence == ownership.stateOf(_accounts[1]).sequence;
        for (uint256 key; isSame && key < KEYS; ++key) {
            bool here = IOwnedSafe(_accounts[0]).isOwner(_owner(key));
            bool there = IOwnedSafe(_accounts[1]).isOwner(_owner(key));
            assertTrue(here == there, "the same log, the same owners");
            if (ownership.stateOf(_accounts[0]).sequence == _log.length) {
                assertTrue(here == _isOwner[key], "as signed");
            }
        }
    }

    function _recover(address safe, uint64 sequence, Owner[] memory owners) private {
        OwnershipState memory state = ownership.stateOf(safe);
        if (state.recovery == 0) {
            try ownership.startRecovery(
                safe, sequence, owners, _guardians(), _byGuardians(safe, sequence, owners, 2)
            ) {}
            catch {
                ++wronglyRefused;
            }
            return;
        }
        bool isReady = block.timestamp >= state.recoveryReadyAt;
        try ownership.executeRecovery(safe, owners) {
            if (isReady) ++recovered;
            else ++unsignedApplied;
        } catch {
            if (isReady) ++wronglyRefused;
        }
    }

    function _byGuardians(address safe, uint64 sequence, Owner[] memory owners, uint256 count)
        private
        view
        returns (GuardianSignature[] memory signatures)
    {
        bytes32 hash = ownership.recoveryHash(safe, sequence, owners);
        signatures = new GuardianSignature[](count);
        for (uint256 i; i < count; ++i) {
            signatures[i] = GuardianSignature(vm.addr(guardianKeys[i]), _keySignature(guardianKeys[i], hash));
        }
    }

    function _append(bytes32 kind, bytes memory data, uint256 signer) private {
        _log.push(Message(kind, data, signer, false));
    }

    function _anyOwner(uint256 seed) private view returns (uint256 key) {
        key = seed % KEYS;
        while (!_isOwner[key]) {
            key = (key + 1) % KEYS;
        }
    }

    function _humans(address safe) private view returns (uint256) {
        uint256 owners = IOwnedSafe(safe).getOwners().length;
        return IOwnedSafe(safe).isOwner(address(sessionKeys)) ? owners - 1 : owners;
    }

    function _keyAt(uint256 key) private pure returns (uint256) {
        return 0x0111 + key;
    }

    function _owner(uint256 key) private pure returns (address) {
        return vm.addr(_keyAt(key));
    }

    function _ownerOf(uint256 key) private pure returns (Owner memory) {
        return _eoa(_keyAt(key));
    }
}
