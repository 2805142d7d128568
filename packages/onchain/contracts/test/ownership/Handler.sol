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
import {ISafeAccount} from "../session-keys/SessionKeysTest.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @dev Two accounts that start with the same owner stand for one account on two networks (NetworksTest shows that one
/// signature holds on both): the same log of messages is applied to each, at its own pace. Guardians also start recoveries
/// that are in no log. A model of each network says what its state must be; ghost variables count.
contract Handler is OwnershipTest {
    struct Message {
        bytes32 kind;
        bytes data;
        /// Signs it; an owner at this point of the log.
        uint256 key;
        /// Instead of a change, by the guardians `set`.
        bool isRecovery;
        /// What SET_GUARDIANS sets, or who signs the recovery.
        uint256 set;
    }

    struct Network {
        address safe;
        uint64 sequence;
        bytes32 head;
        uint256 set;
        uint256 nextSet;
        uint256 nextSetFrom;
        bytes32 running;
        uint256 readyAt;
        uint64 number;
        /// Of the recovery that was started last.
        Owner[] owners;
        /// Whether SessionKeys owns the account.
        bool hasSessions;
        /// Whether a session was granted that has not ended.
        bool hasGrant;
        /// Whether the account made the module an owner.
        bool hasModule;
    }

    uint256 private constant NETWORKS = 2;
    /// @dev The last one is a passkey.
    uint256 private constant KEYS = 5;
    uint256 private constant NOBODY = 2;
    uint256 public constant ATTEMPTS = 15;

    Network[NETWORKS] private _networks;
    Message[] private _log;
    /// @dev Bits of the keys that own the account after so many messages.
    uint256[] private _ownersAfter;
    /// @dev The last set of the log.
    uint256 private _set = NOBODY;
    uint256 private _clock;

    uint256 public applied;
    uint256 public replaced;
    uint256 public cancelled;
    uint256 public recovered;
    uint256 public rivals;
    uint256 public endedBySuccessors;
    uint256 public postponedGuardians;
    uint256 public sessionsEnded;
    uint256 public signedByPasskey;
    mapping(uint256 kind => uint256) public tried;
    mapping(uint256 kind => uint256) public succeeded;
    uint256 public attacksThatSucceeded;
    uint256 public wronglyRefused;

    /// @dev The steps do not rely on cheat codes of earlier calls.
    modifier step() {
        vm.warp(_clock);
        _;
        _clock = block.timestamp;
    }

    function setUp() public override {
        super.setUp();
        _clock = block.timestamp;
        _enable(otherAccount);
        _begin(_networks[0], account, OWNER_KEY);
        _begin(_networks[1], otherAccount, OTHER_OWNER_KEY);
        _ownersAfter.push(1);
    }

    // The log

    /// @dev Appends a message that an owner signs.
    function sign(uint256 seed) external step {
        uint256 mask = _ownersAfter[_log.length];
        uint256 signer = _anyOf(mask, seed);
        uint256 subject = (seed >> 8) % KEYS;
        uint256 other = (subject + 1 + (seed >> 24) % (KEYS - 1)) % KEYS;
        uint256 kind = (seed >> 16) % 8;
        if (kind == 0) {
            _append(ADD, abi.encode(_ownerOf(subject)), signer, mask | (1 << subject));
        } else if (kind < 3 && mask != 1 << subject) {
            _append(REMOVE, abi.encode(_ownerOf(subject)), signer, mask & ~(1 << subject));
        } else if (kind == 3) {
            bytes memory data = abi.encode(_ownerOf(subject), _ownerOf(other));
            _append(REPLACE, data, signer, (mask | (1 << other)) & ~(1 << subject));
        } else if (kind == 4 || kind == 5) {
            _appendGuardians((seed >> 32) % 8 == 0 ? NOBODY : kind - 4, seed);
        } else {
            _append(kind == 6 ? REVOKE_SESSIONS : CANCEL, "", signer, mask);
        }
    }

    /// @dev Appends a recovery.
    function signRecovery(uint256 seed) external step {
        if (_set == NOBODY) return;
        uint256 first = seed % KEYS;
        uint256 second = (seed >> 8) % KEYS;
        Owner[] memory owners = new Owner[](2);
        (owners[0], owners[1]) = (_ownerOf(first), _ownerOf(second));
        _log.push(Message("", abi.encode(owners), 0, true, _set));
        _ownersAfter.push((1 << first) | (1 << second));
    }

    /// @dev Applies the next message on a network.
    function applyNext(uint8 network) external step {
        _applyNext(_here(network));
    }

    function _applyNext(Network storage here) private {
        if (here.sequence >= _log.length) return;
        Message memory message = _log[here.sequence];
        if (message.isRecovery) return _recover(here, message);
        bytes32 hash = ownership.changeHash(here.safe, here.sequence, message.kind, message.data);
        try ownership.applyChange(
            here.safe, here.sequence, message.kind, message.data, _signatureBy(message.key, hash)
        ) {
            _consume(here, hash);
            _apply(here, message);
        } catch {
            ++wronglyRefused;
        }
    }

    /// @dev Guardians start what is in no log: the next message ends it.
    function startRival(uint8 network) external step {
        Network storage here = _here(network);
        if (here.running != 0 || here.set == NOBODY || here.sequence >= _log.length) return;
        if (_log[here.sequence].isRecovery) return;
        ++rivals;
        _start(here, _only(_eoa(NEW_OWNER_KEY)));
    }

    /// @dev An owner replaces the guardians, twice, while they start again and again; at last they execute.
    function replaceGuardians(uint8 network, uint256 seed) external step {
        Network storage here = _here(network);
        if (!_catchUp(here)) return;
        uint256 mask = _ownersAfter[here.sequence];
        if (here.set == NOBODY) {
            _appendGuardians(0, seed);
            _applyNext(here);
        }
        if (here.running != 0 || here.set == NOBODY) return;
        _appendGuardians((here.set + 1) % 3, seed);
        _appendGuardians((here.set + 2) % 3, seed);
        _append(CANCEL, "", _anyOf(mask, seed), mask);
        for (uint256 i; i < 2; ++i) {
            _start(here, _only(_eoa(NEW_OWNER_KEY)));
            _applyNext(here);
            vm.warp(block.timestamp + 1 hours);
            // Other guardians may count by now.
            here = _here(network);
            if (here.set == NOBODY) return;
        }
        _start(here, _only(_eoa(NEW_OWNER_KEY)));
        if (seed >> 128 & 1 == 0) return;
        vm.warp(here.readyAt);
        _attemptExecution(_here(network), 8);
    }

    /// @dev Applies the rest of the log. False if a recovery in it has to wait.
    function _catchUp(Network storage here) private returns (bool) {
        while (here.sequence < _log.length) {
            uint64 before = here.sequence;
            _applyNext(here);
            if (here.sequence == before) return false;
        }
        return true;
    }

    function _appendGuardians(uint256 set, uint256 seed) private {
        uint256 mask = _ownersAfter[_log.length];
        _set = set;
        _append(SET_GUARDIANS, abi.encode(_setOf(set)), _anyOf(mask, seed), mask);
    }

    /// @dev The account changes its owners by itself.
    function meddle(uint8 network, bool isModule) external step {
        Network storage here = _here(network);
        if (isModule ? here.hasModule : here.hasSessions) return;
        if (isModule) here.hasModule = true;
        else here.hasSessions = true;
        vm.prank(here.safe);
        ISafeAccount(here.safe).addOwnerWithThreshold(isModule ? address(ownership) : address(sessionKeys), 1);
        if (isModule) return;
        _grant(here.safe, bytes32(uint256(1)), _session());
        here.hasGrant = true;
    }

    function wait(uint256 time) external step {
        vm.warp(block.timestamp + bound(time, 1, 2 days));
    }

    // Attacks. Nothing but one guard stands against each.

    function attempt(uint8 network, uint256 kind, uint256 seed) external step {
        Network storage here = _here(network);
        kind %= ATTEMPTS;
        // Both need a recovery whose delay has passed.
        if ((kind == 7 || kind == 8) && block.timestamp < here.readyAt) vm.warp(here.readyAt);
        here = _here(network);
        if (kind < 6) _attemptChange(here, kind, seed, _networks[1 - network % NETWORKS].safe);
        else if (kind < 9) _attemptExecution(here, kind);
        else _attemptStart(here, kind, _networks[1 - network % NETWORKS].safe);
    }

    function _attemptChange(Network storage here, uint256 kind, uint256 seed, address other) private {
        uint256 mask = _ownersAfter[here.sequence];
        uint64 sequence = here.sequence;
        Message memory message = Message(ADD, abi.encode(_eoa(THIRD_PARTY_KEY)), _anyOf(mask, seed), false, 0);
        address signedFor = here.safe;
        if (kind == 0) {
            // Nobody who owns it.
            if (mask == (1 << KEYS) - 1) return;
            message.key = _anyOf(~mask, seed);
        } else if (kind == 1) {
            // Before its turn.
            ++sequence;
        } else if (kind == 2) {
            // Again.
            if (sequence == 0) return;
            message = _log[--sequence];
            if (message.isRecovery || mask & (1 << message.key) == 0) return;
        } else if (kind == 3) {
            // By the module itself.
            if (!here.hasModule) return;
        } else if (kind == 4) {
            // Signed for another account.
            signedFor = other;
        } else {
            // The last owner.
            if (mask & (mask - 1) != 0) return;
            (message.kind, message.data) = (REMOVE, abi.encode(_ownerOf(message.key)));
        }
        bytes memory signature = kind == 3
            ? abi.encodePacked(uint256(uint160(address(ownership))), uint256(0), uint8(1))
            : _signatureBy(message.key, ownership.changeHash(signedFor, sequence, message.kind, message.data));
        _attempt(
            kind,
            abi.encodeCall(
                IOwnership.applyChange, (here.safe, sequence, message.kind, message.data, signature)
            )
        );
    }

    function _attemptExecution(Network storage here, uint256 kind) private {
        Owner[] memory owners = here.owners;
        if (kind == 6) {
            // Before its time.
            if (here.running == 0 || block.timestamp >= here.readyAt) return;
        } else if (kind == 7) {
            // Other owners.
            if (here.running == 0 || block.timestamp < here.readyAt) return;
            owners = _only(_eoa(THIRD_PARTY_KEY));
        } else {
            // What has ended, of a sequence that has not.
            bytes32 hash = ownership.recoveryHash(here.safe, here.sequence, here.number, owners, 1);
            if (owners.length == 0 || here.running == hash || block.timestamp < here.readyAt) return;
        }
        _attempt(kind, abi.encodeCall(IOwnership.executeRecovery, (here.safe, owners, 1)));
    }

    function _attemptStart(Network storage here, uint256 kind, address other) private {
        // The first of these is tried while one is running.
        if (here.set == NOBODY || (kind == 9) != (here.running != 0)) return;
        Owner[] memory owners = _only(_eoa(THIRD_PARTY_KEY));
        uint256 by = here.set;
        uint64 sequence = here.sequence;
        // The first of these has the number of the one that is running.
        uint64 number = kind == 9 ? here.number : here.number + 1;
        GuardianSignature[] memory signatures =
            _byGuardians(by, kind == 13 ? other : here.safe, sequence, number, owners, 2);
        if (kind == 10) {
            // Too few.
            signatures = _byGuardians(by, here.safe, sequence, number, owners, 1);
        } else if (kind == 11) {
            // One of them twice.
            signatures[1] = signatures[0];
        } else if (kind == 12) {
            // None of them.
            signatures[1].guardian = vm.addr(_outsider(signatures[0].guardian));
            signatures[1].signature = _keySignature(
                _outsider(signatures[0].guardian), ownership.recoveryHash(here.safe, sequence, number, owners, 1)
            );
        } else if (kind == 14) {
            // The other set.
            by = 1 - by;
            signatures = _byGuardians(by, here.safe, sequence, number, owners, 2);
        }
        _attempt(
            kind,
            abi.encodeCall(IOwnership.startRecovery, (here.safe, sequence, number, owners, 1, _setOf(by), signatures))
        );
    }

    function _attempt(uint256 kind, bytes memory call) private {
        ++tried[kind];
        (bool success,) = address(ownership).call(call);
        if (!success) return;
        ++succeeded[kind];
        ++attacksThatSucceeded;
    }

    // What must hold

    function check() external step {
        for (uint256 i; i < NETWORKS; ++i) {
            _checkState(_networks[i]);
            _checkOwners(_networks[i]);
        }
    }

    function _checkState(Network storage here) private view {
        OwnershipState memory state = ownership.stateOf(here.safe);
        bool isEnded = here.nextSetFrom != 0 && here.nextSetFrom <= block.timestamp;
        assertEq(state.sequence, here.sequence, "sequence");
        assertTrue(state.head == here.head, "head");
        assertTrue(state.guardians == _hashOf(isEnded ? here.nextSet : here.set), "guardians");
        assertTrue(state.recovery == (isEnded || _isOver(here) ? bytes32(0) : here.running), "recovery");
        assertEq(state.number, here.number, "number");
        assertEq(state.recoveryReadyAt, here.readyAt, "ready at");
        assertEq(state.nextGuardiansFrom, isEnded ? 0 : here.nextSetFrom, "next guardians from");
        bool hasNext = here.nextSetFrom != 0 && !isEnded;
        assertTrue(state.nextGuardians == (hasNext ? _hashOf(here.nextSet) : bytes32(0)), "next guardians");
    }

    function _checkOwners(Network storage here) private view {
        uint256 mask = _ownersAfter[here.sequence];
        uint256 count;
        for (uint256 key; key < KEYS; ++key) {
            bool isOwner = mask & (1 << key) != 0;
            if (isOwner) ++count;
            assertTrue(IOwnedSafe(here.safe).isOwner(_owner(key)) == isOwner, "the owners that were signed");
            bool isPinned = pins.signerUntil(here.safe, _pinOf(key)) == type(uint48).max;
            assertTrue(isPinned == isOwner, "pins follow");
        }
        assertTrue(count > 0, "somebody owns it");
        assertTrue(IOwnedSafe(here.safe).isOwner(address(sessionKeys)) == here.hasSessions, "sessions end");
        assertEq(sessionKeys.keysOf(here.safe).length, here.hasGrant ? 1 : 0, "and with them what was granted");
        if (here.hasSessions) ++count;
        if (here.hasModule) ++count;
        assertEq(IOwnedSafe(here.safe).getOwners().length, count, "nobody else owns it");
        assertEq(IOwnedSafe(here.safe).getThreshold(), 1, "the threshold stays 1");
    }

    // The model

    /// @dev The network's model, after guardians whose time has come.
    function _here(uint8 network) private returns (Network storage here) {
        here = _networks[network % NETWORKS];
        if (_isOver(here)) here.running = 0;
        if (here.nextSetFrom == 0 || here.nextSetFrom > block.timestamp) return here;
        here.set = here.nextSet;
        here.nextSetFrom = 0;
        if (here.running != 0) ++endedBySuccessors;
        here.running = 0;
    }

    function _isOver(Network storage here) private view returns (bool) {
        return block.timestamp > here.readyAt + 30 days;
    }

    function _apply(Network storage here, Message memory message) private {
        ++applied;
        if (here.running != 0) ++cancelled;
        here.running = 0;
        if (message.key == KEYS - 1) ++signedByPasskey;
        if (message.kind == REPLACE) ++replaced;
        if (message.kind == REVOKE_SESSIONS) {
            if (here.hasSessions) ++sessionsEnded;
            here.hasSessions = false;
            here.hasGrant = false;
        }
        if (message.kind == REMOVE || message.kind == REPLACE) here.hasGrant = false;
        if (message.kind != SET_GUARDIANS) return;
        if (here.nextSetFrom == 0 && here.readyAt <= block.timestamp) {
            here.set = message.set;
            return;
        }
        ++postponedGuardians;
        here.nextSet = message.set;
        if (here.nextSetFrom == 0) here.nextSetFrom = here.readyAt;
    }

    function _consume(Network storage here, bytes32 hash) private {
        here.head = keccak256(abi.encode(here.head, hash));
        ++here.sequence;
        here.number = 0;
    }

    function _recover(Network storage here, Message memory message) private {
        Owner[] memory owners = abi.decode(message.data, (Owner[]));
        if (here.running == 0) {
            // New guardians may not count yet on this network.
            if (here.set == message.set) _start(here, owners);
            return;
        }
        if (block.timestamp < here.readyAt) return;
        bytes32 result = ownership.resultHash(here.safe, here.sequence, owners, 1);
        try ownership.executeRecovery(here.safe, owners, 1) {
            ++recovered;
            _consume(here, result);
            here.running = 0;
            here.hasSessions = false;
            here.hasGrant = false;
            here.hasModule = false;
        } catch {
            ++wronglyRefused;
        }
    }

    function _start(Network storage here, Owner[] memory owners) private {
        uint64 number = here.number + 1;
        GuardianSignature[] memory signatures =
            _byGuardians(here.set, here.safe, here.sequence, number, owners, 2);
        try ownership.startRecovery(
            here.safe, here.sequence, number, owners, 1, _setOf(here.set), signatures
        ) {
            here.number = number;
            here.running = ownership.recoveryHash(here.safe, here.sequence, number, owners, 1);
            here.readyAt = block.timestamp + _setOf(here.set).delay;
            delete here.owners;
            for (uint256 i; i < owners.length; ++i) {
                here.owners.push(owners[i]);
            }
        } catch {
            ++wronglyRefused;
        }
    }

    function _append(bytes32 kind, bytes memory data, uint256 signer, uint256 mask) private {
        _log.push(Message(kind, data, signer, false, _set));
        _ownersAfter.push(mask);
    }

    /// @dev The first key instead of the owner that the account was created with, and SessionKeys.
    function _begin(Network storage here, address safe, uint256 ownerKey) private {
        here.safe = safe;
        here.set = NOBODY;
        here.hasSessions = true;
        vm.startPrank(safe);
        IOwnedSafe(safe).addOwnerWithThreshold(_owner(0), 1);
        IOwnedSafe(safe).removeOwner(address(sessionKeys), vm.addr(ownerKey), 1);
        pins.addSigner(_pinOf(0));
        vm.stopPrank();
    }

    // Guardians: two of three, or both of the last two

    function _setOf(uint256 index) private view returns (GuardianSet memory set) {
        if (index == 0) return _guardians();
        if (index == NOBODY) return GuardianSet(new address[](0), 0, 0);
        set = GuardianSet(new address[](2), 2, 1 days);
        (set.members[0], set.members[1]) = (vm.addr(guardianKeys[1]), vm.addr(guardianKeys[2]));
    }

    function _hashOf(uint256 set) private view returns (bytes32) {
        return set == NOBODY ? bytes32(0) : keccak256(abi.encode(_setOf(set)));
    }

    function _byGuardians(
        uint256 set,
        address safe,
        uint64 sequence,
        uint64 number,
        Owner[] memory owners,
        uint256 count
    ) private view returns (GuardianSignature[] memory) {
        return _byGuardians(ownership.recoveryHash(safe, sequence, number, owners, 1), set, count);
    }

    /// @dev A key whose address comes after `guardian`.
    function _outsider(address guardian) private pure returns (uint256 key) {
        for (key = 0x7E57; vm.addr(key) < guardian;) {
            ++key;
        }
    }

    // Owners

    function _anyOf(uint256 mask, uint256 seed) private pure returns (uint256 key) {
        key = seed % KEYS;
        while (mask & (1 << key) == 0) {
            key = (key + 1) % KEYS;
        }
    }

    function _keyAt(uint256 key) private pure returns (uint256) {
        return key == KEYS - 1 ? OTHER_PASSKEY : 0x0111 + key;
    }

    function _owner(uint256 key) private view returns (address) {
        return key == KEYS - 1 ? _signerOf(_keyAt(key)) : vm.addr(_keyAt(key));
    }

    function _ownerOf(uint256 key) private view returns (Owner memory) {
        return key == KEYS - 1 ? _passkey(_keyAt(key)) : _eoa(_keyAt(key));
    }

    function _pinOf(uint256 key) private view returns (bytes32) {
        return key == KEYS - 1 ? keccak256(_ownerOf(key).key) : bytes32(uint256(uint160(_owner(key))));
    }

    function _signatureBy(uint256 key, bytes32 hash) private view returns (bytes memory) {
        return
            key == KEYS - 1
                ? _signWithPasskey(_owner(key), _keyAt(key), hash)
                : _keySignature(_keyAt(key), hash);
    }
}
