// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {GuardianSet, GuardianSignature, IOwnership, Owner} from "../../interfaces/IOwnership.sol";
import {IOwnedSafe} from "../../ownership/Surroundings.sol";
import {OwnershipTest} from "./OwnershipTest.sol";

/// @dev What the campaign of Ownership expects of each message, and who signs it.
abstract contract HandlerModel is OwnershipTest {
    struct Message {
        bytes32 kind;
        /// Names of owners, of REPLACE and RECOVERY two.
        uint256 first;
        uint256 second;
        /// The threshold, or the set of guardians.
        uint256 value;
    }

    /// @dev Everything that a change or a recovery may change.
    struct Owners {
        /// Bits of addresses.
        uint256 mask;
        /// Bits of names whose pins are active.
        uint256 pins;
        uint256 threshold;
        /// Whether SessionKeys owns the account, and whether a session was granted that has not ended.
        bool hasSessions;
        bool hasGrant;
        /// Whether the account made the module an owner.
        bool hasModule;
        uint32 pinEpoch;
        uint32 sessionEpoch;
    }

    struct Network {
        address safe;
        bool isEnabled;
        uint64 sequence;
        bytes32 head;
        uint256 set;
        uint256 nextSet;
        uint256 nextSetFrom;
        bytes32 running;
        /// Whether the one that was started last ended because other guardians count.
        bool isOfFormer;
        uint256 readyAt;
        uint64 number;
        /// The recovery that was started last.
        Message last;
        Owners owners;
    }

    bytes32 internal constant RECOVERY = "recovery";

    // Addresses: two EOAs, one whose key may delegate, the shared signer, and the signer contracts of two passkeys.
    uint256 internal constant ADDRESSES = 6;
    uint256 internal constant DELEGATING = 2;
    uint256 internal constant SHARED = 3;
    uint256 internal constant FIRST_SIGNER = 4;
    uint256 internal constant OTHER_SIGNER = 5;

    // Names: the EOAs, the first passkey, its signer contract by its address, and the other passkey in both ways.
    uint256 internal constant NAMES = 7;
    uint256 internal constant FIRST_PASSKEY = 3;
    uint256 internal constant FIRST_BY_ADDRESS = 4;
    uint256 internal constant OTHER_PASSKEY_NAME = 5;
    uint256 internal constant OTHER_BY_ADDRESS = 6;
    /// @dev An owner that no message adds.
    uint256 internal constant NEVER = 7;

    uint256 internal constant NO_SET = 2;

    address internal compatible;
    /// @dev Who has approved the hash instead of signing it, if anyone.
    address internal approver;
    /// @dev Whether anyone could sign as DELEGATING.
    bool internal hasCode;

    address[ADDRESSES] private _addresses;
    bytes32[NAMES] private _pinsOfNames;

    function _prepareOwners() internal {
        compatible = _create(
            _code(
                "node_modules/@safe-global/safe-contracts/build/artifacts/contracts/handler/CompatibilityFallbackHandler.sol/CompatibilityFallbackHandler.json"
            ),
            ""
        );
        for (uint256 i; i < 3; ++i) {
            _addresses[i] = vm.addr(0x0111 + i);
        }
        _addresses[SHARED] = sharedSigner;
        _addresses[FIRST_SIGNER] = _createSigner(PASSKEY);
        _addresses[OTHER_SIGNER] = _createSigner(OTHER_PASSKEY);
        for (uint256 name; name < NAMES; ++name) {
            Owner memory owner = _name(name);
            _pinsOfNames[name] = owner.kind == 1
                ? keccak256(owner.key)
                : bytes32(uint256(uint160(address(bytes20(owner.key)))));
        }
    }

    function _createSigner(uint256 key) private returns (address) {
        (uint256 x, uint256 y) = vm.publicKeyP256(key);
        return signerFactory.createSigner(x, y, _verifiers());
    }

    function _addressAt(uint256 bit) internal view returns (address) {
        return _addresses[bit];
    }

    function _pinOf(uint256 name) internal view returns (bytes32) {
        return _pinsOfNames[name];
    }

    function _name(uint256 name) internal view returns (Owner memory) {
        if (name == FIRST_PASSKEY) return _passkey(PASSKEY);
        if (name == FIRST_BY_ADDRESS) return _named(_addresses[FIRST_SIGNER]);
        if (name == OTHER_PASSKEY_NAME) return _passkey(OTHER_PASSKEY);
        if (name == OTHER_BY_ADDRESS) return _named(_addresses[OTHER_SIGNER]);
        return name == NEVER ? _named(address(0x4E7E4)) : _named(_addresses[name]);
    }

    /// @dev The address by which a name owns an account with these owners.
    function _bitOf(uint256 mask, uint256 name) internal pure returns (uint256) {
        if (name == FIRST_PASSKEY) return mask & 1 << SHARED == 0 ? FIRST_SIGNER : SHARED;
        if (name == FIRST_BY_ADDRESS) return FIRST_SIGNER;
        return name > FIRST_BY_ADDRESS ? OTHER_SIGNER : name;
    }

    function _count(uint256 mask) internal pure returns (uint256 count) {
        for (; mask != 0; mask &= mask - 1) {
            ++count;
        }
    }

    // What each message does

    /// @return fits Whether as many owners are left as must sign.
    function _changed(Network storage here, Message memory message)
        internal
        view
        returns (bool fits, Owners memory owners)
    {
        owners = here.owners;
        fits = true;
        if (_isRefused(here, message)) return (fits, owners);
        if (message.kind == ADD) {
            owners.mask |= 1 << _bitOf(owners.mask, message.first);
            _pin(owners, message.first, owners.threshold);
        } else if (message.kind == REMOVE) {
            fits = _remove(owners, message.first);
        } else if (message.kind == REPLACE) {
            fits = _replace(owners, message.first, message.second);
        } else if (message.kind == SET_THRESHOLD) {
            fits = _count(owners.mask) >= message.value;
            owners.threshold = message.value;
            if (message.value > 1) {
                owners.hasSessions = false;
                _endPins(owners);
                _endSessions(owners);
            }
        } else if (message.kind == REVOKE_SESSIONS) {
            fits = !owners.hasSessions || _count(owners.mask) >= owners.threshold;
            owners.hasSessions = false;
            _endSessions(owners);
        }
    }

    function _recovered(Owners memory owners, Message memory message) internal pure returns (Owners memory) {
        owners.mask = 1 << _bitOf(owners.mask, message.first) | 1 << _bitOf(owners.mask, message.second);
        owners.threshold = message.value;
        owners.hasSessions = owners.hasModule = false;
        _endPins(owners);
        _endSessions(owners);
        _pin(owners, message.first, message.value);
        _pin(owners, message.second, message.value);
        return owners;
    }

    /// @dev Whether anyone could sign as an owner that the message adds.
    function _isRefused(Network storage, Message memory message) internal view returns (bool) {
        if (!hasCode) return false;
        if (message.kind == ADD) return message.first == DELEGATING;
        if (message.kind == REPLACE) return message.second == DELEGATING;
        return message.kind == RECOVERY && (message.first == DELEGATING || message.second == DELEGATING);
    }

    /// @dev A passkey and its signer contract are one owner.
    function _isStartable(Network storage here, Message memory message) internal view returns (bool) {
        bool isOne = _bitOf(0, message.first) == _bitOf(0, message.second);
        return !_isRefused(here, message) && (message.value == 1 || !isOne);
    }

    function _replace(Owners memory owners, uint256 old, uint256 added) private pure returns (bool) {
        uint256 removed = _bitOf(owners.mask, old);
        uint256 kept = _bitOf(owners.mask, added);
        owners.mask |= 1 << kept;
        bool isSame = removed == kept || (removed == SHARED && kept == FIRST_SIGNER);
        if (!isSame && !_remove(owners, old)) return false;
        _pin(owners, added, owners.threshold);
        return true;
    }

    /// @dev The first passkey goes in both ways in which it may own the account.
    function _remove(Owners memory owners, uint256 name) private pure returns (bool) {
        uint256 bit = _bitOf(owners.mask, name);
        if (bit == SHARED && !_drop(owners, FIRST_SIGNER)) return false;
        if (!_drop(owners, bit)) return false;
        owners.pins &= ~(1 << name);
        bool stillOwns = owners.mask & 1 << SHARED != 0;
        if (name == FIRST_BY_ADDRESS && !stillOwns) owners.pins &= ~(1 << FIRST_PASSKEY);
        if (name == OTHER_BY_ADDRESS) owners.pins &= ~(1 << OTHER_PASSKEY_NAME);
        _endSessions(owners);
        return true;
    }

    function _drop(Owners memory owners, uint256 bit) private pure returns (bool) {
        uint256 rest = owners.mask & ~(1 << bit);
        if (rest == owners.mask) return true;
        owners.mask = rest;
        return _count(rest) >= owners.threshold;
    }

    function _pin(Owners memory owners, uint256 name, uint256 threshold) private pure {
        if (threshold == 1) owners.pins |= 1 << name;
    }

    function _endPins(Owners memory owners) private pure {
        owners.pins = 0;
        ++owners.pinEpoch;
    }

    function _endSessions(Owners memory owners) private pure {
        owners.hasGrant = false;
        ++owners.sessionEpoch;
    }

    // Messages

    function _recovery(uint256 seed) internal pure returns (Message memory message) {
        message.kind = RECOVERY;
        message.first = seed % NAMES;
        message.second = (seed >> 8) % NAMES;
        message.value = 1 + (seed >> 16) % 2;
        if (_bitOf(0, message.first) == _bitOf(0, message.second)) message.value = 1;
    }

    function _dataOf(Message memory message) internal view returns (bytes memory) {
        if (message.kind == ADD || message.kind == REMOVE) return abi.encode(_name(message.first));
        if (message.kind == REPLACE) return abi.encode(_name(message.first), _name(message.second));
        if (message.kind == SET_THRESHOLD) return abi.encode(message.value);
        return message.kind == SET_GUARDIANS ? abi.encode(_setOf(message.value)) : bytes("");
    }

    /// @dev None before any recovery.
    function _newOwners(Message memory message) internal view returns (Owner[] memory owners) {
        if (message.kind != RECOVERY) return owners;
        owners = new Owner[](2);
        (owners[0], owners[1]) = (_name(message.first), _name(message.second));
    }

    function _startCall(Network storage here, Message memory message, uint64 number, uint256 count)
        internal
        view
        returns (bytes memory)
    {
        Owner[] memory owners = _newOwners(message);
        bytes32 hash = ownership.recoveryHash(here.safe, here.sequence, number, owners, message.value);
        return abi.encodeCall(
            IOwnership.startRecovery,
            (
                here.safe,
                here.sequence,
                number,
                owners,
                message.value,
                _setOf(here.set),
                _byGuardians(hash, here.set, count)
            )
        );
    }

    function _cancelledBy(Network storage here, uint64 number, uint256 count)
        internal
        view
        returns (GuardianSignature[] memory)
    {
        return _byGuardians(ownership.cancelHash(here.safe, here.sequence, number), here.set, count);
    }

    function _isOver(Network storage here) internal view returns (bool) {
        return block.timestamp > here.readyAt + 30 days;
    }

    // Guardians: two of three, or both of the last two

    function _setOf(uint256 index) internal view returns (GuardianSet memory set) {
        if (index == 0) return _guardians();
        if (index == NO_SET) return GuardianSet(new address[](0), 0, 0);
        set = GuardianSet(new address[](2), 2, 1 days);
        (set.members[0], set.members[1]) = (vm.addr(guardianKeys[1]), vm.addr(guardianKeys[2]));
    }

    function _hashOf(uint256 set) internal view returns (bytes32) {
        return set == NO_SET ? bytes32(0) : keccak256(abi.encode(_setOf(set)));
    }

    /// @dev A key whose address comes after `guardian`.
    function _outsider(address guardian) internal pure returns (uint256 key) {
        for (key = 0x7E57; vm.addr(key) < guardian;) {
            ++key;
        }
    }

    // Signatures of owners

    /// @dev By `count` of these owners, in ascending order of addresses; those of contracts follow.
    function _signatures(uint256 mask, uint256 count, bytes32 hash) internal view returns (bytes memory all) {
        bytes memory dynamic;
        address previous;
        for (uint256 i; i < count; ++i) {
            uint256 next = _nextOf(mask, previous);
            previous = _addresses[next];
            if (previous == approver) {
                all = bytes.concat(all, abi.encodePacked(uint256(uint160(approver)), uint256(0), uint8(1)));
                continue;
            }
            if (next < SHARED) {
                all = bytes.concat(all, _keySignature(0x0111 + next, hash));
                continue;
            }
            uint256 offset = count * 65 + dynamic.length;
            all = bytes.concat(all, abi.encodePacked(uint256(uint160(previous)), offset, uint8(0)));
            bytes memory assertion = _assertion(next == OTHER_SIGNER ? OTHER_PASSKEY : PASSKEY, hash);
            dynamic = bytes.concat(dynamic, abi.encodePacked(assertion.length, assertion));
        }
        all = bytes.concat(all, dynamic);
    }

    function _nextOf(uint256 mask, address previous) private view returns (uint256 next) {
        next = ADDRESSES;
        for (uint256 bit; bit < ADDRESSES; ++bit) {
            if (mask & 1 << bit == 0 || _addresses[bit] <= previous) continue;
            if (next == ADDRESSES || _addresses[bit] < _addresses[next]) next = bit;
        }
    }

    // The Safe's lists

    function _previous(address safe, address owner) internal view returns (address previous) {
        previous = address(1);
        address[] memory owners = IOwnedSafe(safe).getOwners();
        for (uint256 i; owners[i] != owner; ++i) {
            previous = owners[i];
        }
    }

    function _previousModule(address safe) internal view returns (address previous) {
        previous = address(1);
        (address[] memory modules,) = IModuleList(safe).getModulesPaginated(previous, 10);
        for (uint256 i; modules[i] != address(ownership); ++i) {
            previous = modules[i];
        }
    }
}

interface IModuleList {
    function getModulesPaginated(address start, uint256 pageSize)
        external
        view
        returns (address[] memory modules, address next);
}
