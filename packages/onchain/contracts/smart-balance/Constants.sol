// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The delays of the protocol. With F = finality on the output network, S = margin for inclusion on a source and
// ε = clock skew between networks, they satisfy
//   EXIT_DELAY > MAX_VALIDITY + SETTLEMENT_WINDOW + ε      no exit becomes ready before its debts can be settled
//   SETTLEMENT_WINDOW ≥ F + S + ε                          enough for optimistic finality (and a slow settler)
//   SIGNER_REMOVAL_DELAY > MAX_VALIDITY + F + ε            a removal that was not final when the operator checked
//                                                          still lets the order settle

/// @dev M: the longest time between a claim and its order's validUntil.
uint48 constant MAX_VALIDITY = 10 minutes;

/// @dev W: how long after its validUntil an order may be settled.
uint48 constant SETTLEMENT_WINDOW = 5 days;

uint48 constant EXIT_DELAY = 7 days;

/// @dev The time between the announcement of a change of the verifier, its attestors or their threshold and the first
/// second in which it can be made: EXIT_DELAY, plus 7 days to notice it.
uint48 constant PROPOSAL_NOTICE = EXIT_DELAY + 7 days;

/// @dev How long a proposal can be applied after its notice.
uint48 constant PROPOSAL_LIFETIME = 7 days;

uint48 constant SIGNER_REMOVAL_DELAY = 1 days;

/// @dev Limits, in 6-decimals units, the amount that an order may charge beyond 1 % of the loan, and its total
/// failFees.
uint128 constant MAX_FLAT_FEE = 100e6;

/// @dev The longest signature of an operation with an order, in bytes. Settlement sends it again on every source.
/// Without a limit, padding could make settlement cost more than it collects. A passkey's signature has about 700
/// bytes.
uint256 constant MAX_SIGNATURE_LENGTH = 2_048;

/// @dev postOp reads cap and liquidity, and writes one slot and one event. Estimates see only its cheaper success path.
uint256 constant MIN_POST_OP_GAS = 75_000;
