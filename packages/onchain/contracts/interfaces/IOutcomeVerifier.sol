// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @notice The outcome of an order on its output network.
enum Outcome {
    /// Unknown, or not decided yet.
    None,
    /// The account received the lent amount: every debit is due.
    Claimed,
    /// The operation was included without a claim: every failFee is due.
    Failed,
    /// The operation was included while cap or liquidity was below the loan: nothing is due.
    Unfunded
}

/// @title Proof of an outcome on another network
/// @notice m-of-n attestors today ({AttestorSet}); storage proofs of `SmartBalance.settled` can replace them.
interface IOutcomeVerifier {
    /// @notice Whether `proof` shows that `orderHash` ended as `outcome` on `chainId`.
    /// @dev The caller is `SmartBalance`, so a proof can be bound to `msg.sender`.
    /// @param chainId The output network. `orderHash` also contains it.
    function verify(uint256 chainId, bytes32 orderHash, Outcome outcome, bytes calldata proof)
        external
        view
        returns (bool);
}
