// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title An owner that can be handed over in two steps and never given up
/// @notice Without an owner nobody could revoke a stolen operator, lift a pause or replace an attestor.
abstract contract PermanentOwner is Ownable2Step {
    /// @notice Thrown by {renounceOwnership}.
    error OwnerRequired();

    /// @notice Always reverts with OwnerRequired.
    function renounceOwnership() public pure override(Ownable) {
        revert OwnerRequired();
    }
}
