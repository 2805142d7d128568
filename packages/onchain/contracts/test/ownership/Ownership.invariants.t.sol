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

    uint256 private constant STEPS = 1_000;

    Handler private handler;
    uint256 private _attempts;

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
        bytes4[] memory selectors = new bytes4[](15);
        selectors[0] = selectors[1] = Handler.sign.selector;
        selectors[2] = Handler.signRecovery.selector;
        selectors[3] = selectors[4] = selectors[5] = Handler.applyNext.selector;
        selectors[6] = Handler.startRival.selector;
        selectors[7] = Handler.meddle.selector;
        selectors[8] = selectors[9] = Handler.attemptSome.selector;
        selectors[10] = Handler.wait.selector;
        selectors[11] = Handler.replaceGuardians.selector;
        selectors[12] = Handler.cancelRecoveries.selector;
        selectors[13] = Handler.execute.selector;
        selectors[14] = Handler.delegate.selector;
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
            _step(random % 24, random >> 8);
            if (i % 20 == 0) invariant_owners();
        }
        invariant_owners();
        string[21] memory states = [
            "changes applied",
            "changes that several sign",
            "owners replaced",
            "owners refused",
            "thresholds above 1",
            "sessions ended",
            "networks that joined again",
            "recoveries started",
            "recoveries replaced",
            "recoveries taken back",
            "recoveries cancelled by a change",
            "recoveries lapsed",
            "recoveries executed",
            "recoveries refused at their execution",
            "recoveries to a threshold of 2",
            "recoveries that end with their guardians",
            "recoveries of former guardians that are due",
            "guardians that wait",
            "owners changed by the account",
            "pins changed by the account",
            "modules disabled"
        ];
        for (uint256 i; i < states.length; ++i) {
            _require(states[i], handler.reached(states[i]));
        }
        string[31] memory attempts = [
            "no owner",
            "before its turn",
            "again",
            "by the module",
            "signed for another account",
            "too few owners left",
            "a signature too few",
            "an approved hash",
            "another kind of the same data",
            "longer signatures",
            "other data",
            "data where none belongs",
            "a threshold above the owners",
            "before the delay",
            "other owners",
            "another threshold",
            "a recovery that has ended",
            "while the module is disabled",
            "a number that was started",
            "a number too high",
            "too few guardians",
            "one guardian twice",
            "no guardian",
            "another account or set of guardians",
            "an owner as whom anyone signs",
            "too few new owners",
            "a start that was sent before",
            "a cancellation by too few",
            "a cancellation of less",
            "a cancellation too high",
            "a sequence that is no later one"
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
        else if (kind == 8) handler.startRival(network, random);
        else if (kind < 11) handler.meddle(network, random);
        else if (kind == 11) handler.replaceGuardians(network, random);
        else if (kind == 12) handler.cancelRecoveries(network, random);
        else if (kind == 13) handler.execute(network, random % 2 == 0);
        else if (kind == 14) handler.delegate();
        else if (kind < 23) handler.attempt(network, _attempts++, random);
        else handler.wait(random);
    }
}
