// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The roles of SmartBalance that TokenPaymaster reads.
interface IRoles {
    /// @notice Who administers the contract.
    function owner() external view returns (address);

    /// @notice Whether the holder of this key may sign for the operator.
    function isOperator(address holder) external view returns (bool);
}
