// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {Sessions} from "../../session-keys/Sessions.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Also keysOf and isForbiddenTarget, the other views.
contract SessionOfTest is SessionKeysTest {
    function test_default() public {
        _grant(_session());
        _execute(_transfer(RECIPIENT, 30e6));
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 70e6, "tokens left");
        assertEq(sessionKeys.sessionOf(account, _key()).left[0], 1 ether, "native left");
    }

    /// @dev The remainder is that of the current period, although nothing was written since.
    function test_behavior_nextPeriod() public {
        _grant(_session());
        _execute(_transfer(RECIPIENT, 30e6));
        vm.warp(block.timestamp + 1 hours - 1);
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 70e6, "the same period");
        vm.warp(block.timestamp + 1);
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 100e6, "the next");
    }

    function test_behavior_beforeValidAfter() public {
        vm.warp(block.timestamp + 1 hours);
        _grant(_session());
        vm.warp(block.timestamp - 1 hours);
        assertEq(sessionKeys.sessionOf(account, _key()).left[1], 100e6, "all of it");
    }

    function test_behavior_allOperationsUsed() public {
        _grant(_session());
        for (uint256 i; i < 10; ++i) {
            _handle(_build(_draft(_increment())));
        }
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 0, "none left");
    }

    /// @dev The owner may use the session's nonce key, too.
    function test_behavior_moreNoncesUsedThanOperations() public {
        _grant(_session());
        uint192 nonceKey = sessionKeys.sessionOf(account, _key()).nonceKey;
        for (uint256 i; i < 11; ++i) {
            vm.prank(account);
            (bool success,) =
                address(entryPoint).call(abi.encodeWithSignature("incrementNonce(uint192)", nonceKey));
            assertTrue(success, "incremented");
        }
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 0, "none left");
    }

    function test_error_NoSession() public {
        vm.expectRevert(abi.encodeWithSelector(Sessions.NoSession.selector, account, _key()));
        sessionKeys.sessionOf(account, _key());
    }

    function test_keysOf() public {
        _grant(_session());
        _grant(account, _p256Key(), _session());
        bytes32[] memory keys = sessionKeys.keysOf(account);
        assertTrue(keys.length == 2 && keys[0] == _key() && keys[1] == _p256Key(), "both");
        assertEq(sessionKeys.keysOf(otherAccount).length, 0, "none");
    }

    function test_isForbiddenTarget() public view {
        assertTrue(sessionKeys.isForbiddenTarget(account, account), "itself");
        assertTrue(!sessionKeys.isForbiddenTarget(account, otherAccount), "another account");
        assertTrue(sessionKeys.isForbiddenTarget(account, SMART_BALANCE), "SmartBalance");
        assertTrue(sessionKeys.isForbiddenTarget(account, address(0)), "nobody");
        assertTrue(!sessionKeys.isForbiddenTarget(account, RECIPIENT), "anyone else");
    }

    /// @dev Usually these are modules of the account too. They are forbidden even if they are not.
    function test_isForbiddenTarget_withoutModules() public {
        address safe = address(new AccountWithoutModules());
        address[7] memory targets = [
            address(sessionKeys),
            address(module),
            address(entryPoint),
            SMART_BALANCE,
            sharedSigner,
            multiSend,
            multiSendCallOnly
        ];
        for (uint256 i; i < targets.length; ++i) {
            assertTrue(sessionKeys.isForbiddenTarget(safe, targets[i]), "forbidden");
        }
        assertTrue(!sessionKeys.isForbiddenTarget(safe, RECIPIENT), "anyone else");
    }
}

contract AccountWithoutModules {
    function isModuleEnabled(address) external pure returns (bool) {
        return false;
    }

    function getStorageAt(uint256, uint256) external pure returns (bytes memory) {
        return new bytes(32);
    }
}
