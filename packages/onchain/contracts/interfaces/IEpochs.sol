// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev The kinds of epochs that contracts of this repository read.
uint8 constant PINS = 0;
uint8 constant SESSIONS = 1;

/// @title Ends everything of one kind that an account has allowed, in one call
/// @notice What an account allows belongs to its current epoch. Raising the epoch ends all of it, however much it is.
interface IEpochs {
    event EpochEnded(address indexed account, uint8 indexed kind, uint32 epoch, uint48 end);

    /// @notice Ends the caller's current epoch of this kind now, and begins the next one.
    function raise(uint8 kind) external;

    /// @notice The current epoch, counted from 0.
    function epochOf(address account, uint8 kind) external view returns (uint32 epoch);

    /// @notice When an epoch ended, in Unix seconds; 0 if it has not.
    function endOf(address account, uint8 kind, uint32 epoch) external view returns (uint48 end);
}
