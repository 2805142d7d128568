// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The parts of Safe 1.4.1, unchanged in 1.5.0, and Safe4337Module 0.3.0 that SessionKeys uses, declared from their ABIs.

interface ISafe {
    function isModuleEnabled(address module) external view returns (bool);

    function isOwner(address owner) external view returns (bool);

    /// @param length The number of slots, from `offset`.
    function getStorageAt(uint256 offset, uint256 length) external view returns (bytes memory);

    /// @param operation 0 is a call.
    function execTransactionFromModuleReturnData(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation
    ) external returns (bool success, bytes memory returnData);
}

interface ISafe4337Module {
    /// @notice Makes the calling Safe make a call, and reverts with the call's error.
    function executeUserOpWithErrorString(address to, uint256 value, bytes calldata data, uint8 operation)
        external;
}

interface INonceManager {
    /// @return nonce uint192 key, then the next uint64 sequence.
    function getNonce(address sender, uint192 key) external view returns (uint256 nonce);
}
