// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {PROPOSAL_LIFETIME, PROPOSAL_NOTICE} from "../Constants.sol";

/// @title When an announced change may be made
/// @notice From PROPOSAL_NOTICE after its announcement, for PROPOSAL_LIFETIME. Since proposals lapse, an owner cannot
/// announce a change once and hold it in reserve until it is forgotten.
library Proposal {
    /// @notice Thrown if there is no such proposal.
    error NotProposed();

    /// @notice Thrown if the notice of a proposal has not passed.
    error NotReady(uint48 readyAt);

    /// @notice Thrown if the last second to act on a proposal has passed.
    error ProposalLapsed(uint48 lapsedAt);

    /// @notice The time from which a change that is proposed now can be made.
    function newReadyAt() internal view returns (uint48) {
        return uint48(block.timestamp) + PROPOSAL_NOTICE;
    }

    /// @notice Reverts with NotProposed, NotReady or ProposalLapsed unless the change can be made now.
    /// @param readyAt As in {newReadyAt}; 0 if nothing is proposed.
    function requireReady(uint48 readyAt) internal view {
        if (readyAt == 0) revert NotProposed();
        if (block.timestamp < readyAt) revert NotReady(readyAt);
        uint48 lapsedAt = readyAt + PROPOSAL_LIFETIME;
        if (block.timestamp > lapsedAt) revert ProposalLapsed(lapsedAt);
    }
}
