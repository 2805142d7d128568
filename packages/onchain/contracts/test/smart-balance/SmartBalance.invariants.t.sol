// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {Handler, Reached} from "./Handler.sol";

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
        bytes4[] memory selectors = new bytes4[](19);
        selectors[0] = Handler.deposit.selector;
        selectors[1] = Handler.requestExit.selector;
        selectors[2] = Handler.cancelExit.selector;
        selectors[3] = Handler.finalizeExit.selector;
        selectors[4] = Handler.withdraw.selector;
        selectors[5] = Handler.repeatWithdrawal.selector;
        selectors[6] = Handler.changePin.selector;
        selectors[7] = Handler.ownerTakesLiquidity.selector;
        selectors[8] = Handler.pauseSettlement.selector;
        // More likely than the others, since orders are the protocol's main purpose.
        selectors[9] = selectors[10] = selectors[11] = Handler.order.selector;
        selectors[12] = selectors[13] = Handler.settle.selector;
        selectors[14] = selectors[15] = Handler.steal.selector;
        // Time must pass for exits to become ready.
        selectors[16] = selectors[17] = Handler.wait.selector;
        selectors[18] = Handler.issuerTakes.selector;
        targets[0].selectors = selectors;
    }

    /// @dev The numbers are those of docs/audit/invariants.md: 1 to 3 by `check`, 4 by `checkOutcomes`, the others by what
    /// the handler has seen.
    function invariant_ledger() public {
        for (uint256 id; id < 2; ++id) {
            handler.check(id);
            handler.checkOutcomes(id);
        }
        if (bytes(handler.broken()).length != 0) revert NotTrue(handler.broken());
    }

    /// @dev The states of {Reached}, by number. Shown with -vv.
    function afterInvariant() public {
        for (uint8 i; i <= uint8(type(Reached).max); ++i) {
            emit log_named_uint(string(abi.encodePacked("state ", bytes1(97 + i))), handler.reached(Reached(i)));
        }
    }
}
