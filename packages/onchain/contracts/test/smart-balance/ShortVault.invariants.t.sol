// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Test} from "../Test.sol";
import {ShortVault, ShortVaultHandler} from "./ShortVaultHandler.sol";

/// @dev forge prints the number of calls by kind; `FOUNDRY_PROFILE=ci` makes more of them.
contract ShortVaultInvariants is Test {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    event log_named_uint(string key, uint256 value);

    uint256 private constant STEPS = 600;

    ShortVaultHandler private handler;

    function setUp() public {
        handler = new ShortVaultHandler();
        handler.setUp();
    }

    function targetContracts() public view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() public view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0].addr = address(handler);
        bytes4[] memory selectors = new bytes4[](8);
        selectors[0] = ShortVaultHandler.deposit.selector;
        selectors[1] = ShortVaultHandler.requestExit.selector;
        selectors[2] = selectors[3] = selectors[4] = ShortVaultHandler.finalizeExit.selector;
        selectors[5] = ShortVaultHandler.take.selector;
        selectors[6] = ShortVaultHandler.give.selector;
        selectors[7] = ShortVaultHandler.wait.selector;
        targets[0].selectors = selectors;
    }

    function invariant_sameShareForAll() public {
        handler.check();
        if (bytes(handler.broken()).length != 0) revert NotTrue(handler.broken());
    }

    /// @dev The same actions in one long run: a campaign that cannot reach a state proves nothing about it. The counts are
    /// shown with -vv.
    function test_reachesEveryState() public {
        for (uint256 i; i < STEPS; ++i) {
            _act(uint256(keccak256(abi.encode(i))));
        }
        invariant_sameShareForAll();
        string[10] memory names = [
            "the issuer took tokens",
            "took more",
            "gave a part back",
            "covered again",
            "paid a share",
            "paid the rest of a share",
            "paid in full",
            "nothing more to pay",
            "deposit refused",
            "paid a share after an earlier shortfall"
        ];
        for (uint256 i; i < names.length; ++i) {
            uint256 count = handler.reached(ShortVault(i));
            emit log_named_uint(names[i], count);
            if (count == 0) revert NotTrue(names[i]);
        }
    }

    function _act(uint256 random) private {
        uint256 seed = random >> 8;
        uint256 kind = random % 10;
        if (kind == 0) handler.deposit(seed, seed >> 128);
        else if (kind < 3) handler.requestExit(seed, seed >> 128);
        else if (kind < 6) handler.finalizeExit(seed);
        else if (kind == 6) handler.take(seed);
        else if (kind == 7) handler.give(seed, seed % 2 == 0);
        else handler.wait(seed);
    }
}
