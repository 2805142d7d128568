// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Call, Rule, RuleKind} from "../../session-keys/Session.sol";
import {ISafeAccount, SessionKeysTest} from "../session-keys/SessionKeysTest.sol";

/// @dev An owner that signs for an account whatever the key signs that the account has set, as SessionKeys itself, and
/// contracts that verify passkeys or another scheme, do. (SafeWebAuthnSharedSigner takes its key only by delegatecall.)
contract KeyRing {
    mapping(address account => address) public keyOf;

    function setKey(address key) external {
        keyOf[msg.sender] = key;
    }
}

/// @notice Attack: an owner of the account is a contract that keeps the account's own settings. A session calls it, sets
/// its own key, and is an owner.
/// @dev Guard: SessionKeys asks the account at each grant and each call with data whether the target is its owner.
contract SessionCallsOwnerTest is SessionKeysTest {
    KeyRing private ring = new KeyRing();

    function test_grantsSetKey() public {
        _addOwner();
        vm.expectRevert(_refusal());
        _grant(_sessionWith(_rule()));
    }

    function test_callsOwnerThatWasAddedAfterTheGrant() public {
        _grant(_sessionWith(_rule()));
        _execute(_setKey(SPENDER));
        _addOwner();
        vm.expectRevert(_refusal());
        _execute(_setKey(RECIPIENT));
        assertEq(uint160(ring.keyOf(account)), uint160(SPENDER), "an ordinary contract, until it is an owner");
    }

    /// @dev A session may pay its account's owner.
    function test_default_paysOwner() public {
        _grant(_sessionWith(Rule(RuleKind.Native, vm.addr(OWNER_KEY), 0, address(0), 0.6 ether)));
        _execute(_calls(vm.addr(OWNER_KEY), 0.5 ether, ""));
        assertEq(vm.addr(OWNER_KEY).balance, 0.5 ether, "paid");
    }

    function _addOwner() private {
        vm.prank(account);
        ISafeAccount(account).addOwnerWithThreshold(address(ring), 1);
    }

    function _setKey(address key) private view returns (Call[] memory) {
        return _calls(address(ring), 0, abi.encodeCall(KeyRing.setKey, (key)));
    }

    function _rule() private view returns (Rule memory) {
        return Rule(RuleKind.Call, address(ring), KeyRing.setKey.selector, address(0), 0);
    }

    function _refusal() private view returns (bytes memory) {
        return abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, address(ring));
    }
}
