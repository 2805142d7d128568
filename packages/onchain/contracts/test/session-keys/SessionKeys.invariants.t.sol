// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {Handler} from "./Handler.sol";

/// @dev Two sessions on two accounts; `FOUNDRY_PROFILE=ci` runs more calls.
contract SessionKeysInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    event log_named_uint(string key, uint256 value);

    uint256 private constant STEPS = 400;

    Handler private handler;

    function setUp() public {
        handler = new Handler();
        handler.setUp();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        bytes4[] memory selectors = new bytes4[](11);
        selectors[0] = Handler.wait.selector;
        selectors[1] = Handler.change.selector;
        selectors[2] = Handler.approve.selector;
        selectors[7] = selectors[8] = Handler.attempt.selector;
        selectors[9] = Handler.impersonate.selector;
        selectors[10] = Handler.replayRevoked.selector;
        // Twice as likely, so that allowances and operations run out.
        selectors[3] = selectors[4] = Handler.transfer.selector;
        selectors[5] = selectors[6] = Handler.pay.selector;
        targets[0].selectors = selectors;
    }

    function invariant_limits() public view {
        handler.check();
        assertEq(handler.allowancesExceeded(), 0, "no session spends more than its allowance");
        assertEq(handler.operationsExceeded(), 0, "no session exceeds its operations");
        assertEq(handler.approvalsRemaining(), 0, "no approval outlives its operation");
        assertEq(handler.ruleless(), 0, "nothing happens that no rule allows or no session signed");
        assertEq(handler.wronglyReverted(), 0, "calls within the limits are made");
    }

    /// @dev The same actions in one long run: a campaign that cannot reach a state proves nothing about it. The counts are
    /// shown with -vv.
    function test_reachesEveryState() public {
        for (uint256 i; i < STEPS; ++i) {
            _act(uint256(keccak256(abi.encode(i))));
        }
        invariant_limits();
        string[6] memory kinds = [
            "tokens to another recipient",
            "coins to another recipient",
            "approval of another spender",
            "more value than the rule's",
            "transferFrom to another recipient",
            "a call of the account itself"
        ];
        for (uint256 i; i < 6; ++i) {
            _require(kinds[i], handler.attempts(i));
        }
        _require("executed", handler.executed());
        _require("reverted", handler.reverted());
        _require("refused", handler.refused());
        _require("grants", handler.grants());
        _require("revocations", handler.revocations());
        _require("beyond the allowance", handler.beyondAllowance());
        _require("beyond the operations", handler.beyondOperations());
        _require("signed by another session's key or none", handler.impersonations());
    }

    function _require(string memory state, uint256 count) private {
        emit log_named_uint(state, count);
        if (count == 0) revert NotTrue(state);
    }

    function _act(uint256 random) private {
        uint8 who = uint8(random >> 8);
        uint256 amount = uint256(keccak256(abi.encode(random)));
        uint256 kind = random % 12;
        if (kind < 2) handler.transfer(who, amount);
        else if (kind < 4) handler.pay(who, amount);
        else if (kind < 6) handler.approve(who, amount, amount >> 128);
        else if (kind < 9) handler.attempt(who, uint8(amount), address(uint160(amount >> 8)), amount >> 128);
        else if (kind == 9) handler.impersonate(who, amount % 2 == 0, amount);
        else if (kind == 10) handler.wait(amount);
        else if (amount % 2 == 0) handler.change(who, uint8(amount >> 8));
        else handler.replayRevoked(who);
    }
}
