// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

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
}

/// @title Targets that no session may call, whatever its rules
/// @notice The account, this contract and modules of the account would give the session an owner's power. So would
/// Safe4337Module even if it is not a module: it trusts its caller's claim, in the last 20 bytes of the calldata, about
/// who called the account. EntryPoint and SmartBalance hold funds of the account outside it.
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

    constructor(Surroundings memory surroundings) {
        ENTRY_POINT = surroundings.entryPoint;
        SAFE_4337_MODULE = surroundings.safe4337Module;
        _SHARED_SIGNER = surroundings.sharedSigner;
        _MULTI_SEND = surroundings.multiSend;
        _MULTI_SEND_CALL_ONLY = surroundings.multiSendCallOnly;
        _SMART_BALANCE = surroundings.smartBalance;
    }

    /// @notice Whether no session of `account` can call `target` now. Modules are checked at each call, since the
    /// account may enable one after the grant. Reverts with the account's error if it is not a Safe.
    function isForbiddenTarget(address account, address target) public view returns (bool) {
        return uint160(target) < LOWEST_TARGET || target == account || target == address(this)
            || target == SAFE_4337_MODULE || target == ENTRY_POINT || target == _SMART_BALANCE
            || target == _SHARED_SIGNER || target == _MULTI_SEND || target == _MULTI_SEND_CALL_ONLY
            || ISafe(account).isModuleEnabled(target);
    }

    /// @dev Reverts with ForbiddenTarget.
    function _checkTarget(address account, address target) internal view {
        if (isForbiddenTarget(account, target)) revert ForbiddenTarget(target);
    }
}
