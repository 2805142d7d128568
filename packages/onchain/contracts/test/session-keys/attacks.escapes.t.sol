// SPDX-License-Identifier: MIT
// @promise 13
pragma solidity ^0.8.28;

import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {PackedUserOperation} from "../../interfaces/ERC4337.sol";
import {ISafe4337Module as IModule} from "../../interfaces/ISafe.sol";
import {Execution} from "../../session-keys/Execution.sol";
import {ForbiddenTargets} from "../../session-keys/ForbiddenTargets.sol";
import {Rule, RuleKind, Session} from "../../session-keys/Session.sol";
import {SessionKeysTest} from "./SessionKeysTest.sol";

/// @dev Attempts to escape from the rules.
contract EscapeAttacksTest is SessionKeysTest {
    function setUp() public override {
        super.setUp();
        // As permissive as a session can be: anyone may be paid.
        Session memory session = _session();
        session.rules[0] = Rule(RuleKind.Native, address(0), 0, address(0), 1 ether);
        _grant(session);
    }

    /// @dev Guard: the contract builds the operation that it signs: to itself, as a call, without value, by the one
    /// function of the module.
    function test_attack3_otherExecutions() public {
        bytes memory call = abi.encodeCall(sessionKeys.execute, (_key(), _increment()));
        _expectRefusedCallData(
            abi.encodeCall(IModule.executeUserOpWithErrorString, (address(sessionKeys), 0, call, 1))
        );
        _expectRefusedCallData(
            abi.encodeCall(IModule.executeUserOpWithErrorString, (address(sessionKeys), 1, call, 0))
        );
        _expectRefusedCallData(
            abi.encodeCall(IModule.executeUserOpWithErrorString, (address(counter), 0, call, 0))
        );
        _expectRefusedCallData(abi.encodeCall(module.executeUserOp, (address(sessionKeys), 0, call, 0)));
        bytes memory grant = abi.encodeCall(sessionKeys.grant, (_keyOf(THIRD_PARTY_KEY), _session()));
        _expectRefusedCallData(
            abi.encodeCall(IModule.executeUserOpWithErrorString, (address(sessionKeys), 0, grant, 0))
        );
        bytes memory nested = abi.encodePacked(uint8(0), address(sessionKeys), uint256(0), call.length, call);
        nested = abi.encodeWithSignature("multiSend(bytes)", nested);
        _expectRefusedCallData(
            abi.encodeCall(IModule.executeUserOpWithErrorString, (multiSendCallOnly, 0, nested, 1))
        );
    }

    /// @dev Guard: forbidden targets, whatever the rules; the rules here do not even name them.
    function test_attack3_selfAndModuleCalls() public {
        string[7] memory ownCalls = [
            "addOwnerWithThreshold(address,uint256)",
            "enableModule(address)",
            "setGuard(address)",
            "setFallbackHandler(address)",
            "swapOwner(address,address,address)",
            "changeThreshold(uint256)",
            "approveHash(bytes32)"
        ];
        for (uint256 i; i < ownCalls.length; ++i) {
            _expectForbidden(account, abi.encodeWithSignature(ownCalls[i], SPENDER, 1));
        }
        _expectForbidden(
            address(sessionKeys), abi.encodeCall(sessionKeys.grant, (_keyOf(THIRD_PARTY_KEY), _session()))
        );
        // The module trusts the last 20 bytes about who called the account.
        bytes memory posing = bytes.concat(
            abi.encodeCall(module.executeUserOp, (SPENDER, 1 ether, "", 1)), bytes20(address(entryPoint))
        );
        _expectForbidden(address(module), posing);
        _expectForbidden(
            address(entryPoint), abi.encodeWithSignature("withdrawTo(address,uint256)", SPENDER, 1)
        );
        _expectForbidden(multiSend, abi.encodeWithSignature("multiSend(bytes)", ""));
        _expectForbidden(multiSendCallOnly, abi.encodeWithSignature("multiSend(bytes)", ""));
        _expectForbidden(
            sharedSigner, abi.encodeWithSignature("configure((uint256,uint256,uint176))", 1, 1, 1)
        );
        _expectForbidden(SMART_BALANCE, abi.encodeWithSignature("requestExit(uint128)", 1));
        // Empty calldata reaches them under the permissive rule, and is stopped here, too.
        _expectForbidden(account, "");
        _expectForbidden(address(2), "");
    }

    /// @dev Guard: empty calldata and a selector are two things; anything in between is neither.
    function test_attack3_oneToThreeBytes() public {
        _grant(_sessionWith(Rule(RuleKind.Call, address(counter), 0, address(0), 0)));
        for (uint256 length = 1; length < 4; ++length) {
            vm.expectRevert(
                abi.encodeWithSelector(Execution.CallNotAllowed.selector, 0, address(counter), bytes4(0))
            );
            _execute(_calls(address(counter), 0, new bytes(length)));
        }
        _grant(_sessionWith(Rule(RuleKind.Native, address(counter), 0, address(0), 0)));
        for (uint256 length = 1; length < 4; ++length) {
            vm.expectPartialRevert(Execution.CallNotAllowed.selector);
            _execute(_calls(address(counter), 0, new bytes(length)));
        }
    }

    /// @dev Guard: exact length and clean addresses in calls of tokens.
    function test_attack3_dirtyTokenCalls() public {
        bytes memory clean = abi.encodeCall(IERC20.transfer, (RECIPIENT, 1));
        _execute(_calls(address(token), 0, clean));
        _expectNotAllowed(bytes.concat(clean, hex"00"));
        clean[4] = 0x01;
        _expectNotAllowed(clean);
        assembly ("memory-safe") {
            mstore(clean, 67)
        }
        _expectNotAllowed(clean);
    }

    /// @dev The same guard, where the rule names no recipient that could differ.
    function test_attack3_dirtyTokenCallsByAnOpenRule() public {
        _grant(_sessionWith(_tokenRule(IERC20.transfer.selector, address(0))));
        bytes memory clean = abi.encodeCall(IERC20.transfer, (RECIPIENT, 1));
        _expectNotAllowed(bytes.concat(clean, hex"00"));
        clean[4] = 0x01;
        _expectNotAllowed(clean);
    }

    /// @dev Guard: an approval counts in full, whoever the spender is, and each time.
    function test_attack4_approve() public {
        _execute(_approve(SPENDER, 60e6));
        vm.expectRevert(
            abi.encodeWithSelector(Execution.AllowanceExceeded.selector, address(token), 60e6, 40e6)
        );
        _execute(_approve(SPENDER, 60e6));
        _expectNotAllowed(abi.encodeCall(IERC20.approve, (RECIPIENT, 1)));
    }

    /// @dev Guard: a token with an allowance can have no other rules, so nothing else can be called.
    function test_attack4_increaseAllowanceAndPermit() public {
        _expectNotAllowed(abi.encodeWithSignature("increaseAllowance(address,uint256)", SPENDER, 1));
        _expectNotAllowed(
            abi.encodeWithSignature(
                "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
                account,
                SPENDER,
                1,
                1,
                27,
                0,
                0
            )
        );
    }

    /// @dev Guard: only the account's own tokens can be moved, and they count.
    function test_attack4_transferFrom() public {
        _grant(_sessionWith(_tokenRule(IERC20.transferFrom.selector, RECIPIENT)));
        token.mint(address(this), 50e6);
        token.approve(account, 50e6);
        _expectNotAllowed(abi.encodeCall(IERC20.transferFrom, (address(this), RECIPIENT, 1)));
        vm.prank(account);
        token.approve(account, type(uint256).max);
        _execute(_calls(address(token), 0, abi.encodeCall(IERC20.transferFrom, (account, RECIPIENT, 100e6))));
        vm.expectPartialRevert(Execution.AllowanceExceeded.selector);
        _execute(_calls(address(token), 0, abi.encodeCall(IERC20.transferFrom, (account, RECIPIENT, 1))));
    }

    /// @dev The same guard, where the rule allows any recipient.
    function test_attack4_transferFromByAnOpenRule() public {
        _grant(_sessionWith(_tokenRule(IERC20.transferFrom.selector, address(0))));
        token.mint(address(this), 50e6);
        token.approve(account, 50e6);
        _expectNotAllowed(abi.encodeCall(IERC20.transferFrom, (address(this), RECIPIENT, 1)));
    }

    /// @dev Guard: the named amount counts, not its difference from an allowance that the owner gave before.
    function testFuzz_attack4_earlierAllowance(uint256 given, uint256 approved) public {
        approved = bound(approved, 0, 100e6);
        vm.prank(account);
        token.approve(SPENDER, given);
        _execute(_approve(SPENDER, approved));
        assertEq(_spent(1), approved, "counted in full");
        assertEq(token.allowance(account, SPENDER), 0, "and ends with the operation, like the other one");
    }

    /// @dev A session without the token cannot move it at all.
    function test_attack4_tokenWithoutRule() public {
        _grant(_sessionWith(Rule(RuleKind.Native, address(0), 0, address(0), 1 ether)));
        _expectNotAllowed(abi.encodeCall(IERC20.transfer, (RECIPIENT, 1)));
    }

    function _expectRefusedCallData(bytes memory callData) private {
        Draft memory draft = _draft(_increment());
        PackedUserOperation memory op = _unsigned(draft);
        op.callData = callData;
        _expectRefused(_sign(draft, op));
    }

    function _expectForbidden(address target, bytes memory data) private {
        bytes memory reason = _handled(_build(_draft(_calls(target, 0, data))));
        assertEq(
            reason, abi.encodeWithSelector(ForbiddenTargets.ForbiddenTarget.selector, target), "forbidden"
        );
        // More operations than the session has.
        _refresh();
    }

    function _refresh() private {
        if (sessionKeys.sessionOf(account, _key()).operationsLeft != 0) return;
        _grant(sessionKeys.sessionOf(account, _key()).session);
    }

    function _expectNotAllowed(bytes memory data) private {
        vm.expectPartialRevert(Execution.CallNotAllowed.selector);
        _execute(_calls(address(token), 0, data));
    }
}
