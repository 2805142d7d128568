// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {ForbiddenTargets, Surroundings} from "./session-keys/ForbiddenTargets.sol";
import {SessionKeysParts} from "./session-keys/SessionKeysParts.sol";

/// @title Keys that act for a Safe within limits that its owner signed
/// @notice The contract is an owner of the Safe (threshold 1), so that the Safe asks it about signatures, and a module,
/// so that it can execute. It signs only user operations that call {Execution-execute} for a session, and executes only
/// calls that the session's rules allow. A stolen session key can do no more than that, until validUntil or until it is
/// revoked.
///
/// No owner, no upgrades, no state except that of the accounts. Not audited.
/// @dev The arguments are the same on every network, so the address can be the same, too. Compiled by the IR pipeline.
contract SessionKeys is SessionKeysParts {
    constructor(Surroundings memory surroundings) ForbiddenTargets(surroundings) {}
}
