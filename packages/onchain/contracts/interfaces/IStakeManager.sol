// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The functions of EntryPoint v0.7 that a paymaster uses for its own funds, declared from ERC-4337's text.
interface IStakeManager {
    function balanceOf(address account) external view returns (uint256);

    function depositTo(address account) external payable;

    function withdrawTo(address payable withdrawAddress, uint256 withdrawAmount) external;

    function addStake(uint32 unstakeDelaySec) external payable;

    function unlockStake() external;

    function withdrawStake(address payable withdrawAddress) external;
}
