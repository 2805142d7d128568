// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The delays of the protocol. With F = finality on the output network, S = margin for inclusion on a source and
// ε = clock skew between networks, they satisfy
//   EXIT_DELAY > MAX_VALIDITY + SETTLEMENT_WINDOW + ε      no exit ripens before what it owes can be settled
//   SETTLEMENT_WINDOW ≥ F + S + ε                          optimistic finality (and a slow settler) fit
//   SIGNER_REMOVAL_DELAY > MAX_VALIDITY + F + ε            a removal that was not final when the operator looked
//                                                          still lets the order settle

/// @dev M: the longest time from a claim to its order's validUntil.
uint48 constant MAX_VALIDITY = 10 minutes;

/// @dev W: how long after its validUntil an order may be settled.
uint48 constant SETTLEMENT_WINDOW = 5 days;

uint48 constant EXIT_DELAY = 7 days;

uint48 constant SIGNER_REMOVAL_DELAY = 1 days;

/// @dev Bounds, in 6-decimals units, what an order may charge beyond 1 % of the lent amount, and all its failFees.
uint128 constant MAX_FLAT_FEE = 100e6;

/// @dev postOp writes one slot and one event; estimators see only its cheaper success path.
uint256 constant MIN_POST_OP_GAS = 60_000;
