// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

/// @dev Limits the gas of a grant (about 45,000 per rule) and of finding a rule (2,100 per rule, cold).
uint256 constant MAX_RULES = 32;

/// @dev For the same reason as MAX_RULES.
uint256 constant MAX_ALLOWANCES = 16;

/// @notice The kind of call that a rule allows.
enum RuleKind {
    /// Empty calldata to `target`; to anyone if that is 0.
    Native,
    /// `selector` on `target`, with any arguments.
    Call,
    /// transfer, transferFrom out of the account, or approve on the token `target`, which has an allowance; to
    /// `counterparty`, or to anyone if that is 0 (not for approve).
    Token
}

/// @notice One kind of call that a session may make. Calls that no rule allows are rejected.
struct Rule {
    RuleKind kind;
    address target;
    /// 0 for Native.
    bytes4 selector;
    /// Recipient or spender; 0 unless the kind is Token.
    address counterparty;
    /// The maximum wei that one call may send; 0 for Token.
    uint96 maxValue;
}

/// @notice The amount that a session may spend of one token, by all its rules together.
struct Allowance {
    /// 0 is the native token.
    address token;
    /// Seconds, counted from the session's validAfter. If 0, `amount` is the total.
    uint48 period;
    /// Base units, in each period.
    uint128 amount;
}

/// @notice The limits that the owner signs.
struct Session {
    /// Unix seconds; the first second in which the session is valid.
    uint48 validAfter;
    /// Unix seconds; the last second in which the session is valid.
    uint48 validUntil;
    uint32 maxOperations;
    /// Wei; the maximum fees that one operation can cost the account.
    uint96 feePerOperation;
    /// The paymaster that operations may name, which then pays instead; 0 means none.
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
