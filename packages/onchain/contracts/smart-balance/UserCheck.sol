// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MAX_SIGNATURE_LENGTH} from "./Constants.sol";
import {Operation, Order} from "./libraries/Order.sol";
import {OwnerSignature} from "./libraries/OwnerSignature.sol";
import {SafeOp} from "./libraries/SafeOp.sol";
import {PaymasterFunds} from "./PaymasterFunds.sol";

/// @title The same check of the user's signature for the output network and for every source
/// @dev If a source asked the Safe instead, swapping an owner there would block the settlement.
abstract contract UserCheck is PaymasterFunds {
    /// @notice Safe4337Module, whose EIP-712 domain the user signs in; the same address on every network.
    address public immutable SAFE_4337_MODULE;

    constructor(address safe4337Module) {
        SAFE_4337_MODULE = safe4337Module;
    }

    /// @param signature As in the user operation: uint48 validAfter, uint48 validUntil, then Safe's signatures. The
    /// result is false if it is longer than MAX_SIGNATURE_LENGTH.
    function _isSignedByUser(
        uint256 chainId,
        Operation memory operation,
        Order memory order,
        bytes calldata paymasterAndData,
        bytes calldata signature
    ) internal view returns (bool) {
        if (signature.length < 12 || signature.length > MAX_SIGNATURE_LENGTH) return false;
        bytes32 safeOpHash = SafeOp.hash(
            chainId,
            SAFE_4337_MODULE,
            ENTRY_POINT,
            operation,
            keccak256(paymasterAndData),
            bytes12(signature[:12])
        );
        return OwnerSignature.isValid(order.signer, safeOpHash, signature[12:]);
    }
}
