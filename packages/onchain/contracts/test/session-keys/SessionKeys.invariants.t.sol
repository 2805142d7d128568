// SPDX-License-Identifier: MIT
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

    /// @dev Shown with -vv.
    function afterInvariant() public {
        emit log_named_uint("executed", handler.executed());
        emit log_named_uint("reverted", handler.reverted());
        emit log_named_uint("refused", handler.refused());
        emit log_named_uint("grants", handler.grants());
        emit log_named_uint("revocations", handler.revocations());
    }
}
