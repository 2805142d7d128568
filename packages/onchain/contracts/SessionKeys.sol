// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ForbiddenTargets, Surroundings} from "./session-keys/ForbiddenTargets.sol";
import {Grants} from "./session-keys/Grants.sol";
import {Validation} from "./session-keys/Validation.sol";

/// @title Keys that act for a Safe within limits that its owner signed
/// @notice An owner of the Safe (threshold 1), so that the Safe asks it about signatures, and a module, so that it can
/// execute. It signs nothing but user operations that call {Execution-execute} for a session, and executes nothing but
/// what the session's rules allow; a stolen session key can do no more, until validUntil or until it is revoked.
///
/// No owner, no upgrade, no state but the accounts' own. Not audited.
/// @dev The arguments are the same on every network, so the address can be.
contract SessionKeys is Grants, Validation {
    constructor(Surroundings memory surroundings) ForbiddenTargets(surroundings) {}
}
