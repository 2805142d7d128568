// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {PINS, SESSIONS} from "../../interfaces/IEpochs.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Rule, RuleKind} from "../../session-keys/Session.sol";
import {Sessions} from "../../session-keys/Sessions.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @notice Sessions end with the epoch of their account.
contract SessionEpochsTest is SessionKeysTest {
    function test_raise() public {
        _grant(_session());
        _grant(otherAccount, _key(), _session());
        PackedUserOperation memory pending = _build(_draft(_increment()));
        vm.prank(account);
        epochs.raise(PINS);
        assertEq(sessionKeys.keysOf(account).length, 1, "another kind");
        vm.prank(account);
        epochs.raise(SESSIONS);
        assertEq(sessionKeys.keysOf(account).length, 0, "none");
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
        sessionKeys.sessionOf(account, _key());
        _expectRefused(pending);
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
        sessionKeys.execute(_key(), _increment());
        vm.prank(account);
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
        sessionKeys.revoke(_key());
        assertEq(sessionKeys.sessionOf(otherAccount, _key()).operationsLeft, 10, "another account's");
    }

    /// @dev An operation of the session before, and what it has spent, do not come back with the next grant.
    function test_grantedAnew() public {
        bytes32 before = _grant(_session());
        _execute(_transfer(RECIPIENT, 30e6));
        PackedUserOperation memory pending = _build(_draft(_increment()));
        vm.prank(account);
        epochs.raise(SESSIONS);
        bytes32 id = _grant(_session());
        assertTrue(id != before, "another session");
        assertEq(sessionKeys.keysOf(account).length, 1, "one");
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 100e6, "with its own limits");
        _expectRefused(pending);
        _execute(_increment());
        vm.prank(account);
        sessionKeys.revoke(_key());
        assertEq(sessionKeys.keysOf(account).length, 0, "none");
    }

    /// @dev Any number of sessions ends in one call, and a later grant brings none of them back.
    function test_manySessions() public {
        for (uint256 i = 1; i <= 40; ++i) {
            _grant(account, bytes32(i), _session());
        }
        uint256 gas = gasleft();
        vm.prank(account);
        epochs.raise(SESSIONS);
        assertTrue(gas - gasleft() < 60_000, "whatever their number");
        _grant(_session());
        assertEq(sessionKeys.keysOf(account).length, 1, "only the new one");
        for (uint256 i = 1; i <= 40; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, bytes32(i)));
            sessionKeys.sessionOf(account, bytes32(i));
        }
    }

    /// @dev Twice in one block: a session between them ended, too.
    function test_raisedTwice() public {
        vm.prank(account);
        epochs.raise(SESSIONS);
        _grant(_session());
        vm.prank(account);
        epochs.raise(SESSIONS);
        assertEq(sessionKeys.keysOf(account).length, 0, "ended");
    }

    /// @dev No session raises its account's epochs.
    function test_error_ForbiddenTarget() public {
        Rule memory rule = Rule(RuleKind.Call, address(epochs), epochs.raise.selector, address(0), 0);
        vm.expectRevert(abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, address(epochs)));
        _grant(_sessionWith(rule));
    }
}
