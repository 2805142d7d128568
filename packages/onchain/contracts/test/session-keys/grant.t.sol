// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Grants} from "../../session-keys/Grants.sol";
import {Allowance, Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {SessionState, Sessions} from "../../session-keys/Sessions.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

contract GrantTest is SessionKeysTest {
    function test_default() public {
        Session memory session = _session();
        bytes32 id = keccak256(abi.encode(account, _key(), uint64(1)));
        vm.expectEmit(address(sessionKeys));
        emit Sessions.SessionGranted(account, _key(), id, session);
        assertTrue(_grant(session) == id, "id");
        SessionState memory state = sessionKeys.sessionOf(account, _key());
        assertEq(abi.encode(state.session), abi.encode(session), "session");
        assertTrue(state.id == id && state.nonceKey == uint192(uint256(id)), "nonce key");
        assertEq(state.operationsLeft, 10, "operations");
    }

    /// @dev The owner may have used any nonces; they do not count.
    function test_behavior_baseOfTheNonceKey() public {
        bytes32 id = keccak256(abi.encode(account, _key(), uint64(1)));
        for (uint256 i; i < 3; ++i) {
            vm.prank(account);
            (bool success,) = address(entryPoint)
                .call(abi.encodeWithSignature("incrementNonce(uint192)", uint192(uint256(id))));
            assertTrue(success, "incremented");
        }
        _grant(_session());
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 10, "all are left");
        assertEq(_draft(_increment()).sequence, 3, "not the first of the lane");
        _handle(_build(_draft(_increment())));
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 9, "one less");
    }

    function test_behavior_replacesAnEarlierSession() public {
        bytes32 first = _grant(_session());
        Session memory session = _session();
        session.maxOperations = 3;
        vm.expectEmit(address(sessionKeys));
        emit Sessions.SessionRevoked(account, _key(), first);
        bytes32 second = _grant(session);
        assertTrue(first != second, "another id");
        assertEq(sessionKeys.sessionOf(account, _key()).operationsLeft, 3, "the new limits");
        assertEq(sessionKeys.keysOf(account).length, 1, "one session");
    }

    function test_error_InvalidKey() public {
        vm.expectRevert(abi.encodeWithSelector(Grants.InvalidKey.selector));
        _grant(account, 0, _session());
    }

    function test_error_InvalidValidity() public {
        Session memory session = _session();
        session.validUntil = session.validAfter;
        _expectRefusal(session, abi.encodeWithSelector(Grants.InvalidValidity.selector));
        session.validAfter = uint48(block.timestamp - 2);
        session.validUntil = uint48(block.timestamp - 1);
        _expectRefusal(session, abi.encodeWithSelector(Grants.InvalidValidity.selector));
        session.validUntil = uint48(block.timestamp);
        _grant(session);
    }

    function test_error_NoOperations() public {
        Session memory session = _session();
        session.maxOperations = 0;
        _expectRefusal(session, abi.encodeWithSelector(Grants.NoOperations.selector));
    }

    function test_error_NoRules() public {
        Session memory session = _session();
        session.rules = new Rule[](0);
        _expectRefusal(session, abi.encodeWithSelector(Grants.NoRules.selector));
    }

    function test_error_TooManyLimits() public {
        Session memory session = _session();
        session.rules = new Rule[](33);
        _expectRefusal(session, abi.encodeWithSelector(Grants.TooManyLimits.selector));
        session = _session();
        session.allowances = new Allowance[](17);
        _expectRefusal(session, abi.encodeWithSelector(Grants.TooManyLimits.selector));
    }

    function test_behavior_maximumLimits() public {
        Session memory session = _session();
        session.rules = new Rule[](32);
        for (uint256 i; i < 32; ++i) {
            session.rules[i] = Rule(RuleKind.Call, address(counter), bytes4(uint32(i)), address(0), 0);
        }
        session.allowances = new Allowance[](16);
        for (uint160 i; i < 16; ++i) {
            session.allowances[i] = Allowance(address(i + 1e9), 0, 1);
        }
        _grant(session);
        assertEq(abi.encode(sessionKeys.sessionOf(account, _key()).session), abi.encode(session), "session");
    }

    function test_error_DuplicateAllowance() public {
        Session memory session = _session();
        session.allowances[1].token = address(0);
        _expectRefusal(session, abi.encodeWithSelector(Grants.DuplicateAllowance.selector, address(0)));
    }

    function test_error_ForbiddenTarget() public {
        address[12] memory targets = [
            account,
            address(sessionKeys),
            address(module),
            address(entryPoint),
            sharedSigner,
            multiSend,
            multiSendCallOnly,
            SMART_BALANCE,
            address(1),
            address(0x100),
            address(0xFFFF),
            // A module of the account, whichever it is; 0x10000 itself is allowed below.
            address(0x10000)
        ];
        vm.prank(account);
        (bool success,) = account.call(abi.encodeWithSignature("enableModule(address)", targets[11]));
        assertTrue(success, "enabled");
        for (uint256 i; i < targets.length; ++i) {
            bytes memory refusal =
                abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, targets[i]);
            _expectRefusal(_sessionWith(Rule(RuleKind.Call, targets[i], 0x12345678, address(0), 0)), refusal);
            _expectRefusal(_sessionWith(Rule(RuleKind.Native, targets[i], 0, address(0), 1)), refusal);
        }
        _grant(_sessionWith(Rule(RuleKind.Call, address(0x10001), 0x12345678, address(0), 0)));
        _expectRefusal(
            _sessionWith(Rule(RuleKind.Call, address(0), 0x12345678, address(0), 0)),
            abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, address(0))
        );
    }

    function test_error_NoAllowance() public {
        Session memory session = _sessionWith(_tokenRule(IERC20.transfer.selector, RECIPIENT));
        session.allowances[1].token = address(0x70CE4);
        _expectRefusal(session, abi.encodeWithSelector(Grants.NoAllowance.selector, 0));
    }

    function test_error_NotCounted() public {
        Session memory session =
            _sessionWith(Rule(RuleKind.Call, address(token), IERC20.transfer.selector, address(0), 0));
        _expectRefusal(session, abi.encodeWithSelector(Grants.NotCounted.selector, 0));
    }

    function test_error_NotCountable() public {
        bytes4 increase = bytes4(keccak256("increaseAllowance(address,uint256)"));
        _expectRefusal(
            _sessionWith(_tokenRule(increase, SPENDER)),
            abi.encodeWithSelector(Grants.NotCountable.selector, 0)
        );
    }

    function test_error_OpenApproval() public {
        bytes memory refusal = abi.encodeWithSelector(Grants.OpenApproval.selector, 0);
        _expectRefusal(_sessionWith(_tokenRule(IERC20.approve.selector, address(0))), refusal);
        string[13] memory signatures = [
            "approve(address,uint256)",
            "increaseAllowance(address,uint256)",
            "increaseApproval(address,uint256)",
            "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
            "permit(address,address,uint256,uint256,bytes)",
            "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
            "approveAndCall(address,uint256)",
            "approveAndCall(address,uint256,bytes)",
            "setApprovalForAll(address,bool)",
            "authorizeOperator(address)",
            "approve(address,address,uint160,uint48)",
            "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)",
            "approveDelegation(address,uint256)"
        ];
        for (uint256 i; i < signatures.length; ++i) {
            bytes4 selector = bytes4(keccak256(bytes(signatures[i])));
            _expectRefusal(
                _sessionWith(Rule(RuleKind.Call, address(counter), selector, address(0), 0)), refusal
            );
        }
    }

    function test_error_MeaninglessField() public {
        bytes memory refusal = abi.encodeWithSelector(Grants.MeaninglessField.selector, 0);
        _expectRefusal(_sessionWith(Rule(RuleKind.Native, RECIPIENT, 0x12345678, address(0), 1)), refusal);
        _expectRefusal(_sessionWith(Rule(RuleKind.Native, RECIPIENT, 0, SPENDER, 1)), refusal);
        _expectRefusal(_sessionWith(Rule(RuleKind.Call, RECIPIENT, 0x12345678, SPENDER, 1)), refusal);
        Rule memory rule = _tokenRule(IERC20.transfer.selector, RECIPIENT);
        rule.maxValue = 1;
        _expectRefusal(_sessionWith(rule), refusal);
    }

    function test_error_ValueWithoutAllowance() public {
        Session memory session = _sessionWith(Rule(RuleKind.Native, RECIPIENT, 0, address(0), 1));
        session.allowances[0].token = address(0x70CE4);
        _expectRefusal(session, abi.encodeWithSelector(Grants.ValueWithoutAllowance.selector, 0));
    }

    /// @dev The caller is not a Safe, so it has no modules to ask about.
    function test_error_callerIsNotASafe() public {
        vm.expectRevert();
        sessionKeys.grant(_key(), _session());
    }

    function _expectRefusal(Session memory session, bytes memory refusal) private {
        vm.prank(account);
        vm.expectRevert(refusal);
        sessionKeys.grant(_key(), session);
    }

    /// @dev Whatever the function: any may move the token by another name.
    function test_notCountedWithAnyFunction() public {
        bytes4[3] memory selectors = [bytes4(0x12345678), bytes4(0x40c10f19), bytes4(0xa9059cbb)];
        for (uint256 i; i < selectors.length; ++i) {
            vm.expectRevert(abi.encodeWithSelector(Grants.NotCounted.selector, 0));
            _grant(_sessionWith(Rule(RuleKind.Call, address(token), selectors[i], address(0), 0)));
        }
    }
}
