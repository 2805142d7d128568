// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Call, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {SessionKeysTest} from "../session-keys/SessionKeysTest.sol";

/// @dev A fallback handler that obeys the account, as it reads it from the end of the calldata. Called by the account
/// itself, the calldata is the session's.
contract TrustingHandler {
    mapping(address account => uint256) public obeyed;

    function obey() external {
        require(address(bytes20(msg.data[msg.data.length - 20:])) == msg.sender);
        ++obeyed[msg.sender];
    }
}

/// @dev As a guard of transactions or of modules; only its address matters here.
contract Guard {
    mapping(address account => bool) public isOpen;

    function open() external {
        isOpen[msg.sender] = true;
    }

    function supportsInterface(bytes4) external pure returns (bool) {
        return true;
    }
}

/// @dev Attack: a session calls the account's own fallback handler, which takes it for the account's owner, or its
/// guard. Guard: SessionKeys reads handler, guards and modules of the account at each grant and each call.
contract SessionCallsHandlerTest is SessionKeysTest {
    TrustingHandler private handler = new TrustingHandler();
    Guard private guard = new Guard();

    function test_callsHandlerThatWasSetAfterTheGrant() public {
        _grantTo(address(handler), TrustingHandler.obey.selector);
        _asAccount(abi.encodeWithSignature("setFallbackHandler(address)", handler));
        vm.expectRevert(_refusal(address(handler)));
        _execute(_obey());
        assertEq(handler.obeyed(account), 0, "not obeyed");
    }

    function test_grantsHandler() public {
        _asAccount(abi.encodeWithSignature("setFallbackHandler(address)", handler));
        vm.expectRevert(_refusal(address(handler)));
        _grantTo(address(handler), TrustingHandler.obey.selector);
    }

    function test_paysHandler() public {
        _grant(_sessionWith(Rule(RuleKind.Native, address(0), 0, address(0), 0.6 ether)));
        _asAccount(abi.encodeWithSignature("setFallbackHandler(address)", handler));
        vm.expectRevert(_refusal(address(handler)));
        _execute(_calls(address(handler), 1, ""));
    }

    function test_callsGuardThatWasSetAfterTheGrant() public {
        _grantTo(address(guard), Guard.open.selector);
        _execute(_calls(address(guard), 0, abi.encodeCall(Guard.open, ())));
        _asAccount(abi.encodeWithSignature("setGuard(address)", guard));
        vm.expectRevert(_refusal(address(guard)));
        _execute(_calls(address(guard), 0, abi.encodeCall(Guard.open, ())));
    }

    /// @dev Safe 1.5.0 has setModuleGuard; 1.4.1 has only the slot.
    function test_callsGuardOfModules() public {
        _grantTo(address(guard), Guard.open.selector);
        vm.store(
            account, keccak256("module_manager.module_guard.address"), bytes32(uint256(uint160(address(guard))))
        );
        vm.expectRevert(_refusal(address(guard)));
        _execute(_calls(address(guard), 0, abi.encodeCall(Guard.open, ())));
    }

    function test_default_handlerOfAnotherAccount() public {
        _grantTo(address(handler), TrustingHandler.obey.selector);
        vm.prank(otherAccount);
        (bool success,) = otherAccount.call(abi.encodeWithSignature("setFallbackHandler(address)", handler));
        assertTrue(success, "set");
        _execute(_obey());
        assertEq(handler.obeyed(account), 1, "an ordinary contract for this account");
    }

    function _grantTo(address target, bytes4 selector) private {
        Session memory session = _sessionWith(Rule(RuleKind.Call, target, selector, address(0), 0));
        _grant(session);
    }

    function _obey() private view returns (Call[] memory) {
        return _calls(address(handler), 0, abi.encodePacked(TrustingHandler.obey.selector, account));
    }

    function _asAccount(bytes memory data) private {
        vm.prank(account);
        (bool success,) = account.call(data);
        assertTrue(success, "set");
    }

    function _refusal(address target) private pure returns (bytes memory) {
        return abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, target);
    }
}
