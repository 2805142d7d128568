// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {Handler} from "./Handler.sol";

/// @dev forge prints the number of calls by kind; `FOUNDRY_PROFILE=ci` makes more of them.
contract SmartBalanceInvariants is Test {
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
        bytes4[] memory selectors = new bytes4[](14);
        selectors[0] = Handler.deposit.selector;
        selectors[1] = Handler.requestExit.selector;
        selectors[2] = Handler.cancelExit.selector;
        selectors[3] = Handler.finalizeExit.selector;
        selectors[4] = Handler.withdraw.selector;
        selectors[5] = Handler.changePin.selector;
        selectors[6] = Handler.ownerTakesLiquidity.selector;
        selectors[7] = Handler.wait.selector;
        // Twice as likely as the others, since orders are the protocol's main purpose.
        selectors[8] = selectors[9] = Handler.order.selector;
        selectors[10] = selectors[11] = Handler.settle.selector;
        // Time must pass for exits to become ready.
        selectors[12] = selectors[13] = Handler.wait.selector;
        targets[0].selectors = selectors;
    }

    /// @dev Invariants 1 to 4 of the protocol on both networks.
    function invariant_ledger() public {
        handler.check(0);
        handler.check(1);
        assertEq(handler.ripeExitsRefused(), 0, "a ready exit always pays");
        assertEq(handler.settlementsRefused(), 0, "a source accepts what the output network accepted");
        assertEq(handler.debitsExceeded(), 0, "at most the debit");
        assertEq(handler.claimsRepeated(), 0, "at most one claim per order");
    }

    /// @dev Shown with -vv.
    function afterInvariant() public {
        emit log_named_uint("claims", handler.claims());
        emit log_named_uint("failed operations", handler.failures());
        emit log_named_uint("unfunded orders", handler.unfunded());
        emit log_named_uint("settlements", handler.settlements());
        emit log_named_uint("exits", handler.exits());
    }
}
