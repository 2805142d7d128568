// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {ExitHandler} from "./ExitHandler.sol";

/// @dev forge prints the number of calls by kind; `FOUNDRY_PROFILE=ci` makes more of them.
contract ExitsInvariants is Test {
    event log_named_uint(string key, uint256 value);

    ExitHandler private handler;

    function setUp() public {
        handler = new ExitHandler();
        handler.setUp();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        bytes4[] memory selectors = new bytes4[](10);
        selectors[0] = ExitHandler.deposit.selector;
        selectors[1] = ExitHandler.requestExit.selector;
        selectors[2] = ExitHandler.cancelExit.selector;
        selectors[3] = ExitHandler.finalizeExit.selector;
        selectors[4] = ExitHandler.settle.selector;
        selectors[5] = ExitHandler.leaveOwing.selector;
        selectors[6] = selectors[7] = ExitHandler.wait.selector;
        selectors[8] = selectors[9] = ExitHandler.order.selector;
        targets[0].selectors = selectors;
    }

    /// @dev EXIT_DELAY > MAX_VALIDITY + SETTLEMENT_WINDOW, as observed from outside.
    function invariant_coveredOrdersAreCollected() public view {
        assertEq(handler.shortfalls(), 0, "covered orders are collected within the window");
        assertEq(handler.ripeExitsRefused(), 0, "a ready exit always pays");
    }

    /// @dev Shown with -vv.
    function afterInvariant() public {
        emit log_named_uint("orders", handler.orders());
        emit log_named_uint("settlements", handler.settlements());
        emit log_named_uint("exits", handler.exits());
        emit log_named_uint("left while owing", handler.leftOwing());
    }
}
