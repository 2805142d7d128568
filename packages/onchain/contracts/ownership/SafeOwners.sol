// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {IEpochs, PINS, SESSIONS} from "../interfaces/IEpochs.sol";
import {IOwnership, Owner} from "../interfaces/IOwnership.sol";
import {
    IPinnedSigners,
    IOwnedSafe,
    ISharedSigner,
    ISigner,
    ISignerFactory
} from "./Surroundings.sol";

/// @notice The contracts around an account, each at the same address on every network.
struct OwnershipSurroundings {
    address sessionKeys;
    address smartBalance;
    /// SafeWebAuthnSharedSigner.
    address sharedSigner;
    /// SafeWebAuthnSignerFactory.
    address signerFactory;
    address epochs;
}

/// @title Changes the owners of a Safe, and lets pins and sessions follow
/// @notice Functions name a result, so what is already so is no error: a network whose owners were changed in another
/// way does not get stuck.
abstract contract SafeOwners is IOwnership {
    uint8 internal constant ADDRESS = 0;
    uint8 internal constant PASSKEY = 1;
    uint256 private constant _ADDRESS_LENGTH = 20;
    uint256 private constant _PASSKEY_LENGTH = 86;

    /// @dev What the question about a forged signature may use: six times what the longest answer of known handlers needs.
    uint256 private constant _QUESTION_GAS = 300_000;
    /// @dev A call passes on 63/64 of what is left (EIP-150), after its own cost.
    uint256 private constant _GAS_BEFORE_QUESTION = _QUESTION_GAS * 64 / 63 + 5_000;

    address private constant _SENTINEL = address(1);
    bytes32 private constant _SAFE_1_4_1 = keccak256("1.4.1");
    bytes32 private constant _SAFE_1_5_0 = keccak256("1.5.0");

    address public immutable SESSION_KEYS;
    address public immutable SMART_BALANCE;
    address public immutable SHARED_SIGNER;
    address public immutable SIGNER_FACTORY;
    address public immutable EPOCHS;

    constructor(OwnershipSurroundings memory surroundings) {
        SESSION_KEYS = surroundings.sessionKeys;
        SMART_BALANCE = surroundings.smartBalance;
        SHARED_SIGNER = surroundings.sharedSigner;
        SIGNER_FACTORY = surroundings.signerFactory;
        EPOCHS = surroundings.epochs;
    }

    /// @dev A Safe without fallback handler answers a function that it does not have with success. Only these versions
    /// are known to have `checkSignatures`. Reverts with UnsupportedAccount, or without data if the account is no Safe.
    function _requireSupported(address account) internal view {
        IOwnedSafe safe = IOwnedSafe(account);
        bytes32 version = keccak256(bytes(safe.VERSION()));
        bool isKnown = version == _SAFE_1_4_1 || version == _SAFE_1_5_0;
        if (!isKnown || !safe.isModuleEnabled(address(this))) revert UnsupportedAccount(account);
    }

    /// @dev Reverts with InvalidOwner.
    function _add(address account, Owner memory owner) internal {
        uint256 threshold = IOwnedSafe(account).getThreshold();
        _addAddress(account, owner, threshold);
        _pin(account, _pinOf(owner), threshold);
    }

    /// @dev Ends all sessions, whoever granted them: which owner did is not known. Reverts with InvalidOwner, TooFewOwners.
    function _remove(address account, Owner memory owner) internal {
        address removed = _addressOf(account, owner);
        // The key of the shared signer may also own the account by a signer contract of its own.
        if (removed == SHARED_SIGNER) _removeAddress(account, _signerOf(owner.key));
        _removeAddress(account, removed);
        _unpin(account, _pinOf(owner));
        if (owner.kind == ADDRESS) {
            // A signer contract that was named by its address. Its passkey may own the account by the shared signer, too.
            bytes32 pin = _pinOfPasskey(removed);
            if (!_isPinOfSharedSigner(account, pin)) _unpin(account, pin);
        }
        _raise(account, SESSIONS);
    }

    /// @dev The new owner is added first, so that there always is one, and pinned last: it may be the passkey of the old
    /// one. If removing the old one would remove the new one, it stays. Reverts with InvalidOwner, TooFewOwners.
    function _replace(address account, Owner memory old, Owner memory added) internal {
        uint256 threshold = IOwnedSafe(account).getThreshold();
        address removed = _addressOf(account, old);
        address kept = _addAddress(account, added, threshold);
        bool isSame = removed == kept || (removed == SHARED_SIGNER && _signerOf(old.key) == kept);
        if (!isSame) _remove(account, old);
        _pin(account, _pinOf(added), threshold);
    }

    /// @dev Makes `newOwners` the only owners. Pins and sessions of before end with their epochs, so no old owner is asked
    /// about anything. Reverts with InvalidOwner.
    function _replaceAll(address account, Owner[] memory newOwners, uint256 newThreshold) internal {
        address[] memory kept = new address[](newOwners.length);
        for (uint256 i; i < kept.length; ++i) {
            // The Safe lowers its threshold, so that it stops no removal.
            kept[i] = _addAddress(account, newOwners[i], 1);
        }
        address[] memory owners = IOwnedSafe(account).getOwners();
        address previous = _SENTINEL;
        for (uint256 i; i < owners.length; ++i) {
            if (_includes(kept, owners[i])) previous = owners[i];
            else _removeAfter(account, previous, owners[i], 1);
        }
        _changeThreshold(account, newThreshold);
        _raise(account, PINS);
        _raise(account, SESSIONS);
        for (uint256 i; i < kept.length; ++i) {
            _pin(account, _pinOf(newOwners[i]), newThreshold);
        }
    }

    /// @dev Above 1 there are neither sessions nor orders: one key would decide for several owners. Reverts with
    /// InvalidThreshold, TooFewOwners.
    function _setThreshold(address account, uint256 threshold) internal {
        if (threshold == 0) revert InvalidThreshold();
        (address previous, uint256 others) = _find(account, SESSION_KEYS);
        if (others < threshold) revert TooFewOwners(account);
        if (threshold > 1) {
            if (IOwnedSafe(account).isOwner(SESSION_KEYS)) {
                _removeAfter(account, previous, SESSION_KEYS, threshold);
            }
            _raise(account, PINS);
            _raise(account, SESSIONS);
        }
        _changeThreshold(account, threshold);
    }

    /// @dev Without SessionKeys as an owner, the Safe does not ask it about any session.
    function _endSessions(address account) internal {
        _removeAddress(account, SESSION_KEYS);
        _raise(account, SESSIONS);
    }

    /// @dev Whether anyone could sign as `owner`. A contract that asks its caller about a nested signature, as
    /// CompatibilityFallbackHandler 1.4.1 and handlers derived from it do, asks the account; the account then takes that
    /// contract for the caller of an approved hash (v = 1). So the account is asked about exactly such a signature, while
    /// the contract is an owner and one signature is enough. Leaves everything as it was. Reverts with InvalidOwner,
    /// NotEnoughGas.
    function _isForgeable(address account, Owner memory owner) internal returns (bool forgeable) {
        address asked = _addressOf(account, owner);
        if (owner.kind == PASSKEY || asked.code.length == 0) return false;
        IOwnedSafe safe = IOwnedSafe(account);
        uint256 threshold = safe.getThreshold();
        bool isOwner = safe.isOwner(asked);
        if (isOwner) _changeThreshold(account, 1);
        else _addAddress(account, owner, 1);
        forgeable = _acceptsForgery(account, asked);
        if (isOwner) _changeThreshold(account, threshold);
        // The Safe adds at the head of its list.
        else _removeAfter(account, _SENTINEL, asked, threshold);
    }

    /// @dev How many addresses own the account with these owners. The first passkey and its own signer contract count as
    /// one, on every network. Reverts with InvalidOwner.
    function _countDistinct(address account, Owner[] memory owners) internal view returns (uint256 count) {
        address[] memory counted = new address[](owners.length);
        for (uint256 i; i < owners.length; ++i) {
            address owner =
                owners[i].kind == PASSKEY ? _signerOf(owners[i].key) : _addressOf(account, owners[i]);
            // solhint-disable-next-line gas-increment-by-one
            if (!_includes(counted, owner)) counted[count++] = owner;
        }
    }

    /// @dev The address by which `owner` owns the account here, or would. Reverts with InvalidOwner.
    function _addressOf(address account, Owner memory owner) internal view returns (address) {
        if (owner.kind == PASSKEY) {
            address signer = _signerOf(owner.key);
            return _isOfSharedSigner(account, owner.key) ? SHARED_SIGNER : signer;
        }
        if (owner.kind != ADDRESS || owner.key.length != _ADDRESS_LENGTH) revert InvalidOwner(owner);
        address named = address(bytes20(owner.key));
        bool isRefused = named == address(0) || named == _SENTINEL || named == account
            || named == address(this) || named == SESSION_KEYS || named == SHARED_SIGNER;
        if (isRefused) revert InvalidOwner(owner);
        return named;
    }

    /// @dev Creates the owner's signer contract if need be.
    function _addAddress(address account, Owner memory owner, uint256 threshold)
        private
        returns (address added)
    {
        added = _addressOf(account, owner);
        if (owner.kind == PASSKEY && added != SHARED_SIGNER) {
            (uint256 x, uint256 y, uint176 verifiers) = _passkeyOf(owner.key);
            ISignerFactory(SIGNER_FACTORY).createSigner(x, y, verifiers);
        }
        if (IOwnedSafe(account).isOwner(added)) return added;
        _execute(account, account, abi.encodeCall(IOwnedSafe.addOwnerWithThreshold, (added, threshold)));
    }

    /// @dev Whether `key` is the one that the account was created with, and still owns it.
    function _isOfSharedSigner(address account, bytes memory key) private view returns (bool) {
        return _isPinOfSharedSigner(account, keccak256(key));
    }

    function _isPinOfSharedSigner(address account, bytes32 pin) private view returns (bool) {
        return IOwnedSafe(account).isOwner(SHARED_SIGNER) && keccak256(_configurationOf(account)) == pin;
    }

    function _configurationOf(address account) private view returns (bytes memory) {
        (uint256 x, uint256 y, uint176 verifiers) = ISharedSigner(SHARED_SIGNER).getConfiguration(account);
        return abi.encodePacked(x, y, verifiers);
    }

    /// @dev Reverts with InvalidOwner.
    function _signerOf(bytes memory key) private view returns (address) {
        if (key.length != _PASSKEY_LENGTH) revert InvalidOwner(Owner(PASSKEY, key));
        (uint256 x, uint256 y, uint176 verifiers) = _passkeyOf(key);
        if (verifiers == 0 || !P256.isValidPublicKey(bytes32(x), bytes32(y))) {
            revert InvalidOwner(Owner(PASSKEY, key));
        }
        return ISignerFactory(SIGNER_FACTORY).getSigner(x, y, verifiers);
    }

    function _passkeyOf(bytes memory key) private pure returns (uint256 x, uint256 y, uint176 verifiers) {
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            x := mload(add(key, 32))
            y := mload(add(key, 64))
            verifiers := shr(80, mload(add(key, 96)))
        }
    }

    /// @dev Reverts with TooFewOwners.
    function _removeAddress(address account, address owner) private {
        if (!IOwnedSafe(account).isOwner(owner)) return;
        uint256 threshold = IOwnedSafe(account).getThreshold();
        (address previous, uint256 others) = _find(account, owner);
        if (others < threshold) revert TooFewOwners(account);
        _removeAfter(account, previous, owner, threshold);
    }

    /// @return previous The owner before `owner` in the Safe's list.
    /// @return others How many owners there are without it. SessionKeys and this module do not count: they sign nothing
    /// that an owner needs.
    function _find(address account, address owner) private view returns (address previous, uint256 others) {
        address[] memory owners = IOwnedSafe(account).getOwners();
        for (uint256 i; i < owners.length; ++i) {
            if (owners[i] == owner) previous = i == 0 ? _SENTINEL : owners[i - 1];
            else if (owners[i] != SESSION_KEYS && owners[i] != address(this)) ++others;
        }
    }

    function _removeAfter(address account, address previous, address owner, uint256 threshold) private {
        _execute(account, account, abi.encodeCall(IOwnedSafe.removeOwner, (previous, owner, threshold)));
    }

    function _changeThreshold(address account, uint256 threshold) private {
        if (IOwnedSafe(account).getThreshold() == threshold) return;
        _execute(account, account, abi.encodeCall(IOwnedSafe.changeThreshold, (threshold)));
    }

    /// @dev Bounded gas, nothing of the answer, and no state changes. Reverts with NotEnoughGas, or the sender would choose
    /// the answer.
    function _acceptsForgery(address account, address asked) private view returns (bool accepted) {
        bytes memory preimage = abi.encodePacked("May anyone sign for this account?", account, asked);
        // (r, s, v): by `asked` as a contract, whose signature follows: an approved hash of `asked`.
        bytes memory nested = abi.encodePacked(uint256(uint160(asked)), uint256(0), uint8(1));
        bytes memory forged = abi.encodePacked(
            uint256(uint160(asked)), uint256(nested.length), uint8(0), uint256(nested.length), nested
        );
        bytes memory question =
            abi.encodeCall(IOwnedSafe.checkSignatures, (keccak256(preimage), preimage, forged));
        if (gasleft() < _GAS_BEFORE_QUESTION) revert NotEnoughGas();
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            accepted := staticcall(_QUESTION_GAS, account, add(question, 32), mload(question), 0, 0)
        }
    }

    /// @dev What SmartBalance calls a signer.
    function _pinOf(Owner memory owner) private pure returns (bytes32) {
        return
            owner.kind == PASSKEY
                ? keccak256(owner.key)
                : bytes32(uint256(uint160(address(bytes20(owner.key)))));
    }

    /// @dev The pin of the passkey behind a signer contract; 0 for any other address. The factory confirms what a signer
    /// contract says of itself, so no other contract can unpin another owner.
    function _pinOfPasskey(address owner) private view returns (bytes32) {
        if (owner.code.length == 0) return 0;
        (bool success, uint256 x, uint256 y, uint256 verifiers) = _askConfiguration(owner);
        if (!success || verifiers > type(uint176).max) return 0;
        if (ISignerFactory(SIGNER_FACTORY).getSigner(x, y, uint176(verifiers)) != owner) return 0;
        return keccak256(abi.encodePacked(x, y, uint176(verifiers)));
    }

    /// @dev An owner may be any contract: bounded gas, 96 bytes of the answer.
    function _askConfiguration(address signer)
        private
        view
        returns (bool success, uint256 x, uint256 y, uint256 verifiers)
    {
        bytes memory query = abi.encodeCall(ISigner.getConfiguration, ());
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            let answer := mload(0x40)
            success := staticcall(50000, signer, add(query, 32), mload(query), answer, 96)
            success := and(success, eq(returndatasize(), 96))
            x := mload(answer)
            y := mload(add(answer, 32))
            verifiers := mload(add(answer, 64))
        }
    }

    /// @dev A network may have no smart balance. Nothing is pinned above a threshold of 1.
    function _pin(address account, bytes32 signer, uint256 threshold) private {
        if (threshold > 1 || SMART_BALANCE.code.length == 0 || _isPinned(account, signer)) return;
        _execute(account, SMART_BALANCE, abi.encodeCall(IPinnedSigners.addSigner, (signer)));
    }

    function _unpin(address account, bytes32 signer) private {
        if (signer == 0 || SMART_BALANCE.code.length == 0 || !_isPinned(account, signer)) return;
        _execute(account, SMART_BALANCE, abi.encodeCall(IPinnedSigners.removeSigner, (signer)));
    }

    /// @dev Does nothing on a network without Epochs, where there can be neither pins nor sessions.
    function _raise(address account, uint8 kind) private {
        _execute(account, EPOCHS, abi.encodeCall(IEpochs.raise, (kind)));
    }

    function _isPinned(address account, bytes32 signer) private view returns (bool) {
        return IPinnedSigners(SMART_BALANCE).signerUntil(account, signer) == type(uint48).max;
    }

    /// @dev A call by the account. Reverts with the call's error, or with the account's.
    function _execute(address account, address target, bytes memory data) private {
        (bool success, bytes memory returned) =
            IOwnedSafe(account).execTransactionFromModuleReturnData(target, 0, data, 0);
        if (success) return;
        // solhint-disable-next-line no-inline-assembly
        assembly ("memory-safe") {
            revert(add(returned, 32), mload(returned))
        }
    }

    function _includes(address[] memory list, address item) private pure returns (bool) {
        for (uint256 i; i < list.length; ++i) {
            if (list[i] == item) return true;
        }
        return false;
    }
}
