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

/// @dev How long a change of the verifier, its attestors or their threshold is announced before it can be made:
/// EXIT_DELAY, and 7 days to notice it.
uint48 constant PROPOSAL_NOTICE = EXIT_DELAY + 7 days;

/// @dev How long after its notice a proposal can be acted on.
uint48 constant PROPOSAL_LIFETIME = 7 days;

uint48 constant SIGNER_REMOVAL_DELAY = 1 days;

/// @dev Bounds, in 6-decimals units, what an order may charge beyond 1 % of the lent amount, and all its failFees.
uint128 constant MAX_FLAT_FEE = 100e6;

/// @dev The longest signature of an operation with an order, in bytes. Settlement sends it again on every source, so
/// that without a bound padding would make settlement cost more than it collects. A passkey's takes about 700.
uint256 constant MAX_SIGNATURE_LENGTH = 2_048;

/// @dev postOp reads cap and liquidity, and writes one slot and one event; estimators see only its cheaper success
/// path.
uint256 constant MIN_POST_OP_GAS = 75_000;
