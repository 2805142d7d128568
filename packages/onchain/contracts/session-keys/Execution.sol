// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ISafe} from "../interfaces/ISafe.sol";
import {TokenCall} from "./libraries/TokenCall.sol";
import {Call, Rule, RuleKind} from "./Session.sol";
import {Sessions} from "./Sessions.sol";

/// @title Calls of sessions, and what they spend
/// @notice The account is the only contract that this contract calls here; it only reads from tokens.
abstract contract Execution is Sessions {
    /// @notice Thrown if the current time is before the session's validAfter or after its validUntil.
    error SessionNotInForce(uint48 validAfter, uint48 validUntil);

    /// @notice Thrown if there are no calls to execute.
    error NoCalls();

    /// @notice Thrown if no rule of the session allows a call.
    error CallNotAllowed(uint256 index, address to, bytes4 selector);

    /// @notice Thrown if a rule would allow a call with less value.
    error ValueTooHigh(uint256 index, uint256 value);

    /// @notice Thrown if a call spends more than is left.
    error AllowanceExceeded(address token, uint256 amount, uint256 left);

    /// @notice Thrown if an allowed call reverted.
    error CallFailed(uint256 index, bytes reason);

    /// @notice Thrown if a token still has an approval of the operation after execution has set it to 0.
    error ApprovalRemains(address token, address spender);

    /// @notice Executes `calls` as the calling account, all or none, if the session's rules allow each of them.
    /// Approvals among them end with the operation, so a spender that takes the tokens must be called in the same
    /// operation. Reverts with NoSession, SessionNotInForce, NoCalls, ForbiddenTarget, CallNotAllowed, ValueTooHigh,
    /// AllowanceExceeded, CallFailed, ApprovalRemains; with the account's error if this contract is not its module; and
    /// with the token's error if it has no allowances.
    /// @dev Only validation knows that the key has signed. Here the caller is the account, which an owner may also move
    /// outside any operation. The session is checked again, since a revocation may precede this call in the bundle. The
    /// amount that a call spends is recorded before the call, so re-entrant calls count it; a revert restores it.
    function execute(bytes32 key, Call[] calldata calls) external {
        Terms memory terms = _termsOf(msg.sender, key);
        if (block.timestamp < terms.validAfter || block.timestamp > terms.validUntil) {
            revert SessionNotInForce(terms.validAfter, terms.validUntil);
        }
        if (calls.length == 0) revert NoCalls();
        Limits storage limits = _limitsOf(_idOf(msg.sender, key, terms.generation));
        for (uint256 i; i < calls.length; ++i) {
            Call calldata call = calls[i];
            if (call.data.length == 0) _checkTarget(msg.sender, call.to);
            else _checkCallee(msg.sender, call.to);
            uint256 amount = _checkRules(limits.rules, call, i);
            if (call.value != 0) _spend(limits.allowances, address(0), call.value, terms.validAfter);
            if (amount != 0) _spend(limits.allowances, call.to, amount, terms.validAfter);
            _call(call.to, call.value, call.data, i);
        }
        for (uint256 i; i < calls.length; ++i) {
            // {Grants} rejects this selector in all rules except token rules, so _matches has parsed the call.
            if (bytes4(calls[i].data) == IERC20.approve.selector) _endApproval(calls[i], i);
        }
    }

    /// @dev Reverts with CallNotAllowed and ValueTooHigh.
    /// @return amount The amount that the call spends of the token that it calls; 0 for rules of other kinds.
    function _checkRules(Rule[] storage rules, Call calldata call, uint256 index)
        private
        view
        returns (uint256 amount)
    {
        bool isMatched;
        uint256 length = rules.length;
        for (uint256 i; i < length; ++i) {
            Rule storage rule = rules[i];
            bool isAllowed;
            (isAllowed, amount) = _matches(rule, call);
            if (!isAllowed) continue;
            if (call.value <= rule.maxValue) return amount;
            isMatched = true;
        }
        if (isMatched) revert ValueTooHigh(index, call.value);
        revert CallNotAllowed(index, call.to, bytes4(call.data));
    }

    /// @dev Whether the rule applies to such a call, whatever its value.
    function _matches(Rule storage rule, Call calldata call) private view returns (bool, uint256 amount) {
        RuleKind kind = rule.kind;
        address target = rule.target;
        if (kind == RuleKind.Native) {
            return (call.data.length == 0 && (target == call.to || target == address(0)), 0);
        }
        if (target != call.to || call.data.length < 4 || rule.selector != bytes4(call.data)) {
            return (false, 0);
        }
        if (kind == RuleKind.Call) return (true, 0);
        (bool isValid, address counterparty, uint256 parsed) = TokenCall.parse(msg.sender, call.data);
        address named = rule.counterparty;
        return (isValid && (named == counterparty || named == address(0)), parsed);
    }

    /// @dev Reverts with AllowanceExceeded.
    function _spend(Spending[] storage allowances, address token, uint256 amount, uint48 validAfter) private {
        for (uint256 i; i < allowances.length; ++i) {
            Spending storage spending = allowances[i];
            if (spending.token != token) continue;
            uint48 window = _windowOf(spending.period, validAfter);
            uint128 spent = _spentIn(spending, window);
            uint128 left = spending.amount - spent;
            if (amount > left) revert AllowanceExceeded(token, amount, left);
            spending.window = window;
            // At most spending.amount, so it fits.
            spending.spent = spent + uint128(amount);
            return;
        }
        revert AllowanceExceeded(token, amount, 0);
    }

    /// @dev Reads the allowance, because approve may report success without doing it, and has another meaning in
    /// ERC-721. Reverts with CallFailed and ApprovalRemains.
    function _endApproval(Call calldata call, uint256 index) private {
        (, address spender,) = TokenCall.parse(msg.sender, call.data);
        _call(call.to, 0, abi.encodeCall(IERC20.approve, (spender, 0)), index);
        if (IERC20(call.to).allowance(msg.sender, spender) != 0) revert ApprovalRemains(call.to, spender);
    }

    /// @dev Always a call, never a delegatecall.
    function _call(address to, uint256 value, bytes memory data, uint256 index) private {
        (bool success, bytes memory returned) =
            ISafe(msg.sender).execTransactionFromModuleReturnData(to, value, data, 0);
        if (!success) revert CallFailed(index, returned);
    }
}
