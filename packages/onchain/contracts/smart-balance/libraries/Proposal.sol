// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PROPOSAL_LIFETIME, PROPOSAL_NOTICE} from "../Constants.sol";

/// @title When an announced change may be made
/// @notice From PROPOSAL_NOTICE after its announcement, for PROPOSAL_LIFETIME. A proposal that lapses keeps an owner
/// from holding a matured change in reserve, announced once and forgotten.
library Proposal {
    /// @notice Thrown when nothing of the kind was proposed.
    error NotProposed();

    /// @notice Thrown when the notice of a proposal has not passed.
    error NotReady(uint48 readyAt);

    /// @notice Thrown when the last second to act on a proposal has passed.
    error ProposalLapsed(uint48 lapsedAt);

    /// @notice From when on a change that is proposed now can be made.
    function newReadyAt() internal view returns (uint48) {
        return uint48(block.timestamp) + PROPOSAL_NOTICE;
    }

    /// @notice Reverts with NotProposed, NotReady or ProposalLapsed unless the change can be made now.
    /// @param readyAt As of {newReadyAt}; 0 when nothing is proposed.
    function requireReady(uint48 readyAt) internal view {
        if (readyAt == 0) revert NotProposed();
        if (block.timestamp < readyAt) revert NotReady(readyAt);
        uint48 lapsedAt = readyAt + PROPOSAL_LIFETIME;
        if (block.timestamp > lapsedAt) revert ProposalLapsed(lapsedAt);
    }
}
