// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The parts of other contracts that Ownership calls, declared from their ABIs.

/// @dev Safe 1.4.1 and 1.5.0.
interface IOwnedSafe {
    // solhint-disable-next-line func-name-mixedcase
    function VERSION() external view returns (string memory);

    function getOwners() external view returns (address[] memory);

    function getThreshold() external view returns (uint256);

    function isOwner(address owner) external view returns (bool);

    function isModuleEnabled(address module) external view returns (bool);

    /// @notice Reverts unless `signatures` has as many owners' signatures as the threshold.
    function checkSignatures(bytes32 dataHash, bytes calldata data, bytes calldata signatures) external view;

    function addOwnerWithThreshold(address owner, uint256 threshold) external;

    function changeThreshold(uint256 threshold) external;

    /// @param previous The owner before it in getOwners, address(1) for the first.
    function removeOwner(address previous, address owner, uint256 threshold) external;

    /// @param operation 0 is a call.
    function execTransactionFromModuleReturnData(
        address to,
        uint256 value,
        bytes calldata data,
        uint8 operation
    ) external returns (bool success, bytes memory returnData);
}

/// @dev SafeWebAuthnSharedSigner 0.2.1.
interface ISharedSigner {
    /// @notice Zeros if the account has none. (A struct of static members, which the ABI encodes like these.)
    function getConfiguration(address account) external view returns (uint256 x, uint256 y, uint176 verifiers);
}

/// @dev A signer contract of SafeWebAuthnSignerFactory 0.2.1.
interface ISigner {
    function getConfiguration() external view returns (uint256 x, uint256 y, uint176 verifiers);
}

/// @dev SafeWebAuthnSignerFactory 0.2.1.
interface ISignerFactory {
    function getSigner(uint256 x, uint256 y, uint176 verifiers) external view returns (address);

    /// @notice Does nothing if the contract exists.
    function createSigner(uint256 x, uint256 y, uint176 verifiers) external returns (address);
}

/// @dev SmartBalance.
interface IPinnedSigners {
    function signerUntil(address account, bytes32 signer) external view returns (uint48);

    function addSigner(bytes32 signer) external;

    function removeSigner(bytes32 signer) external;
}
