// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IStakeManager} from "../interfaces/IStakeManager.sol";
import {PermanentOwner} from "./PermanentOwner.sol";

/// @title Stake and gas deposit of the paymaster in EntryPoint
/// @notice Only for the owner (otherwise OwnableUnauthorizedAccount), who also gets them back. EntryPoint's errors are
/// passed through. The stake is needed because validation reads and writes this contract's storage (ERC-7562 STO-031).
abstract contract PaymasterFunds is PermanentOwner {
    /// @notice EntryPoint v0.7.
    address public immutable ENTRY_POINT;

    constructor(address entryPoint) {
        ENTRY_POINT = entryPoint;
    }

    /// @notice Adds the sent value to the gas deposit. Anyone may call it.
    function depositGas() external payable {
        IStakeManager(ENTRY_POINT).depositTo{value: msg.value}(address(this));
    }

    /// @param amount In wei.
    function withdrawGas(address payable to, uint256 amount) external onlyOwner {
        IStakeManager(ENTRY_POINT).withdrawTo(to, amount);
    }

    /// @notice Adds the sent value to the stake.
    function addStake(uint32 unstakeDelaySec) external payable onlyOwner {
        IStakeManager(ENTRY_POINT).addStake{value: msg.value}(unstakeDelaySec);
    }

    function unlockStake() external onlyOwner {
        IStakeManager(ENTRY_POINT).unlockStake();
    }

    function withdrawStake(address payable to) external onlyOwner {
        IStakeManager(ENTRY_POINT).withdrawStake(to);
    }
}
