// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice What became of an order on its output network.
enum Outcome {
    /// Unknown, or not decided yet.
    None,
    /// The account received the lent amount: every debit is due.
    Claimed,
    /// The operation was included without a claim: every failFee is due.
    Failed,
    /// The operation was included while cap or liquidity was below the amount to lend: nothing is due.
    Unfunded
}

/// @title Proof of an outcome on another network
/// @notice m-of-n attestors today ({AttestorSet}); storage proofs of `SmartBalance.settled` can take their place.
interface IOutcomeVerifier {
    /// @notice Whether `proof` shows that `orderHash` ended as `outcome` on `chainId`.
    /// @dev `SmartBalance` is the caller, so a proof can be bound to `msg.sender`.
    /// @param chainId The output network. `orderHash` contains it too.
    function verify(uint256 chainId, bytes32 orderHash, Outcome outcome, bytes calldata proof)
        external
        view
        returns (bool);
}
