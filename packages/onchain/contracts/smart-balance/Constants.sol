// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

// The delays of the protocol. With F = finality on the output network, S = margin for inclusion on a source and
// ε = clock skew between networks, they satisfy
//   EXIT_DELAY > MAX_VALIDITY + SETTLEMENT_WINDOW + ε      no exit becomes ready before its debts can be settled
//   SETTLEMENT_WINDOW − PAUSE_BUDGET ≥ F + S + ε           five days are left to settle, however it is paused
//   MAX_SETTLEMENT_LEAD > MAX_VALIDITY + ε                 a source accepts an order as soon as it can be claimed
//   SIGNER_REMOVAL_DELAY > MAX_VALIDITY + F + ε            a removal that was not final when the operator checked
//                                                          still lets the order settle

/// @dev M: the longest time between a claim and its order's validUntil.
uint48 constant MAX_VALIDITY = 10 minutes;

/// @dev W: how long after its validUntil an order may be settled. Constant, so that it needs no history of pauses.
uint48 constant SETTLEMENT_WINDOW = 6.5 days;

/// @dev How far ahead the validUntil of an order may be when it is settled. Without it, an order that was signed for a
/// distant time could be settled until then.
uint48 constant MAX_SETTLEMENT_LEAD = 1 hours;

/// @dev The longest time for which settlement can be paused in any PAUSE_PERIOD.
uint48 constant PAUSE_BUDGET = 36 hours;
uint48 constant PAUSE_PERIOD = 14 days;

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

/// @dev What postOp gives its probe of cap, liquidity and token: twice what USDC's proxy needs, or a token whose
/// balanceOf costs 20,000 more. A probe that uses it up shows nothing, and the failure counts as the account's.
uint256 constant PROBE_GAS = 80_000;

/// @dev The probe, and 40,000 for one slot, one event, and what EntryPoint keeps back. Estimates see only the cheaper
/// success path.
uint256 constant MIN_POST_OP_GAS = PROBE_GAS + 40_000;
