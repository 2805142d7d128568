// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Sessions} from "../../session-keys/Sessions.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

contract RevokeTest is SessionKeysTest {
    function test_default() public {
        bytes32 id = _grant(_session());
        vm.expectEmit(address(sessionKeys));
        emit Sessions.SessionRevoked(account, _key(), id);
        vm.prank(account);
        sessionKeys.revoke(_key());
        assertEq(sessionKeys.keysOf(account).length, 0, "no sessions");
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
        sessionKeys.sessionOf(account, _key());
    }

    /// @dev Expired sessions can also be cleaned up.
    function test_behavior_expired() public {
        _grant(_session());
        vm.warp(block.timestamp + 2 days);
        vm.prank(account);
        sessionKeys.revoke(_key());
        assertEq(sessionKeys.keysOf(account).length, 0, "no sessions");
    }

    function test_error_NoSession() public {
        bytes memory refusal = abi.encodeWithSelector(Sessions.NoSession.selector, account, _key());
        vm.prank(account);
        vm.expectRevert(refusal);
        sessionKeys.revoke(_key());
        _grant(_session());
        vm.prank(account);
        sessionKeys.revoke(_key());
        vm.prank(account);
        vm.expectRevert(refusal);
        sessionKeys.revoke(_key());
    }

    /// @dev A key belongs to an account; other accounts' sessions of the same key are independent.
    function test_behavior_otherAccountsAreUnchanged() public {
        _grant(_session());
        _grant(otherAccount, _key(), _session());
        vm.prank(otherAccount);
        sessionKeys.revoke(_key());
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 10, "stays");
    }
}
