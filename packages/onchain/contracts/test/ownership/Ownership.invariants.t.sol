// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {Handler} from "./Handler.sol";

/// @dev One log on two networks; `FOUNDRY_PROFILE=ci` runs more calls.
contract OwnershipInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    uint256 private constant STEPS = 300;

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
        bytes4[] memory selectors = new bytes4[](6);
        selectors[0] = Handler.sign.selector;
        selectors[1] = Handler.signRecovery.selector;
        selectors[2] = selectors[3] = Handler.applyNext.selector;
        selectors[4] = Handler.attempt.selector;
        selectors[5] = Handler.wait.selector;
        targets[0].selectors = selectors;
    }

    function invariant_owners() public view {
        handler.check();
        assertEq(handler.unsignedApplied(), 0, "no change without an owner's signature or a due recovery");
        assertEq(handler.wronglyRefused(), 0, "what was signed is applied, on each network");
    }

    /// @dev The same actions in one long run: a campaign that cannot reach a state proves nothing about it.
    function test_reachesEveryState() public {
        for (uint256 i; i < STEPS; ++i) {
            uint256 random = uint256(keccak256(abi.encode(i)));
            uint256 kind = random % 8;
            if (kind < 2) handler.sign(random >> 8);
            else if (kind == 2 && random % 3 == 0) handler.signRecovery(random >> 8);
            else if (kind < 6) handler.applyNext(uint8(random >> 8));
            else if (kind == 6) handler.attempt(uint8(random >> 8), random >> 16);
            else handler.wait(random >> 8);
        }
        invariant_owners();
        assertTrue(handler.applied() > 0, "applied");
        assertTrue(handler.recovered() > 0, "recovered");
        assertTrue(handler.refusedLast() > 0, "the last owner stays");
    }
}
