// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @title What each exit gets while the vault holds less than it owes
/// @notice All are paid in one ratio, held ÷ owed, in which both include what exits have received since the vault is
/// short. If they did not, each payment would lower the ratio, and whoever comes first, and again, would get more.
library Share {
    /// @notice The part of `amount` that can be paid now; rounded down.
    /// @param amount What is still due to this exit.
    /// @param received What it has received while the vault was short.
    /// @param receivedByAll Σ received.
    /// @param held What the vault holds, less than `owed`.
    /// @param owed Σ balances, `amount` included.
    function due(uint128 amount, uint128 received, uint128 receivedByAll, uint256 held, uint128 owed)
        internal
        pure
        returns (uint128)
    {
        uint256 share =
            (uint256(amount) + received) * (held + receivedByAll) / (uint256(owed) + receivedByAll);
        if (share <= received) return 0;
        share -= received;
        // Less than the share if the token has taken more since the others were paid. Below `amount`, so it fits.
        return uint128(share < held ? share : held);
    }

    /// @notice What counts as received after a balance has fallen otherwise than by an exit: in proportion, so that the
    /// ratio of the others stays the same. Rounded down.
    function rest(uint128 received, uint128 balance, uint128 debit) internal pure returns (uint128) {
        return uint128(uint256(received) * (balance - debit) / balance);
    }
}
