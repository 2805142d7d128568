// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {P256} from "@openzeppelin/contracts/utils/cryptography/P256.sol";
import {IOwnership, Owner} from "../interfaces/IOwnership.sol";
import {
    IPinnedSigners,
    IOwnedSafe,
    IRevocableSessions,
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
}

/// @title Changes the owners of a Safe, and lets pins and sessions follow
/// @notice Functions name a result, so what is already so is no error: a network whose owners were changed in another
/// way does not get stuck.
abstract contract SafeOwners is IOwnership {
    uint8 internal constant ADDRESS = 0;
    uint8 internal constant PASSKEY = 1;
    uint256 private constant _ADDRESS_LENGTH = 20;
    uint256 private constant _PASSKEY_LENGTH = 86;

    /// @dev How many sessions one change deletes, and the gas for reading their list: an owner's thief may have granted
    /// thousands.
    uint256 private constant _MAX_REVOKED = 32;
    uint256 private constant _LIST_GAS = 500_000;

    address private constant _SENTINEL = address(1);
    bytes32 private constant _SAFE_1_4_1 = keccak256("1.4.1");
    bytes32 private constant _SAFE_1_5_0 = keccak256("1.5.0");

    address public immutable SESSION_KEYS;
    address public immutable SMART_BALANCE;
    address public immutable SHARED_SIGNER;
    address public immutable SIGNER_FACTORY;

    constructor(OwnershipSurroundings memory surroundings) {
        SESSION_KEYS = surroundings.sessionKeys;
        SMART_BALANCE = surroundings.smartBalance;
        SHARED_SIGNER = surroundings.sharedSigner;
        SIGNER_FACTORY = surroundings.signerFactory;
    }

    /// @dev A Safe without fallback handler answers a function that it does not have with success. Only these versions
    /// are known to have `checkSignatures`. Reverts with UnsupportedAccount, or without data if the account is no Safe.
    function _requireSupported(address account) internal view {
        IOwnedSafe safe = IOwnedSafe(account);
        bytes32 version = keccak256(bytes(safe.VERSION()));
        bool isKnown = version == _SAFE_1_4_1 || version == _SAFE_1_5_0;
        if (!isKnown || safe.getThreshold() != 1 || !safe.isModuleEnabled(address(this))) {
            revert UnsupportedAccount(account);
        }
    }

    /// @dev Reverts with InvalidOwner.
    function _add(address account, Owner memory owner) internal {
        _addAddress(account, owner);
        _pin(account, _pinOf(owner));
    }

    /// @dev Reverts with InvalidOwner, LastOwner.
    function _remove(address account, Owner memory owner) internal {
        address removed = _addressOf(account, owner);
        // The key of the shared signer may also own the account by a signer contract of its own.
        if (removed == SHARED_SIGNER) _removeAddress(account, _signerOf(owner.key));
        _removeAddress(account, removed);
        _unpin(account, _pinOf(owner));
        // A signer contract that was named by its address.
        if (owner.kind == ADDRESS) _unpin(account, _pinOfPasskey(account, removed));
    }

    /// @dev The new owner is added first, so that there always is one, and pinned last: it may be the passkey of the old
    /// one. Reverts with InvalidOwner if removing the old one removes the new one, and with LastOwner.
    function _replace(address account, Owner memory old, Owner memory added) internal {
        address removed = _addressOf(account, old);
        address kept = _addAddress(account, added);
        if (removed == kept || (removed == SHARED_SIGNER && _signerOf(old.key) == kept)) {
            revert InvalidOwner(added);
        }
        _remove(account, old);
        _pin(account, _pinOf(added));
    }

    /// @dev Makes `newOwners` the only owners. Their pins come last: one of them may have been the passkey of an owner
    /// that went. Reverts with InvalidOwner.
    function _replaceAll(address account, Owner[] memory newOwners) internal {
        address[] memory kept = new address[](newOwners.length);
        for (uint256 i; i < kept.length; ++i) {
            kept[i] = _addAddress(account, newOwners[i]);
        }
        address[] memory owners = IOwnedSafe(account).getOwners();
        address previous = _SENTINEL;
        for (uint256 i; i < owners.length; ++i) {
            address owner = owners[i];
            if (_isKept(kept, owner)) {
                previous = owner;
                continue;
            }
            _unpin(account, bytes32(uint256(uint160(owner))));
            _unpin(account, _pinOfPasskey(account, owner));
            _removeAfter(account, previous, owner);
        }
        for (uint256 i; i < kept.length; ++i) {
            _pin(account, _pinOf(newOwners[i]));
        }
    }

    /// @dev Without SessionKeys as an owner, the Safe does not ask it about any session.
    function _endSessions(address account) internal {
        _removeAddress(account, SESSION_KEYS);
        if (SESSION_KEYS.code.length == 0) return;
        try IRevocableSessions(SESSION_KEYS).keysOf{gas: _LIST_GAS}(account) returns (bytes32[] memory keys) {
            uint256 count = keys.length < _MAX_REVOKED ? keys.length : _MAX_REVOKED;
            for (uint256 i; i < count; ++i) {
                _execute(account, SESSION_KEYS, abi.encodeCall(IRevocableSessions.revoke, (keys[i])));
            }
            emit SessionsEnded(account, count, count == keys.length);
        } catch {
            emit SessionsEnded(account, 0, false);
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
    function _addAddress(address account, Owner memory owner) private returns (address added) {
        added = _addressOf(account, owner);
        if (owner.kind == PASSKEY && added != SHARED_SIGNER) {
            (uint256 x, uint256 y, uint176 verifiers) = _passkeyOf(owner.key);
            ISignerFactory(SIGNER_FACTORY).createSigner(x, y, verifiers);
        }
        if (IOwnedSafe(account).isOwner(added)) return added;
        _execute(account, account, abi.encodeCall(IOwnedSafe.addOwnerWithThreshold, (added, 1)));
    }

    /// @dev Whether `key` is the one that the account was created with, and still owns it.
    function _isOfSharedSigner(address account, bytes memory key) private view returns (bool) {
        if (!IOwnedSafe(account).isOwner(SHARED_SIGNER)) return false;
        return keccak256(_configurationOf(account)) == keccak256(key);
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

    /// @dev Reverts with LastOwner. SessionKeys and this module do not count: they sign nothing that an owner needs.
    function _removeAddress(address account, address owner) private {
        if (!IOwnedSafe(account).isOwner(owner)) return;
        address[] memory owners = IOwnedSafe(account).getOwners();
        address previous = _SENTINEL;
        uint256 left;
        for (uint256 i; i < owners.length; ++i) {
            if (owners[i] == owner) previous = i == 0 ? _SENTINEL : owners[i - 1];
            else if (owners[i] != SESSION_KEYS && owners[i] != address(this)) ++left;
        }
        if (left == 0) revert LastOwner(account);
        _removeAfter(account, previous, owner);
    }

    function _removeAfter(address account, address previous, address owner) private {
        _execute(account, account, abi.encodeCall(IOwnedSafe.removeOwner, (previous, owner, 1)));
    }

    /// @dev What SmartBalance calls a signer.
    function _pinOf(Owner memory owner) private pure returns (bytes32) {
        return
            owner.kind == PASSKEY
                ? keccak256(owner.key)
                : bytes32(uint256(uint160(address(bytes20(owner.key)))));
    }

    /// @dev The pin of the passkey behind an owner's address; 0 if there is none. The factory confirms what a signer
    /// contract says of itself, so no other contract can unpin another owner.
    function _pinOfPasskey(address account, address owner) private view returns (bytes32) {
        if (owner == SHARED_SIGNER) return keccak256(_configurationOf(account));
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

    /// @dev A network may have no smart balance.
    function _pin(address account, bytes32 signer) private {
        if (SMART_BALANCE.code.length == 0 || _isPinned(account, signer)) return;
        _execute(account, SMART_BALANCE, abi.encodeCall(IPinnedSigners.addSigner, (signer)));
    }

    function _unpin(address account, bytes32 signer) private {
        if (signer == 0 || SMART_BALANCE.code.length == 0 || !_isPinned(account, signer)) return;
        _execute(account, SMART_BALANCE, abi.encodeCall(IPinnedSigners.removeSigner, (signer)));
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

    function _isKept(address[] memory list, address item) private pure returns (bool) {
        for (uint256 i; i < list.length; ++i) {
            if (list[i] == item) return true;
        }
        return false;
    }
}
