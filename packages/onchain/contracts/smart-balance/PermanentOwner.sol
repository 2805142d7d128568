// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Ownable, Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";

/// @title Ownership that can be transferred in two steps and never renounced
/// @notice Without an owner, no one could revoke a stolen operator key, lift a pause or replace an attestor.
abstract contract PermanentOwner is Ownable2Step {
    /// @notice Thrown by {renounceOwnership}.
    error OwnerRequired();

    /// @notice Always reverts with OwnerRequired.
    function renounceOwnership() public pure override(Ownable) {
        revert OwnerRequired();
    }
}
