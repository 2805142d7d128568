// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The interfaces of ERC-4337 as EntryPoint v0.7 uses them, declared from the standard's text.

/// @notice A user operation in the format of EntryPoint v0.7.
struct PackedUserOperation {
    address sender;
    /// uint192 key, then uint64 sequence.
    uint256 nonce;
    /// Factory (20 bytes), then its calldata; empty if the account exists.
    bytes initCode;
    bytes callData;
    /// uint128 verificationGasLimit, then uint128 callGasLimit.
    bytes32 accountGasLimits;
    uint256 preVerificationGas;
    /// uint128 maxPriorityFeePerGas, then uint128 maxFeePerGas.
    bytes32 gasFees;
    /// Paymaster (20 bytes), uint128 paymasterVerificationGasLimit, uint128 paymasterPostOpGasLimit, its data.
    bytes paymasterAndData;
    bytes signature;
}

interface IAccount {
    /// @param missingAccountFunds The amount that the account must send to EntryPoint in this call.
    /// @return validationData uint48 validAfter, uint48 validUntil, address aggregator; 1 = signature failed.
    function validateUserOp(
        PackedUserOperation calldata userOp,
        bytes32 userOpHash,
        uint256 missingAccountFunds
    ) external returns (uint256 validationData);
}

interface IAccountExecute {
    /// @notice Called instead of the calldata if the calldata starts with this selector.
    function executeUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash) external;
}

interface IPaymaster {
    enum PostOpMode {
        opSucceeded,
        opReverted,
        postOpReverted
    }

    /// @param maxCost The amount that EntryPoint reserves from the paymaster's deposit, in wei.
    /// @return context Passed to postOp, which is not called if this is empty.
    /// @return validationData As in {IAccount-validateUserOp}.
    function validatePaymasterUserOp(PackedUserOperation calldata userOp, bytes32 userOpHash, uint256 maxCost)
        external
        returns (bytes memory context, uint256 validationData);

    function postOp(
        PostOpMode mode,
        bytes calldata context,
        uint256 actualGasCost,
        uint256 actualUserOpFeePerGas
    ) external;
}

interface ISenderCreator {
    /// @return sender The account that the factory created, or 0 if it reverted.
    function createSender(bytes calldata initCode) external returns (address sender);
}
