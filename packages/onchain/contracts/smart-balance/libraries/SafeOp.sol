// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {MessageHashUtils} from "@openzeppelin/contracts/utils/cryptography/MessageHashUtils.sol";
import {Operation} from "./Order.sol";

/// @title What the owner of a Safe signs, recomputed for any network
/// @dev Written from the EIP-712 types of Safe4337Module 0.3.0; a test compares it with the module.
library SafeOp {
    bytes32 private constant DOMAIN_TYPEHASH =
        keccak256("EIP712Domain(uint256 chainId,address verifyingContract)");
    bytes32 private constant SAFE_OP_TYPEHASH = keccak256(
        "SafeOp(address safe,uint256 nonce,bytes initCode,bytes callData,uint128 verificationGasLimit,uint128 callGasLimit,uint256 preVerificationGas,uint128 maxPriorityFeePerGas,uint128 maxFeePerGas,bytes paymasterAndData,uint48 validAfter,uint48 validUntil,address entryPoint)"
    );

    /// @dev In the order of SAFE_OP_TYPEHASH.
    struct EncodedSafeOp {
        bytes32 typeHash;
        address safe;
        uint256 nonce;
        bytes32 initCodeHash;
        bytes32 callDataHash;
        uint128 verificationGasLimit;
        uint128 callGasLimit;
        uint256 preVerificationGas;
        uint128 maxPriorityFeePerGas;
        uint128 maxFeePerGas;
        bytes32 paymasterAndDataHash;
        uint48 validAfter;
        uint48 validUntil;
        address entryPoint;
    }

    /// @param chainId The network on which the operation runs.
    /// @param validity uint48 validAfter, then uint48 validUntil: the first 12 bytes of the operation's signature.
    function hash(
        uint256 chainId,
        address module,
        address entryPoint,
        Operation memory operation,
        bytes32 paymasterAndDataHash,
        bytes12 validity
    ) internal pure returns (bytes32) {
        // The casts of packed fields keep the lower half.
        EncodedSafeOp memory encoded = EncodedSafeOp({
            typeHash: SAFE_OP_TYPEHASH,
            safe: operation.account,
            nonce: operation.nonce,
            initCodeHash: operation.initCodeHash,
            callDataHash: operation.callDataHash,
            verificationGasLimit: uint128(bytes16(operation.accountGasLimits)),
            callGasLimit: uint128(uint256(operation.accountGasLimits)),
            preVerificationGas: operation.preVerificationGas,
            maxPriorityFeePerGas: uint128(bytes16(operation.gasFees)),
            maxFeePerGas: uint128(uint256(operation.gasFees)),
            paymasterAndDataHash: paymasterAndDataHash,
            validAfter: uint48(bytes6(validity)),
            validUntil: uint48(uint96(validity)),
            entryPoint: entryPoint
        });
        return MessageHashUtils.toTypedDataHash(
            keccak256(abi.encode(DOMAIN_TYPEHASH, chainId, module)), keccak256(abi.encode(encoded))
        );
    }
}
