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

    event log_named_uint(string key, uint256 value);

    uint256 private constant STEPS = 800;

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
        bytes4[] memory selectors = new bytes4[](12);
        selectors[0] = selectors[1] = Handler.sign.selector;
        selectors[2] = Handler.signRecovery.selector;
        selectors[3] = selectors[4] = selectors[5] = Handler.applyNext.selector;
        selectors[6] = Handler.startRival.selector;
        selectors[7] = Handler.meddle.selector;
        selectors[8] = selectors[9] = Handler.attempt.selector;
        selectors[10] = Handler.wait.selector;
        selectors[11] = Handler.replaceGuardians.selector;
        targets[0].selectors = selectors;
    }

    function invariant_owners() public {
        handler.check();
        assertEq(
            handler.attacksThatSucceeded(), 0, "no change without an owner's signature or a due recovery"
        );
        assertEq(handler.wronglyRefused(), 0, "what was signed is applied, on each network");
    }

    /// @dev The same actions in one long run: a campaign that cannot reach a state proves nothing about it. The counts are
    /// shown with -vv.
    function test_reachesEveryState() public {
        for (uint256 i; i < STEPS; ++i) {
            uint256 random = uint256(keccak256(abi.encode(i)));
            _step(random % 16, random >> 8);
            if (i % 20 == 0) invariant_owners();
        }
        invariant_owners();
        _require("changes applied", handler.applied());
        _require("owners replaced", handler.replaced());
        _require("changes signed by a passkey", handler.signedByPasskey());
        _require("recoveries that are in no log", handler.rivals());
        _require("recoveries cancelled", handler.cancelled());
        _require("recoveries executed", handler.recovered());
        _require("guardians that wait", handler.postponedGuardians());
        _require("recoveries that end with their guardians", handler.endedBySuccessors());
        _require("sessions ended", handler.sessionsEnded());
        string[15] memory attempts = [
            "no owner",
            "before its turn",
            "again",
            "by the module",
            "signed for another account",
            "the last owner",
            "before the delay",
            "other owners",
            "a recovery that has ended",
            "a number that was started",
            "too few guardians",
            "one guardian twice",
            "no guardian",
            "guardians of another account",
            "another set of guardians"
        ];
        assertEq(attempts.length, handler.ATTEMPTS(), "named");
        for (uint256 kind; kind < attempts.length; ++kind) {
            _require(attempts[kind], handler.tried(kind));
        }
    }

    function _require(string memory state, uint256 count) private {
        emit log_named_uint(state, count);
        if (count == 0) revert NotTrue(state);
    }

    function _step(uint256 kind, uint256 random) private {
        uint8 network = uint8(random);
        random >>= 8;
        if (kind < 3) handler.sign(random);
        else if (kind == 3) handler.signRecovery(random);
        else if (kind < 8) handler.applyNext(network);
        else if (kind == 8) handler.startRival(network);
        else if (kind == 9) handler.meddle(network, random % 2 == 0);
        else if (kind < 14) handler.attempt(network, random >> 8, random >> 16);
        else if (kind == 14) handler.replaceGuardians(network, random);
        else handler.wait(random);
    }
}
