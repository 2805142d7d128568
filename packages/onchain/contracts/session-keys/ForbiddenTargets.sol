// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IEpochs} from "../interfaces/IEpochs.sol";
import {ISafe} from "../interfaces/ISafe.sol";

/// @notice The contracts around an account, each at the same address on every network.
struct Surroundings {
    /// EntryPoint v0.7.
    address entryPoint;
    /// Safe4337Module 0.3.0.
    address safe4337Module;
    /// SafeWebAuthnSharedSigner.
    address sharedSigner;
    address multiSend;
    address multiSendCallOnly;
    address smartBalance;
    address epochs;
}

/// @title Targets that no session may call, whatever its rules
/// @notice The account, this contract, and the account's modules, guards and fallback handler would give the session an
/// owner's power. A handler trusts its caller's claim, in the last 20 bytes of the calldata, about who called the
/// account; so does Safe4337Module even if the account has another handler. EntryPoint and SmartBalance hold funds of the account
/// outside it, and Epochs ends what it has allowed.
abstract contract ForbiddenTargets {
    /// @notice Thrown if a session names or calls a target that no session may call.
    error ForbiddenTarget(address target);

    /// @dev Addresses below this: 0, the precompiles, and the system contracts of rollups.
    uint160 private constant LOWEST_TARGET = 0x10000;

    /// @notice EntryPoint v0.7.
    address public immutable ENTRY_POINT;

    /// @notice Safe4337Module, whose EIP-712 domain user operations are signed in.
    address public immutable SAFE_4337_MODULE;

    address private immutable _SHARED_SIGNER;
    address private immutable _MULTI_SEND;
    address private immutable _MULTI_SEND_CALL_ONLY;
    address private immutable _SMART_BALANCE;

    IEpochs internal immutable _EPOCHS;

    /// @dev Where a Safe stores its fallback handler, its guard and, since 1.5.0, the guard of its modules.
    uint256 private constant HANDLER_SLOT = uint256(keccak256("fallback_manager.handler.address"));
    uint256 private constant GUARD_SLOT = uint256(keccak256("guard_manager.guard.address"));
    uint256 private constant MODULE_GUARD_SLOT = uint256(keccak256("module_manager.module_guard.address"));

    constructor(Surroundings memory surroundings) {
        ENTRY_POINT = surroundings.entryPoint;
        SAFE_4337_MODULE = surroundings.safe4337Module;
        _SHARED_SIGNER = surroundings.sharedSigner;
        _MULTI_SEND = surroundings.multiSend;
        _MULTI_SEND_CALL_ONLY = surroundings.multiSendCallOnly;
        _SMART_BALANCE = surroundings.smartBalance;
        _EPOCHS = IEpochs(surroundings.epochs);
    }

    /// @notice Whether no session of `account` can call `target` now. Modules, guards and handler are read at each call,
    /// since the account may set one after the grant. Reverts with the account's error if it is not a Safe.
    function isForbiddenTarget(address account, address target) public view returns (bool) {
        return uint160(target) < LOWEST_TARGET || target == account || target == address(this)
            || target == SAFE_4337_MODULE || target == ENTRY_POINT || target == _SMART_BALANCE
            || target == address(_EPOCHS) || target == _SHARED_SIGNER || target == _MULTI_SEND || target == _MULTI_SEND_CALL_ONLY
            || ISafe(account).isModuleEnabled(target) || _isAt(account, HANDLER_SLOT, target)
            || _isAt(account, GUARD_SLOT, target) || _isAt(account, MODULE_GUARD_SLOT, target);
    }

    function _isAt(address account, uint256 slot, address target) private view returns (bool) {
        return bytes32(ISafe(account).getStorageAt(slot, 1)) == bytes32(uint256(uint160(target)));
    }

    /// @dev For calls with data: a contract that owns the account may keep the account's own settings, such as a key, and
    /// take them from the account. Such a call would make the session an owner. Reverts with ForbiddenTarget.
    function _checkCallee(address account, address target) internal view {
        _checkTarget(account, target);
        if (ISafe(account).isOwner(target)) revert ForbiddenTarget(target);
    }

    /// @dev Reverts with ForbiddenTarget.
    function _checkTarget(address account, address target) internal view {
        if (isForbiddenTarget(account, target)) revert ForbiddenTarget(target);
    }
}
