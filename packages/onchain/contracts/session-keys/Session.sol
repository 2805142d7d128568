// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Bounds the gas of a grant (about 45,000 a rule) and of looking a rule up (2,100 a rule, cold).
uint256 constant MAX_RULES = 32;

/// @dev As MAX_RULES.
uint256 constant MAX_ALLOWANCES = 16;

/// @notice What a rule allows.
enum RuleKind {
    /// Empty call data to `target`; to anyone when that is 0.
    Native,
    /// `selector` on `target`, with any arguments.
    Call,
    /// transfer, transferFrom out of the account, or approve on the token `target`, which has an allowance; towards
    /// `counterparty`, or anyone when that is 0 (not for approve).
    Token
}

/// @notice One kind of call that a session may make. What no rule allows is refused.
struct Rule {
    RuleKind kind;
    address target;
    /// 0 for Native.
    bytes4 selector;
    /// Recipient or spender; 0 unless the kind is Token.
    address counterparty;
    /// Wei that one call may send; 0 for Token.
    uint96 maxValue;
}

/// @notice How much a session may spend of one token, all its rules together.
struct Allowance {
    /// 0 is the native token.
    address token;
    /// Seconds, counted from the session's validAfter; 0: `amount` is the total.
    uint48 period;
    /// Base units, in each period.
    uint128 amount;
}

/// @notice The limits that the owner signs.
struct Session {
    /// Unix seconds; the first second in which the session counts.
    uint48 validAfter;
    /// Unix seconds; the last one.
    uint48 validUntil;
    uint32 maxOperations;
    /// Wei; the most that one operation can cost the account in fees.
    uint96 feePerOperation;
    /// The paymaster that operations may name, which then pays instead; 0: none.
    address paymaster;
    Rule[] rules;
    Allowance[] allowances;
}

/// @notice One call that the account makes for a session.
struct Call {
    address to;
    /// Wei.
    uint256 value;
    bytes data;
}
