// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {RefusedFunctions} from "./libraries/RefusedFunctions.sol";
import {TokenCall} from "./libraries/TokenCall.sol";
import {MAX_ALLOWANCES, MAX_RULES, Allowance, Rule, RuleKind, Session} from "./Session.sol";
import {Sessions} from "./Sessions.sol";

/// @title Granting and revoking, by the account itself
/// @notice Both are calls that the account's owner signs. No session can make them, because no session can call this
/// contract.
abstract contract Grants is Sessions {
    /// @notice Thrown if the key is 0.
    error InvalidKey();

    /// @notice Thrown if validUntil is not after validAfter, or is in the past.
    error InvalidValidity();

    /// @notice Thrown if maxOperations is 0.
    error NoOperations();

    /// @notice Thrown if there are no rules: such a session could do nothing and is probably a mistake.
    error NoRules();

    /// @notice Thrown if there are more rules than MAX_RULES or more allowances than MAX_ALLOWANCES.
    error TooManyLimits();

    /// @notice Thrown if two allowances are for the same token.
    error DuplicateAllowance(address token);

    /// @notice Thrown if a token rule names a token without an allowance.
    error NoAllowance(uint256 rule);

    /// @notice Thrown if a rule of kind Call names a token with an allowance, which would not count.
    error NotCounted(uint256 rule);

    /// @notice Thrown if a rule of kind Token names a function other than transfer, transferFrom and approve.
    error NotCountable(uint256 rule);

    /// @notice Thrown if a rule lets an unnamed third party take tokens, or lets one take an amount that no allowance
    /// counts: approve without a counterparty, or, in a rule of kind Call, a function of {RefusedFunctions}, which
    /// approves or may run a call that does.
    error OpenApproval(uint256 rule);

    /// @notice Thrown if a rule sets a field that its kind does not have.
    error MeaninglessField(uint256 rule);

    /// @notice Thrown if a rule sends value and the native token has no allowance.
    error ValueWithoutAllowance(uint256 rule);

    /// @notice Lets `key` act for the calling account within `session`. An earlier session of the key ends. The key
    /// works only while the account has this contract as an owner, with threshold 1, and as a module. Reverts with
    /// InvalidKey, InvalidValidity, NoOperations, NoRules, TooManyLimits, DuplicateAllowance, ForbiddenTarget,
    /// NoAllowance, NotCounted, NotCountable, OpenApproval, MeaninglessField, ValueWithoutAllowance, and with the
    /// account's error if it is not a Safe.
    /// @param key An address, left-padded, or keccak256(x ‖ y) of a P-256 key.
    /// @return id Its lower 192 bits are the nonce key of the session's operations.
    function grant(bytes32 key, Session calldata session) external returns (bytes32 id) {
        if (key == 0) revert InvalidKey();
        if (session.validUntil <= session.validAfter || session.validUntil < block.timestamp) {
            revert InvalidValidity();
        }
        if (session.maxOperations == 0) revert NoOperations();
        if (session.rules.length == 0) revert NoRules();
        if (session.rules.length > MAX_RULES || session.allowances.length > MAX_ALLOWANCES) {
            revert TooManyLimits();
        }
        _checkAllowances(session.allowances);
        for (uint256 i; i < session.rules.length; ++i) {
            _checkRule(session.rules[i], session.allowances, i);
        }
        return _begin(msg.sender, key, session);
    }

    /// @notice Ends the session of `key` with the calling account. Pending operations fail. Reverts with NoSession.
    function revoke(bytes32 key) external {
        _end(msg.sender, key);
    }

    function _checkAllowances(Allowance[] calldata allowances) private pure {
        for (uint256 i; i < allowances.length; ++i) {
            if (_hasAllowance(allowances[:i], allowances[i].token)) {
                revert DuplicateAllowance(allowances[i].token);
            }
        }
    }

    function _checkRule(Rule calldata rule, Allowance[] calldata allowances, uint256 index) private view {
        // Target 0 means anyone, and is valid only for Native.
        if (rule.kind != RuleKind.Native) _checkCallee(msg.sender, rule.target);
        else if (rule.target != address(0)) _checkTarget(msg.sender, rule.target);
        bool hasAllowance = _hasAllowance(allowances, rule.target);
        if (rule.kind == RuleKind.Native) {
            if (rule.selector != 0 || rule.counterparty != address(0)) revert MeaninglessField(index);
        } else if (rule.kind == RuleKind.Call) {
            if (rule.counterparty != address(0)) revert MeaninglessField(index);
            if (hasAllowance) revert NotCounted(index);
            if (RefusedFunctions.includes(rule.selector)) revert OpenApproval(index);
        } else {
            if (rule.maxValue != 0) revert MeaninglessField(index);
            if (!hasAllowance) revert NoAllowance(index);
            if (!TokenCall.isCountable(rule.selector)) revert NotCountable(index);
            bool isOpen = rule.counterparty == address(0);
            if (isOpen && rule.selector == IERC20.approve.selector) revert OpenApproval(index);
        }
        if (rule.maxValue != 0 && !_hasAllowance(allowances, address(0))) {
            revert ValueWithoutAllowance(index);
        }
    }

    function _hasAllowance(Allowance[] calldata allowances, address token) private pure returns (bool) {
        for (uint256 i; i < allowances.length; ++i) {
            if (allowances[i].token == token) return true;
        }
        return false;
    }
}
